import { t } from "@vscode/l10n";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import type { Slices } from "../../engine/timeSlicing.ts";
import type { Page } from "../../state/page.ts";
import type { Store } from "../../state/store.ts";
import type { MenuItem } from "../../ui/menu.ts";
import type { Shown } from "./exportContext.ts";
import { FILE_KINDS, type FileKind, makeFile } from "./files.ts";
import { pngOf } from "./pictures.ts";

export interface ExporterDependencies {
  readonly store: Store<Page>;
  /** What is on the page; null: there is nothing to take. */
  readonly shown: () => Shown | null;
  readonly save: (name: string, data: string | Uint8Array<ArrayBuffer>) => Promise<boolean>;
  readonly copyText: (text: string) => Promise<void>;
  readonly linkTo: (state: PanelState) => Promise<string>;
}

/** How long the page says that something is done, in milliseconds. */
const SAID = 6000;

/** Takes pictures, numbers and texts out of the page: into files through the host's dialog, or to the clipboard. */
export class Exporter {
  readonly #dependencies: ExporterDependencies;
  #timer = 0;

  constructor(dependencies: ExporterDependencies) {
    this.#dependencies = dependencies;
  }

  /** Items of the Export menu. */
  exportGroups(): readonly (readonly MenuItem[])[] {
    const shown = this.#dependencies.shown();
    const disabled = shown === null || (shown.subject === null && shown.exportable === null) ? nothingHere() : null;
    const words = fileWords();
    const files = FILE_KINDS.map((kind) => ({
      ...words[kind],
      disabled: disabled ?? (kind === "npy" && shown !== null ? whyNoNpy(shown) : null),
      onChoose: () =>
        void this.run(t("Exporting {0}", kind.toUpperCase()), (now, slices) => this.#save(now, kind, slices)),
    }));
    return [files.slice(0, 2), files.slice(2)];
  }

  /** The picture for the clipboard, first of the Copy menu. */
  pictureItem(): MenuItem {
    const shown = this.#dependencies.shown();
    return {
      label: t("Image"),
      hint: t("PNG (2×)"),
      disabled: shown === null || (shown.subject === null && shown.exportable === null) ? nothingHere() : null,
      onChoose: () => void this.run(t("Copying image"), (now) => this.#copyPicture(now)),
    };
  }

  /** The link to what is shown. */
  linkTo(state: PanelState): Promise<string> {
    return this.#dependencies.linkTo(state);
  }

  textItem(
    label: string,
    hint: string,
    disabled: string | null,
    text: (shown: Shown, slices: Slices) => string | Promise<string>,
  ): MenuItem {
    const copy = async (now: Shown, slices: Slices) => {
      await this.#dependencies.copyText(await text(now, slices));
      return t("Copied: {0}", label);
    };
    return { label, hint, disabled, onChoose: () => void this.run(label, copy) };
  }

  /**
   * Does one thing with what is shown; its progress, its end and its failure are said on the page.
   * @param work gives what is said at the end, or null for nothing
   */
  async run(label: string, work: (shown: Shown, slices: Slices) => Promise<string | null>): Promise<void> {
    const shown = this.#dependencies.shown();
    if (shown === null) return;
    const life = new AbortController();
    const update = (change: Partial<Page>) => this.#dependencies.store.update((page) => ({ ...page, ...change }));
    update({ done: null, message: null });
    const progress = (fraction: number) => update({ task: { label, fraction, cancel: () => life.abort() } });
    try {
      const done = await work(shown, { progress, stopped: () => life.signal.aborted });
      update({ task: null, message: null, done });
      window.clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => update({ done: null }), SAID);
    } catch (error) {
      update({ task: null, done: null, message: error instanceof Error ? error.message : String(error) });
    }
  }

  async #save(shown: Shown, kind: FileKind, slices: Slices): Promise<string | null> {
    const file = await makeFile(shown, kind, slices);
    if (file === null) return null;
    // What is left is the person's: the dialog is open for as long as they like.
    this.#dependencies.store.update((page) => ({ ...page, task: null }));
    return (await this.#dependencies.save(file.name, file.data)) ? t("Saved: {0}", file.name) : null;
  }

  async #copyPicture(shown: Shown): Promise<string> {
    // The browser asks that writing begins in the click; the picture may come later.
    const picture = pngOf(shown);
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    } catch (error) {
      await picture;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        t("This browser does not allow copying images ({0}). Export the image as a file instead.", reason),
      );
    }
    return t("Copied: {0}", t("Image"));
  }
}

function nothingHere(): string {
  return t("Nothing to export in this view.");
}

function whyNoNpy({ exportable }: Shown): string | null {
  const words = exportable?.table.rows.some((row) => row.some((value) => typeof value === "string")) === true;
  return words ? t("NPY supports only numbers, and this table contains text.") : null;
}

function fileWords(): Readonly<Record<FileKind, Pick<MenuItem, "label" | "hint">>> {
  return {
    png: { label: "PNG", hint: t("Image with axes (2×)") },
    svg: { label: "SVG", hint: t("Text, axes and lines as vectors") },
    csv: { label: "CSV", hint: t("Visible cells, 17 digits") },
    npy: { label: "NPY", hint: t("Visible cells, float64, for NumPy") },
    json: { label: "JSON", hint: t("Visible cells with their parameters") },
  };
}

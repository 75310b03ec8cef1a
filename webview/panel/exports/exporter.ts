import * as l10n from "@vscode/l10n";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import { errorMessage } from "../../../src/core/util/errors.ts";
import type { SliceCallbacks } from "../../engine/timeSlicing.ts";
import type { Page } from "../../state/page.ts";
import type { Store } from "../../state/store.ts";
import type { MenuItem } from "../../ui/menu.ts";
import type { ExportContext } from "./exportContext.ts";
import { buildExportFile, FILE_KINDS, type FileKind } from "./files.ts";
import { renderPng } from "./pictures.ts";

export interface ExporterDependencies {
  readonly store: Store<Page>;
  /** What can be exported now, or null. */
  readonly context: () => ExportContext | null;
  readonly save: (name: string, data: string | Uint8Array<ArrayBuffer>) => Promise<boolean>;
  readonly copyText: (text: string) => Promise<void>;
  readonly linkTo: (state: PanelState) => Promise<string>;
}

/** How long the page shows that an export is done. */
const DONE_NOTICE_MS = 6000;

/** Exports pictures, numbers and texts: to files through the host's save dialog, or to the clipboard. */
export class Exporter {
  readonly #dependencies: ExporterDependencies;
  #timer = 0;

  constructor(dependencies: ExporterDependencies) {
    this.#dependencies = dependencies;
  }

  /** Items of the Export menu. */
  exportGroups(): readonly (readonly MenuItem[])[] {
    const context = this.#dependencies.context();
    const disabled =
      context === null || (context.matrix === null && context.viewExport === null) ? nothingToExport() : null;
    const words = fileMenuTexts();
    const files = FILE_KINDS.map((kind) => ({
      ...words[kind],
      disabled: disabled ?? (kind === "npy" && context !== null ? whyNoNpy(context) : null),
      onChoose: () =>
        void this.run(l10n.t("Exporting {0}", kind.toUpperCase()), (current, slices) =>
          this.#save(current, kind, slices),
        ),
    }));
    return [files.slice(0, 2), files.slice(2)];
  }

  /** The picture for the clipboard, first of the Copy menu. */
  pictureItem(): MenuItem {
    const context = this.#dependencies.context();
    return {
      label: l10n.t("Image"),
      hint: l10n.t("PNG (2×)"),
      disabled: context === null || (context.matrix === null && context.viewExport === null) ? nothingToExport() : null,
      onChoose: () => void this.run(l10n.t("Copying image"), (current) => this.#copyPicture(current)),
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
    text: (context: ExportContext, slices: SliceCallbacks) => string | Promise<string>,
  ): MenuItem {
    const copy = async (current: ExportContext, slices: SliceCallbacks) => {
      await this.#dependencies.copyText(await text(current, slices));
      return l10n.t("Copied: {0}", label);
    };
    return { label, hint, disabled, onChoose: () => void this.run(label, copy) };
  }

  /**
   * Runs one export and shows its progress, result or error on the page.
   * @param work returns the message to show at the end, or null for none
   */
  async run(
    label: string,
    work: (context: ExportContext, slices: SliceCallbacks) => Promise<string | null>,
  ): Promise<void> {
    const context = this.#dependencies.context();
    if (context === null) return;
    const cancellation = new AbortController();
    const update = (change: Partial<Page>) => this.#dependencies.store.update((page) => ({ ...page, ...change }));
    update({ doneMessage: null, errorMessage: null });
    const progress = (fraction: number) => update({ task: { label, fraction, cancel: () => cancellation.abort() } });
    try {
      const done = await work(context, { progress, stopped: () => cancellation.signal.aborted });
      update({ task: null, errorMessage: null, doneMessage: done });
      window.clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => update({ doneMessage: null }), DONE_NOTICE_MS);
    } catch (error) {
      update({ task: null, doneMessage: null, errorMessage: errorMessage(error) });
    }
  }

  async #save(context: ExportContext, kind: FileKind, slices: SliceCallbacks): Promise<string | null> {
    const file = await buildExportFile(context, kind, slices);
    if (file === null) return null;
    // The save dialog stays open as long as the user likes, so progress ends here.
    this.#dependencies.store.update((page) => ({ ...page, task: null }));
    return (await this.#dependencies.save(file.name, file.data)) ? l10n.t("Saved: {0}", file.name) : null;
  }

  async #copyPicture(context: ExportContext): Promise<string> {
    // The browser requires the write to start within the click; the picture itself may resolve later.
    const picture = renderPng(context);
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    } catch (error) {
      await picture;
      const reason = errorMessage(error);
      throw new Error(
        l10n.t("This browser does not allow copying images ({0}). Export the image as a file instead.", reason),
      );
    }
    return l10n.t("Copied: {0}", l10n.t("Image"));
  }
}

function nothingToExport(): string {
  return l10n.t("Nothing to export in this view.");
}

function whyNoNpy({ viewExport }: ExportContext): string | null {
  const words = viewExport?.table.rows.some((row) => row.some((value) => typeof value === "string")) === true;
  return words ? l10n.t("NPY supports only numbers, and this table contains text.") : null;
}

function fileMenuTexts(): Readonly<Record<FileKind, Pick<MenuItem, "label" | "hint">>> {
  return {
    png: { label: "PNG", hint: l10n.t("Image with axes (2×)") },
    svg: { label: "SVG", hint: l10n.t("Text, axes and lines as vectors") },
    csv: { label: "CSV", hint: l10n.t("Visible cells, 17 digits") },
    npy: { label: "NPY", hint: l10n.t("Visible cells, float64, for NumPy") },
    json: { label: "JSON", hint: l10n.t("Visible cells with their parameters") },
  };
}

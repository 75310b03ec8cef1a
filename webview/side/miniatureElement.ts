import * as l10n from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { type ColourMap, valueDomain } from "../../src/core/export/colourMaps.ts";
import type { Miniature } from "../../src/core/export/miniature.ts";
import { formatSignificant, groupDigits } from "../ui/format.ts";
import { paintRaster } from "../ui/rasterImage.ts";
import "./miniatureElement.css";
import { ownValue } from "../../src/core/util/ownValue.ts";

interface MiniatureCell {
  readonly row: number;
  readonly column: number;
}

interface MiniatureProps {
  readonly picture: Miniature;
  readonly map: ColourMap;
  readonly label: string;
  /** Text below the picture. */
  readonly caption: string;
  readonly busy: boolean;
}

/** The readout shows a cell after the pointer has rested on it for this long. */
const READOUT_DELAY_MS = 300;

/**
 * A small matrix on a canvas, one pixel per cell and stretched by the style; masked cells are transparent. Arrow keys
 * and the pointer read single cells; Enter and a click dispatch `open`.
 */
class MiniatureElement extends HTMLElement {
  #props: MiniatureProps | null = null;
  #cell: MiniatureCell | null = null;
  #readoutCell: MiniatureCell | null = null;
  #timer = 0;
  #paintedPicture: unknown;

  set props(props: MiniatureProps) {
    this.#props = props;
    this.#cell = clampToPicture(this.#cell, props.picture);
    this.#readoutCell = clampToPicture(this.#readoutCell, props.picture);
    this.#render();
  }

  connectedCallback(): void {
    this.#render();
  }

  disconnectedCallback(): void {
    window.clearTimeout(this.#timer);
  }

  #render(): void {
    if (this.#props === null || !this.isConnected) return;
    const { picture, map } = this.#props;
    render(this.#content(this.#props), this);
    this.#paint(picture, map);
    this.#placeCrosshair(picture);
  }

  #content({ picture, label, caption, busy }: MiniatureProps): TemplateResult {
    const keyHelp = l10n.t("Use the arrow keys to inspect cells; press Enter to open the panel.");
    return html`<div class="figure" role="figure" aria-label=${label} aria-busy=${busy}>
        <div class="plot" role="application" tabindex="0" aria-label=${l10n.t("Matrix cells")} aria-description=${keyHelp}
          title=${l10n.t("Open in Panel")}
          @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
          @pointermove=${(event: PointerEvent) => this.#onPointerMove(event)}
          @pointerleave=${() => this.#onPointerLeave()}
          @click=${() => this.#open()}>
          <canvas></canvas><i class="cross row" hidden></i><i class="cross column" hidden></i>
        </div>
      </div>
      <p class="reading" role="status" aria-label=${l10n.t("Readout")}>${this.#readoutText(picture) ?? nothing}</p>
      <p class="caption">${caption}</p>`;
  }

  #readoutText(picture: Miniature): string | null {
    const cell = this.#readoutCell;
    if (cell === null) return null;
    const value = picture.values[cell.row * picture.columns.length + cell.column] ?? Number.NaN;
    const valueText = value === Number.NEGATIVE_INFINITY ? l10n.t("masked") : formatSignificant(value, 5);
    const key = picture.columns[cell.column] ?? 0;
    if (picture.view === "table")
      return l10n.t("position {0}, dimension {1}: {2}", groupDigits(cell.row), groupDigits(key), valueText);
    return l10n.t(
      "query {0}, key {1}, distance {2}: {3}",
      groupDigits(cell.row),
      groupDigits(key),
      groupDigits(cell.row - key),
      valueText,
    );
  }

  #paint(picture: Miniature, map: ColourMap): void {
    const canvas = this.querySelector("canvas");
    if (canvas === null || (this.#paintedPicture === picture && canvas.dataset.map === map)) return;
    this.#paintedPicture = picture;
    canvas.dataset.map = map;
    const { values, columns } = picture;
    paintRaster(canvas, { values, columns: columns.length, domain: valueDomain(values) }, map);
  }

  #placeCrosshair({ rows, columns }: Miniature): void {
    const [row, column] = this.querySelectorAll<HTMLElement>(".cross");
    const cell = this.#cell;
    for (const line of [row, column]) if (line !== undefined) line.hidden = cell === null;
    if (cell === null) return;
    // Through CSSOM, because the content security policy forbids style attributes in markup.
    row?.style.setProperty("top", `${((cell.row + 0.5) / rows) * 100}%`);
    column?.style.setProperty("left", `${((cell.column + 0.5) / columns.length) * 100}%`);
  }

  #open(): void {
    this.dispatchEvent(new Event("open"));
  }

  #onKey(event: KeyboardEvent): void {
    const picture = this.#props?.picture;
    if (picture === undefined) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.#open();
      return;
    }
    const step = ownValue(KEY_STEPS, event.key);
    if (step === undefined) return;
    event.preventDefault();
    const by = event.shiftKey ? 10 : 1;
    const from = this.#cell ?? { row: picture.rows >> 1, column: picture.columns.length >> 2 };
    const cell = clampToPicture({ row: from.row + step[0] * by, column: from.column + step[1] * by }, picture);
    this.#moveTo(cell);
    this.#showReadout(cell);
  }

  #onPointerMove({ offsetX, offsetY, currentTarget }: PointerEvent): void {
    const picture = this.#props?.picture;
    if (picture === undefined || !(currentTarget instanceof HTMLElement)) return;
    const row = Math.floor((offsetY / currentTarget.clientHeight) * picture.rows);
    const column = Math.floor((offsetX / currentTarget.clientWidth) * picture.columns.length);
    const cell = clampToPicture({ row, column }, picture);
    this.#moveTo(cell);
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#showReadout(cell), READOUT_DELAY_MS);
  }

  #onPointerLeave(): void {
    window.clearTimeout(this.#timer);
    this.#moveTo(null);
    this.#showReadout(null);
  }

  #moveTo(cell: MiniatureCell | null): void {
    this.#cell = cell;
    if (this.#props !== null) this.#placeCrosshair(this.#props.picture);
  }

  #showReadout(cell: MiniatureCell | null): void {
    this.#readoutCell = cell;
    this.#render();
  }
}

const KEY_STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function clampToPicture(cell: MiniatureCell | null, { rows, columns }: Miniature): MiniatureCell | null {
  if (cell === null) return null;
  const within = (at: number, size: number) => Math.min(size - 1, Math.max(0, at));
  return { row: within(cell.row, rows), column: within(cell.column, columns.length) };
}

export function defineMiniature(): void {
  if (customElements.get("posenc-miniature") === undefined) customElements.define("posenc-miniature", MiniatureElement);
}

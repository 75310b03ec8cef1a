import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { type ColourMap, colourStep, colourTable, valueDomain } from "../../src/core/export/colourMaps.ts";
import type { Miniature } from "../../src/core/export/miniature.ts";
import { grouped, significant } from "../state/format.ts";

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The readout tells of the cell that the pointer rests on, not of all that it passes; in milliseconds. */
const REST = 300;

/**
 * A small matrix on a canvas, one pixel a cell and stretched by the style: masked cells are transparent. Arrow keys
 * and the pointer read single cells; Enter and a click send `open`.
 */
class MiniatureElement extends HTMLElement {
  #picture: Miniature | null = null;
  #map: ColourMap = "viridis";
  #label = "";
  #caption = "";
  #busy = false;
  #cell: Cell | null = null;
  #told: Cell | null = null;
  #timer = 0;
  #painted: unknown;

  set picture(picture: Miniature) {
    if (this.#picture === picture) return;
    this.#picture = picture;
    this.#cell = inside(this.#cell, picture);
    this.#told = inside(this.#told, picture);
    this.#show();
  }

  set map(map: ColourMap) {
    if (this.#map === map) return;
    this.#map = map;
    this.#show();
  }

  set label(label: string) {
    if (this.#label === label) return;
    this.#label = label;
    this.#show();
  }

  /** What a person must know to read the picture. */
  set caption(caption: string) {
    if (this.#caption === caption) return;
    this.#caption = caption;
    this.#show();
  }

  set busy(busy: boolean) {
    if (this.#busy === busy) return;
    this.#busy = busy;
    this.#show();
  }

  connectedCallback(): void {
    this.#show();
  }

  disconnectedCallback(): void {
    window.clearTimeout(this.#timer);
  }

  #show(): void {
    if (this.#picture === null || !this.isConnected) return;
    render(this.#content(), this);
    this.#paint(this.#picture);
    this.#placeCross(this.#picture);
  }

  #content(): TemplateResult {
    const how = t("Use the arrow keys to inspect cells; press Enter to open the panel.");
    return html`<div class="figure" role="figure" aria-label=${this.#label} aria-busy=${this.#busy}>
        <div class="plot" role="application" tabindex="0" aria-label=${t("Matrix cells")} aria-description=${how}
          title=${t("Open in Panel")}
          @keydown=${(event: KeyboardEvent) => this.#press(event)}
          @pointermove=${(event: PointerEvent) => this.#point(event)}
          @pointerleave=${() => this.#leave()}
          @click=${() => this.#open()}>
          <canvas></canvas><i class="cross row" hidden></i><i class="cross column" hidden></i>
        </div>
      </div>
      <p class="reading" role="status" aria-label=${t("Readout")}>${this.#reading() ?? nothing}</p>
      <p class="caption">${this.#caption}</p>`;
  }

  #reading(): string | null {
    const picture = this.#picture;
    const cell = this.#told;
    if (picture === null || cell === null) return null;
    const value = picture.values[cell.row * picture.columns.length + cell.column] ?? Number.NaN;
    const said = value === Number.NEGATIVE_INFINITY ? t("masked") : significant(value, 5);
    const key = picture.columns[cell.column] ?? 0;
    if (picture.view === "table") return t("position {0}, dimension {1}: {2}", grouped(cell.row), grouped(key), said);
    return t("query {0}, key {1}, distance {2}: {3}", grouped(cell.row), grouped(key), grouped(cell.row - key), said);
  }

  #paint(picture: Miniature): void {
    const canvas = this.querySelector("canvas");
    if (canvas === null || (this.#painted === picture && canvas.dataset.map === this.#map)) return;
    this.#painted = picture;
    canvas.dataset.map = this.#map;
    canvas.width = picture.columns.length;
    canvas.height = picture.rows;
    canvas.getContext("2d")?.putImageData(imageOf(picture, this.#map), 0, 0);
  }

  #placeCross({ rows, columns }: Miniature): void {
    const [row, column] = this.querySelectorAll<HTMLElement>(".cross");
    const cell = this.#cell;
    for (const line of [row, column]) if (line !== undefined) line.hidden = cell === null;
    if (cell === null) return;
    // Through CSSOM: the page's policy allows no style attributes in markup.
    row?.style.setProperty("top", `${((cell.row + 0.5) / rows) * 100}%`);
    column?.style.setProperty("left", `${((cell.column + 0.5) / columns.length) * 100}%`);
  }

  #open(): void {
    this.dispatchEvent(new Event("open"));
  }

  #press(event: KeyboardEvent): void {
    const picture = this.#picture;
    if (picture === null) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.#open();
      return;
    }
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const by = event.shiftKey ? 10 : 1;
    const from = this.#cell ?? { row: picture.rows >> 1, column: picture.columns.length >> 2 };
    const cell = inside({ row: from.row + step[0] * by, column: from.column + step[1] * by }, picture);
    this.#moveTo(cell);
    this.#tell(cell);
  }

  #point({ offsetX, offsetY, currentTarget }: PointerEvent): void {
    const picture = this.#picture;
    if (picture === null || !(currentTarget instanceof HTMLElement)) return;
    const row = Math.floor((offsetY / currentTarget.clientHeight) * picture.rows);
    const column = Math.floor((offsetX / currentTarget.clientWidth) * picture.columns.length);
    const cell = inside({ row, column }, picture);
    this.#moveTo(cell);
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#tell(cell), REST);
  }

  #leave(): void {
    window.clearTimeout(this.#timer);
    this.#moveTo(null);
    this.#tell(null);
  }

  #moveTo(cell: Cell | null): void {
    this.#cell = cell;
    if (this.#picture !== null) this.#placeCross(this.#picture);
  }

  #tell(cell: Cell | null): void {
    this.#told = cell;
    this.#show();
  }
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function inside(cell: Cell | null, { rows, columns }: Miniature): Cell | null {
  if (cell === null) return null;
  const within = (at: number, size: number) => Math.min(size - 1, Math.max(0, at));
  return { row: within(cell.row, rows), column: within(cell.column, columns.length) };
}

function imageOf({ values, rows, columns }: Miniature, map: ColourMap): ImageData {
  const image = new ImageData(columns.length, rows);
  const table = colourTable(map);
  const domain = valueDomain(values);
  values.forEach((value, n) => {
    const step = Number.isFinite(value) ? colourStep(value, domain) : -1;
    if (step < 0) return;
    image.data.set([...table.subarray(step * 3, step * 3 + 3), 255], n * 4);
  });
  return image;
}

export function defineMiniature(): void {
  if (customElements.get("posenc-miniature") === undefined) customElements.define("posenc-miniature", MiniatureElement);
}

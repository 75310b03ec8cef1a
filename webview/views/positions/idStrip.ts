import { nothing, render, svg, type TemplateResult } from "lit-html";
import type { Viewport } from "../../matrix/viewport.ts";
import { visibleRange } from "../../matrix/viewport.ts";
import { groupDigits } from "../../ui/format.ts";
import { type IdRow, type IdRows, type IdRun, idRuns, MAX_SCANNED_TOKENS } from "./idRows.ts";

export interface IdStrip {
  readonly ids: IdRows;
  readonly names: readonly string[];
  /** Shown instead of too many runs; null: the first and last id suffice. */
  readonly summary: string | null;
  readonly viewport: Viewport;
  readonly keys: number;
  readonly crosshairKey: number;
}

const ID_ROW_HEIGHT = 20;
const ID_ROW_GAP = 3;
/** Narrower cells show no number of their own. In pixels, like all sizes here. */
const MIN_NUMBERED_CELL_WIDTH = 22;
const ID_CHARACTER_WIDTH = 6.6;
const MAX_DRAWN_RUNS = 600;

interface PlotSpan {
  readonly x: number;
  readonly width: number;
}

/**
 * Rows of position ids, aligned with the columns of the matrix below: the strip takes the plot's position and width.
 */
export class IdStripElement extends HTMLElement {
  #strip: IdStrip | null = null;
  #plot: Element | null = null;
  readonly #resizeObserver = new ResizeObserver(() => this.#render());

  set strip(strip: IdStrip) {
    this.#strip = strip;
    this.#render();
  }

  connectedCallback(): void {
    this.#resizeObserver.observe(this);
    requestAnimationFrame(() => this.#findPlot());
  }

  disconnectedCallback(): void {
    this.#resizeObserver.disconnect();
    this.#plot = null;
  }

  #findPlot(): void {
    const plot = this.closest(".stage")?.querySelector(".plot") ?? null;
    if (plot === null || !this.isConnected) return;
    this.#plot = plot;
    this.#resizeObserver.observe(plot);
    this.#render();
  }

  #render(): void {
    const strip = this.#strip;
    const plot = this.#plot;
    if (strip === null || plot === null) return;
    const stripBox = this.getBoundingClientRect();
    const { left, width } = plot.getBoundingClientRect();
    const height = strip.ids.rows.length * (ID_ROW_HEIGHT + ID_ROW_GAP);
    const rows = strip.ids.rows.map((row, n) => rowSvg(strip, row, n, { x: left - stripBox.left, width }));
    render(
      svg`<svg class="id-strip" aria-hidden="true" width=${Math.max(1, stripBox.width)} height=${height}>${rows}</svg>`,
      this,
    );
  }
}

function rowSvg(strip: IdStrip, row: IdRow, n: number, { x, width }: PlotSpan): TemplateResult {
  const { viewport, keys, crosshairKey, ids } = strip;
  const { from, to } = visibleRange(viewport.column, viewport.columns, keys);
  const scale = width / viewport.columns;
  const toX = (index: number) => Math.min(x + width, Math.max(x, x + (index - viewport.column) * scale));
  const y = n * (ID_ROW_HEIGHT + ID_ROW_GAP);
  const runs = to - from > MAX_SCANNED_TOKENS ? [] : idRuns(ids, row, from, to);
  const perToken = scale >= MIN_NUMBERED_CELL_WIDTH;
  const box = (index: number) => ({ x: toX(index), width: toX(index + 1) - toX(index) });
  return svg`<text class="id-name" x=${x - 8} y=${y + 14} text-anchor="end">${strip.names[n] ?? ""}</text>
    <rect class="frame" x=${x} y=${y} width=${width} height=${ID_ROW_HEIGHT} />
    ${
      runs.length === 0 || runs.length > MAX_DRAWN_RUNS
        ? svg`<text class="id-text" x=${x + width / 2} y=${y + 14} text-anchor="middle">${strip.summary ?? `${groupDigits(row.id(from))} … ${groupDigits(row.id(to - 1))}`}</text>`
        : runs.map((run) => runSvg(run, row, { perToken, y, toX }))
    }
    ${crosshairKey >= from && crosshairKey < to ? svg`<rect class="id-at" x=${box(crosshairKey).x} y=${y} width=${Math.max(1.5, box(crosshairKey).width)} height=${ID_ROW_HEIGHT} />` : nothing}`;
}

interface RunLayout {
  readonly perToken: boolean;
  readonly y: number;
  readonly toX: (index: number) => number;
}

function runSvg(run: IdRun, row: IdRow, { perToken, y, toX }: RunLayout): TemplateResult {
  const left = toX(run.from);
  const width = toX(run.to + 1) - left;
  const tone = run.kind === "text" ? (run.document % 2 === 0 ? "even" : "odd") : run.kind;
  const range =
    run.first === run.last ? groupDigits(run.first) : `${groupDigits(run.first)} … ${groupDigits(run.last)}`;
  const fits = range.length * ID_CHARACTER_WIDTH + 6 < width;
  const firstId = groupDigits(run.first);
  const label = fits ? range : firstId.length * ID_CHARACTER_WIDTH + 4 < width ? firstId : "";
  const indices = perToken ? Array.from({ length: run.to - run.from + 1 }, (_, n) => run.from + n) : [];
  return svg`<rect class=${`id-run ${tone}`} x=${left} y=${y} width=${Math.max(0.5, width)} height=${ID_ROW_HEIGHT} />
    ${
      perToken
        ? indices.map(
            (index) =>
              svg`<text class="id-text" x=${(toX(index) + toX(index + 1)) / 2} y=${y + 14} text-anchor="middle">${row.id(index)}</text>`,
          )
        : svg`<text class="id-text" x=${left + width / 2} y=${y + 14} text-anchor="middle">${label}</text>`
    }`;
}

export function defineIdStrip(): void {
  if (customElements.get("posenc-ids") === undefined) customElements.define("posenc-ids", IdStripElement);
}

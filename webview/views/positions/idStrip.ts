import { nothing, render, svg, type TemplateResult } from "lit-html";
import type { Viewport } from "../../engine/renderer.ts";
import { grouped } from "../../state/format.ts";
import { visibleRange } from "../../state/viewport.ts";
import { type IdRow, type IdRows, type IdRun, idRuns, MOST_TOKENS } from "./model.ts";

export interface Strip {
  readonly ids: IdRows;
  readonly names: readonly string[];
  /** In place of runs that are too many to draw; null: the first and the last id tell it all. */
  readonly summary: string | null;
  readonly viewport: Viewport;
  readonly keys: number;
  /** Key of the crosshair. */
  readonly at: number;
}

const HEIGHT = 20;
const GAP = 3;
/** A cell as narrow as this shows no number of its own. */
const NARROWEST = 22;
const CHARACTER = 6.6;
/** More runs than this are too many to draw. */
const MOST_RUNS = 600;

interface Place {
  readonly x: number;
  readonly width: number;
}

/** Rows of position ids, each over its column of the matrix below: stands where the plot stands, as wide as it is. */
export class IdStripElement extends HTMLElement {
  #strip: Strip | null = null;
  #plot: Element | null = null;
  readonly #sizes = new ResizeObserver(() => this.#draw());

  set strip(strip: Strip) {
    this.#strip = strip;
    this.#draw();
  }

  connectedCallback(): void {
    this.#sizes.observe(this);
    requestAnimationFrame(() => this.#follow());
  }

  disconnectedCallback(): void {
    this.#sizes.disconnect();
    this.#plot = null;
  }

  #follow(): void {
    const plot = this.closest(".stage")?.querySelector(".plot") ?? null;
    if (plot === null || !this.isConnected) return;
    this.#plot = plot;
    this.#sizes.observe(plot);
    this.#draw();
  }

  #draw(): void {
    const strip = this.#strip;
    const plot = this.#plot;
    if (strip === null || plot === null) return;
    const own = this.getBoundingClientRect();
    const { left, width } = plot.getBoundingClientRect();
    const height = strip.ids.rows.length * (HEIGHT + GAP);
    const rows = strip.ids.rows.map((row, n) => rowSvg(strip, row, n, { x: left - own.left, width }));
    render(
      svg`<svg class="id-strip" aria-hidden="true" width=${Math.max(1, own.width)} height=${height}>${rows}</svg>`,
      this,
    );
  }
}

function rowSvg(strip: Strip, row: IdRow, n: number, { x, width }: Place): TemplateResult {
  const { viewport, keys, at, ids } = strip;
  const { from, to } = visibleRange(viewport.column, viewport.columns, keys);
  const scale = width / viewport.columns;
  const place = (index: number) => Math.min(x + width, Math.max(x, x + (index - viewport.column) * scale));
  const y = n * (HEIGHT + GAP);
  const runs = to - from > MOST_TOKENS ? [] : idRuns(ids, row, from, to);
  const each = scale >= NARROWEST;
  const box = (index: number) => ({ x: place(index), width: place(index + 1) - place(index) });
  return svg`<text class="id-name" x=${x - 8} y=${y + 14} text-anchor="end">${strip.names[n] ?? ""}</text>
    <rect class="frame" x=${x} y=${y} width=${width} height=${HEIGHT} />
    ${
      runs.length === 0 || runs.length > MOST_RUNS
        ? svg`<text class="id-text" x=${x + width / 2} y=${y + 14} text-anchor="middle">${strip.summary ?? `${grouped(row.id(from))} … ${grouped(row.id(to - 1))}`}</text>`
        : runs.map((run) => runSvg(run, row, { each, y, place }))
    }
    ${at >= from && at < to ? svg`<rect class="id-at" x=${box(at).x} y=${y} width=${Math.max(1.5, box(at).width)} height=${HEIGHT} />` : nothing}`;
}

interface Pen {
  readonly each: boolean;
  readonly y: number;
  readonly place: (index: number) => number;
}

function runSvg(run: IdRun, row: IdRow, { each, y, place }: Pen): TemplateResult {
  const left = place(run.from);
  const width = place(run.to + 1) - left;
  const tone = run.kind === "text" ? (run.document % 2 === 0 ? "even" : "odd") : run.kind;
  const range = run.first === run.last ? grouped(run.first) : `${grouped(run.first)} … ${grouped(run.last)}`;
  const fits = range.length * CHARACTER + 6 < width;
  const short = grouped(run.first);
  const label = fits ? range : short.length * CHARACTER + 4 < width ? short : "";
  const indices = each ? Array.from({ length: run.to - run.from + 1 }, (_, n) => run.from + n) : [];
  return svg`<rect class=${`id-run ${tone}`} x=${left} y=${y} width=${Math.max(0.5, width)} height=${HEIGHT} />
    ${
      each
        ? indices.map(
            (index) =>
              svg`<text class="id-text" x=${(place(index) + place(index + 1)) / 2} y=${y + 14} text-anchor="middle">${row.id(index)}</text>`,
          )
        : svg`<text class="id-text" x=${left + width / 2} y=${y + 14} text-anchor="middle">${label}</text>`
    }`;
}

export function defineIdStrip(): void {
  if (customElements.get("posenc-ids") === undefined) customElements.define("posenc-ids", IdStripElement);
}

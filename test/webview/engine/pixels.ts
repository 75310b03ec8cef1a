import { type ColourMap, colourTable } from "../../../src/core/export/colourMaps.ts";
import { factorRows, logitMatrix, termMatrix, weightMatrix } from "../../../src/core/terms/engine.ts";
import { isVisible } from "../../../src/core/terms/region.ts";
import type { Attention } from "../../../src/core/terms/term.ts";
import { NAN_COLOUR } from "../../../webview/engine/colouring.ts";
import { createRenderer } from "../../../webview/engine/figureRenderer.ts";
import { normaliserStream } from "../../../webview/engine/normaliserStreams.ts";
import { createCanvas } from "../../../webview/engine/painter.ts";
import { planSource, sourceSize } from "../../../webview/engine/planner.ts";
import type { DrawResult, PictureRequest } from "../../../webview/engine/renderer.ts";
import { isSampled, sampleGrid } from "../../../webview/engine/sampledGrid.ts";
import { runInSlices } from "../../../webview/engine/timeSlicing.ts";
import { acquireContext } from "../../../webview/engine/webgl/context.ts";
import { WebglPainter } from "../../../webview/engine/webgl/webglPainter.ts";
import { madeUpAttentions } from "./madeUp.ts";
import { attentionFor, LOGITS, pictureOf, WEIGHTS } from "./pictures.ts";

/** Expected pixels from the float64 engine and the colour map, without any code of the renderer. */

type Rgb = readonly [number, number, number];

/** Values of one row of cells, memoised: pixels ask for the same ones many times. */
function valueRows({ source }: PictureRequest, columns: readonly number[]): (i: number) => Float64Array {
  const known = new Map<number, Float64Array>();
  const row = (i: number): Float64Array => {
    if (source.kind === "table") return factorRows(source.rows, [i]).filter((_, n) => columns.includes(n));
    const { attention, show } = source;
    if (show.of === "weights") return weightMatrix(attention, [i], columns);
    if (show.of === "logits") return logitMatrix(attention, [i], columns, show.hidden);
    const term = attention.terms.find(({ id }) => id === show.id);
    if (term === undefined) throw new Error(`no term ${show.id}`);
    return termMatrix(attention, term, [i], columns).map((value) => value * term.scale);
  };
  return (i) => {
    const values = known.get(i) ?? row(i);
    known.set(i, values);
    return values;
  };
}

function extent({ source }: PictureRequest): [number, number] {
  return source.kind === "table"
    ? [source.count, source.rows.dim]
    : [source.attention.queryLength, source.attention.keyLength];
}

function isCellVisible(picture: PictureRequest, i: number, j: number): boolean {
  return picture.source.kind === "table" || isVisible(picture.source.attention, i, j);
}

function cellsShown(from: number, count: number, total: number): number[] {
  const first = Math.max(0, Math.floor(from));
  const end = Math.min(total, Math.ceil(from + count));
  return Array.from({ length: Math.max(0, end - first) }, (_, n) => first + n);
}

/** Logarithmic on both sides of zero, from a ten thousandth of the largest value on. */
function signedLog(value: number, reach: number): number {
  return Math.sign(value) * Math.log(1 + Math.abs(value) / (1e-4 * reach));
}

function fractionOf(value: number, [low, high]: readonly [number, number], logarithmic: boolean): number {
  if (high <= low) return 0.5;
  if (logarithmic && low > 0) return Math.log(Math.max(value, low) / low) / Math.log(high / low);
  if (logarithmic) {
    const reach = Math.max(-low, high);
    const from = signedLog(low, reach);
    return (signedLog(value, reach) - from) / (signedLog(high, reach) - from);
  }
  return (value - low) / (high - low);
}

const tables = new Map<ColourMap, Uint8Array>();

function tableOf(map: ColourMap): Uint8Array {
  const table = tables.get(map) ?? colourTable(map);
  tables.set(map, table);
  return table;
}

/** Colours that a pixel may have: two where float32 may fall on either side of a step. */
function allowed(value: number, domain: readonly [number, number], { colouring }: PictureRequest): Rgb[] {
  if (Number.isNaN(value)) return [[...NAN_COLOUR]];
  const table = tableOf(colouring.map);
  const at = fractionOf(value, domain, colouring.scale === "log" || colouring.scale === "rowLog") * 256;
  const step = (x: number) => Math.min(255, Math.max(0, Math.floor(x)));
  return [...new Set([step(at - 0.02), step(at + 0.02)])].map((n) => [
    table[n * 3] ?? 0,
    table[n * 3 + 1] ?? 0,
    table[n * 3 + 2] ?? 0,
  ]);
}

function backgroundOf({ colouring }: PictureRequest): Rgb {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(colouring.background.slice(at, at + 2), 16));
  return [r, g, b];
}

export interface PixelReport {
  readonly by: string;
  readonly sampled: boolean;
  readonly pixels: number;
  /** Pixels too close to an edge to belong to one cell. */
  readonly skipped: number;
  readonly wrong: number;
  readonly first: string | null;
  readonly domain: readonly [number, number];
  readonly expectedDomain: readonly [number, number];
}

function isEdge(position: number): boolean {
  return Math.abs(position - Math.round(position)) < 1e-3;
}

/** Compares every pixel of a drawn picture. */
export function comparePixels(picture: PictureRequest, drawn: DrawResult, image: ImageData): PixelReport {
  const { viewport, width, height } = picture;
  const [rows, columns] = extent(picture);
  const rowCells = cellsShown(viewport.row, viewport.rows, rows);
  const columnCells = cellsShown(viewport.column, viewport.columns, columns);
  const values = valueRows(picture, columnCells);
  const visible = (i: number) =>
    [...values(i)].filter((value, n) => Number.isFinite(value) && isCellVisible(picture, i, columnCells[n] ?? 0));
  const all = rowCells.flatMap(visible);
  const background = backgroundOf(picture);
  let wrong = 0;
  let skipped = 0;
  let first: string | null = null;
  for (let y = 0; y < height; y++) {
    const rowAt = viewport.row + ((y + 0.5) * viewport.rows) / height;
    const i = Math.floor(rowAt);
    const within = i >= 0 && i < rows;
    const byRow = picture.colouring.scale === "row" || picture.colouring.scale === "rowLog";
    const own = within && byRow ? visible(i) : [];
    const domain = byRow ? rowDomain(own, picture) : drawn.domain;
    for (let x = 0; x < width; x++) {
      const columnAt = viewport.column + ((x + 0.5) * viewport.columns) / width;
      const j = Math.floor(columnAt);
      if (isEdge(rowAt) || isEdge(columnAt)) {
        skipped++;
        continue;
      }
      const inside = within && j >= 0 && j < columns && isCellVisible(picture, i, j);
      const value = inside ? (values(i)[j - (columnCells[0] ?? 0)] ?? 0) : 0;
      const colours = inside ? allowed(value, domain, picture) : [background];
      const at = (y * width + x) * 4;
      const got = [...image.data.subarray(at, at + 4)];
      if (colours.some((colour) => colour.every((byte, c) => byte === got[c])) && got[3] === 255) continue;
      wrong++;
      first ??= `pixel ${x}, ${y} of cell ${i}, ${j} (${inside ? value : "background"}) is ${got}, not ${colours.join(" or ")}`;
    }
  }
  const expectedDomain = picture.colouring.domain ?? [Math.min(...all), Math.max(...all)];
  return {
    by: drawn.by,
    sampled: drawn.sampled,
    pixels: width * height,
    skipped,
    wrong,
    first,
    domain: drawn.domain,
    expectedDomain,
  };
}

function rowDomain(values: readonly number[], { source, colouring }: PictureRequest): [number, number] {
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (colouring.scale === "rowLog" && low >= 0 && high > 0) return [Math.max(low, high * 1e-6), high];
  const weights = source.kind === "attention" && source.show.of === "weights";
  return [weights ? 0 : low, high];
}

const nanAttention: Attention = {
  queryLength: 12,
  keyLength: 12,
  deltaOffset: 0,
  mask: {},
  terms: [
    {
      kind: "bias",
      id: "bias",
      role: "position_position",
      name: { en: "bias", zh: "偏置" },
      scale: 1,
      value: (i, j) => (i === j ? Number.NaN : i + j),
    },
  ],
};

const closeUp = { row: 3.3, column: 1.7, rows: 17.5, columns: 21.2 };
const causal = { causal: true };

/** Every way of painting: by diagonal, from blocks, gathered, from cells; scales, maps, margins, masks. */
export const pixelCases: Readonly<Record<string, () => PictureRequest>> = {
  "profile, whole": () => pictureOf(attentionFor("rope", "ones", 40), LOGITS),
  "profile, close": () => pictureOf(attentionFor("rope", "ones", 40, causal), LOGITS, { viewport: closeUp }),
  "profile, every pixel a cell": () =>
    pictureOf(attentionFor("rope", "ones", 300), LOGITS, {
      viewport: { row: 40, column: 20, rows: 160, columns: 200 },
    }),
  "profile, kept first tokens": () =>
    pictureOf(attentionFor("alibi", "ones", 40, { causal: true, window: 9, keepFirst: 3 }), LOGITS),
  "profile, weights": () => pictureOf(attentionFor("alibi", "ones", 40, causal), WEIGHTS, { viewport: closeUp }),
  "profile, difference": () =>
    pictureOf(attentionFor("rope", "ones", 61), LOGITS, { colouring: { map: "difference", domain: [-12, 12] } }),
  product: () => pictureOf(attentionFor("rope", "random", 45), LOGITS, { viewport: closeUp }),
  "product, every pixel a cell": () =>
    pictureOf(attentionFor("rope", "random", 300, causal), LOGITS, {
      viewport: { row: 40, column: 20, rows: 160, columns: 200 },
    }),
  "product, causal": () => pictureOf(attentionFor("rope", "random", 45, causal), LOGITS),
  "product, set domain": () =>
    pictureOf(attentionFor("rope", "random", 45, causal), LOGITS, { colouring: { domain: [-1, 1.5], map: "magma" } }),
  "product, weights": () => pictureOf(attentionFor("alibi", "random", 45, { window: 12 }), WEIGHTS),
  "product, a scale for each row": () =>
    pictureOf(attentionFor("rope", "random", 30, causal), LOGITS, { colouring: { scale: "row" } }),
  "weights, a scale for each row": () =>
    pictureOf(attentionFor("alibi", "random", 30, causal), WEIGHTS, { colouring: { scale: "row", map: "cividis" } }),
  "weights, logarithmic": () =>
    pictureOf(attentionFor("alibi", "random", 30), WEIGHTS, { colouring: { scale: "log", domain: [1e-5, 1] } }),
  "scores on both sides of zero, logarithmic": () =>
    pictureOf(attentionFor("rope", "random", 45, causal), LOGITS, { colouring: { scale: "log" } }),
  "bias below zero, logarithmic": () =>
    pictureOf(attentionFor("alibi", "ones", 45, causal), LOGITS, { colouring: { scale: "log" }, viewport: closeUp }),
  "weights, a logarithmic scale for each row": () =>
    pictureOf(attentionFor("alibi", "random", 30, causal), WEIGHTS, { colouring: { scale: "rowLog" } }),
  "bias by column": () => pictureOf(attentionFor("fire", "ones", 40, causal), LOGITS, { viewport: closeUp }),
  "beyond the edges": () =>
    pictureOf(attentionFor("t5_bias", "ones", 20), LOGITS, {
      viewport: { row: -3.2, column: -1.1, rows: 30, columns: 26 },
    }),
  "product beyond the edges": () =>
    pictureOf(attentionFor("none", "random", 20), LOGITS, {
      viewport: { row: -3.2, column: 4.6, rows: 30, columns: 26 },
    }),
  "every kind of term": () => pictureOf(madeUpAttentions["every kind"] ?? nanAttention, LOGITS, { viewport: closeUp }),
  "one term": () =>
    pictureOf(
      madeUpAttentions["every kind"] ?? nanAttention,
      { of: "term", id: "relative key" },
      { viewport: closeUp },
    ),
  "invalid number": () => pictureOf(nanAttention, LOGITS, { colouring: { domain: [0, 22] } }),
  table: () => ({
    ...pictureOf(nanAttention, LOGITS, { viewport: { row: 2, column: 3, rows: 20, columns: 25 } }),
    source: {
      kind: "table",
      count: 30,
      rows: {
        dim: 32,
        write: (i, out, at) =>
          out.set(
            Array.from({ length: 32 }, (_, c) => Math.sin(i * 0.9 ** c)),
            at,
          ),
      },
    },
  }),
};

export function newHost(): HTMLDivElement {
  const host = document.createElement("div");
  host.style.position = "relative";
  host.style.width = "200px";
  host.style.height = "160px";
  document.body.append(host);
  return host;
}

/** Draws with a renderer, or with the WebGL painter alone, which a renderer does not use for every picture on a software GPU. */
export async function pixelCase(name: string, how: "auto" | "cpu" | "painter"): Promise<PixelReport> {
  const make = pixelCases[name];
  if (make === undefined) throw new Error(`no case ${name}`);
  const host = newHost();
  try {
    return await (how === "painter" ? paintedBy(host, make()) : renderedBy(host, make(), how));
  } finally {
    host.remove();
  }
}

async function renderedBy(host: HTMLElement, picture: PictureRequest, prefer: "auto" | "cpu"): Promise<PixelReport> {
  const renderer = createRenderer(host, { prefer });
  try {
    const drawn = await renderer.draw(picture);
    if (drawn === null) throw new Error("nobody else asked for a picture");
    return comparePixels(picture, drawn, await renderer.pixels());
  } finally {
    renderer.dispose();
  }
}

async function paintedBy(host: HTMLElement, picture: PictureRequest): Promise<PixelReport> {
  const canvas = createCanvas(host, "webgl");
  const gpu = acquireContext(canvas);
  if ("reason" in gpu) throw new Error(gpu.reason);
  const painter = new WebglPainter(canvas, gpu);
  try {
    const { source, viewport, colouring, width, height } = picture;
    const grid = sampleGrid(viewport, sourceSize(source), { width, height });
    const weights = source.kind === "attention" && source.show.of === "weights";
    const slices = { progress: () => undefined, stopped: () => false };
    const normalisers = weights ? await runInSlices(normaliserStream(source.attention, grid.rows), slices) : null;
    const plan = planSource(source, grid, normalisers === null ? {} : { normalisers: normalisers.values });
    const frame = { plan, colouring, width, height };
    const painted = await painter.paint(frame);
    const drawn = { ...painted, sampled: isSampled(grid), estimated: false, coarse: false, milliseconds: 0 };
    return comparePixels(picture, drawn, await painter.pixels(frame));
  } finally {
    painter.dispose();
  }
}

import { encodingById } from "../../../src/core/encodings/index.ts";
import { onesContent } from "../../../src/core/terms/content.ts";
import { factorRows, logitMatrix, maskMatrix, termMatrix, weightMatrix } from "../../../src/core/terms/engine.ts";
import type { PositionTable } from "../../../src/core/terms/scene.ts";
import type { Attention } from "../../../src/core/terms/term.ts";
import { attentionFromSource } from "../../../webview/engine/attentionSource.ts";
import { evaluatePlan } from "../../../webview/engine/evaluatePlan.ts";
import { normaliserStream } from "../../../webview/engine/normaliserStreams.ts";
import { axisIndices } from "../../../webview/engine/plan.ts";
import { planSource, sourceSize } from "../../../webview/engine/planner.ts";
import type { AttentionSource, FigureSource } from "../../../webview/engine/renderer.ts";
import { type SampledGrid, sampleGrid } from "../../../webview/engine/sampledGrid.ts";
import { runInSlices } from "../../../webview/engine/timeSlicing.ts";
import { acquireContext } from "../../../webview/engine/webgl/context.ts";
import { WebglPainter } from "../../../webview/engine/webgl/webglPainter.ts";
import type { Viewport } from "../../../webview/matrix/viewport.ts";
import type { ParityCase } from "./cases.ts";
import { inWorker, manyDraws } from "./endurance.ts";
import { lifecycleTests } from "./lifecycle.ts";
import { madeUpAttentions } from "./madeUp.ts";
import { pixelCase, pixelCases } from "./pixels.ts";

/**
 * The largest error of a view: of weights as it is, of everything else as a share of the row's scale, which is its
 * largest |logit| or |scaled term|.
 */
export interface Parity {
  readonly view: string;
  readonly gpu: number;
  readonly cpu: number;
  readonly cells: number;
}

type Show = Extract<FigureSource, { kind: "attention" }>["show"];

/** The last columns of a position table that are compared. */
const TABLE_COLUMNS = 53;

let painter: WebglPainter | null = null;

function thePainter(): WebglPainter {
  if (painter !== null) return painter;
  const canvas = document.createElement("canvas");
  document.body.append(canvas);
  const gpu = acquireContext(canvas);
  if ("reason" in gpu) throw new Error(gpu.reason);
  painter = new WebglPainter(canvas, gpu);
  return painter;
}

/** Largest |actual − expected| over the visible cells, in units of each row's scale. */
function largestError(got: ArrayLike<number>, wanted: Float64Array, visible: Uint8Array, scales: Float64Array): number {
  const columns = wanted.length / scales.length;
  let error = 0;
  for (let n = 0; n < wanted.length; n++) {
    const off = Math.abs((got[n] ?? Number.NaN) - (wanted[n] ?? 0));
    // NaN is the worst of all.
    if (visible[n] === 1 && !(off === 0)) error = Math.max(error, off / (scales[Math.floor(n / columns)] ?? 0));
  }
  return error;
}

/** Values of the float64 engine for an attention's cells, by view. */
interface Reference {
  readonly visible: Uint8Array;
  readonly views: readonly { readonly view: string; readonly show: Show; readonly values: Float64Array }[];
  /** Each row's largest |logit| or |scaled term|. */
  readonly scales: Float64Array;
}

function referenceOf(attention: Attention, grid: SampledGrid): Reference {
  const rows = axisIndices(grid.rows);
  const columns = axisIndices(grid.columns);
  const visible = maskMatrix(attention, rows, columns);
  const logits = logitMatrix(attention, rows, columns);
  const terms = attention.terms.map((term) => ({
    view: `term ${term.id}`,
    show: { of: "term", id: term.id } as const,
    values: termMatrix(attention, term, rows, columns).map((value) => value * term.scale),
  }));
  const scales = new Float64Array(rows.length);
  for (const values of [logits, ...terms.map((term) => term.values)]) {
    values.forEach((value, n) => {
      const k = Math.floor(n / columns.length);
      if (visible[n] === 1) scales[k] = Math.max(scales[k] ?? 0, Math.abs(value));
    });
  }
  const [first] = attention.terms;
  const hidden = first === undefined ? [] : [first.id];
  return {
    visible,
    scales,
    views: [
      { view: "logits", show: { of: "logits", hidden: [] }, values: logits },
      {
        view: "logits but one term",
        show: { of: "logits", hidden },
        values: logitMatrix(attention, rows, columns, hidden),
      },
      { view: "weights", show: { of: "weights" }, values: weightMatrix(attention, rows, columns) },
      ...terms,
    ],
  };
}

async function normalisersOf(attention: Attention, grid: SampledGrid): Promise<Float64Array> {
  const slices = { progress: () => undefined, stopped: () => false };
  const normalisers = await runInSlices(normaliserStream(attention, grid.rows), slices);
  if (normalisers === null || normalisers.estimated) throw new Error("normalisers are not exact");
  return normalisers.values;
}

async function attentionParity(attention: Attention, viewport: Viewport): Promise<Parity[]> {
  const size = { width: viewport.columns, height: viewport.rows };
  const grid = sampleGrid(viewport, { rows: attention.queryLength, columns: attention.keyLength }, size);
  const { visible, views, scales } = referenceOf(attention, grid);
  const normalisers = await normalisersOf(attention, grid);
  const ones = new Float64Array(scales.length).fill(1);
  return views.map(({ view, show, values }) => {
    const weights = show.of === "weights";
    const plan = planSource({ kind: "attention", attention, show }, grid, weights ? { normalisers } : {});
    const error = (got: ArrayLike<number>) => largestError(got, values, visible, weights ? ones : scales);
    return { view, gpu: error(thePainter().values(plan)), cpu: error(evaluatePlan(plan)), cells: values.length };
  });
}

function tableParity(table: PositionTable, count: number, { row, rows: height }: Viewport): Parity {
  const source = { kind: "table", rows: table.rows, count } as const;
  const width = Math.min(TABLE_COLUMNS, table.rows.dim);
  const place = { row, rows: height, column: table.rows.dim - width, columns: width };
  const grid = sampleGrid(place, sourceSize(source), { width, height });
  const all = factorRows(table.rows, axisIndices(grid.rows));
  const values = new Float64Array(height * width);
  for (let k = 0; k < height; k++) {
    values.set(all.subarray((k + 1) * table.rows.dim - width, (k + 1) * table.rows.dim), k * width);
  }
  const visible = new Uint8Array(values.length).fill(1);
  const scales = Float64Array.from({ length: height }, (_, k) =>
    values.subarray(k * width, (k + 1) * width).reduce((scale, value) => Math.max(scale, Math.abs(value)), 0),
  );
  const plan = planSource(source, grid);
  const error = (got: ArrayLike<number>) => largestError(got, values, visible, scales);
  return { view: "table", gpu: error(thePainter().values(plan)), cpu: error(evaluatePlan(plan)), cells: values.length };
}

function tableOf({ encoding, params, scene }: AttentionSource): PositionTable | undefined {
  return encodingById(encoding)?.positionTable?.(params, { ...scene, content: onesContent });
}

export const engineTests = {
  parity: ({ recipe, viewport }: ParityCase): Promise<Parity[]> =>
    attentionParity(attentionFromSource(recipe), viewport),
  tableParity({ recipe, viewport }: ParityCase): Parity | null {
    const table = tableOf(recipe);
    return table === undefined ? null : tableParity(table, recipe.scene.keyLength, viewport);
  },
  ...lifecycleTests,
  manyDraws,
  inWorker,
  pixelNames: (): string[] => Object.keys(pixelCases),
  pixelCase,
  madeUpNames: (): string[] => Object.keys(madeUpAttentions),
  madeUp(name: string, viewport: Viewport): Promise<Parity[]> {
    const attention = madeUpAttentions[name];
    if (attention === undefined) throw new Error(`no attention ${name}`);
    return attentionParity(attention, viewport);
  },
};

export type EngineTests = typeof engineTests;

Object.assign(window, { engineTests });

import type { Encoding } from "../encodings/encoding.ts";
import { checkParams, pickKnownParams } from "../encodings/support/schema.ts";
import type { Params } from "../spec.ts";
import { onesContent } from "../terms/content.ts";
import { indexRange } from "../terms/engine.ts";
import type { Scene } from "../terms/scene.ts";
import { computeViewMatrix } from "./viewMatrix.ts";

/** Values of a small picture. */
export interface Miniature {
  readonly view: "scores" | "bias" | "table";
  /** [rows][columns.length], row-major; −Infinity where the mask hides the key. */
  readonly values: Float64Array;
  readonly rows: number;
  /** Key positions; for a table, the dimensions shown. */
  readonly columns: readonly number[];
  readonly params: Params;
}

/** Limit on the values computed for a table; a hover must appear immediately. */
const MAX_TABLE_NUMBERS = 500_000;

/** The view that characterises an encoding best. */
function chooseMiniatureView(encoding: Encoding): Miniature["view"] {
  if (encoding.positionTable !== undefined && encoding.classification.actsOn === "input") return "table";
  return encoding.classification.actsOn === "scores" ? "bias" : "scores";
}

/** Dimensions of a table to show. The step is odd, so that alternating sines and cosines both appear. */
function tableColumns(encoding: Encoding, params: Params, scene: Scene, size: number): number[] {
  const dim = encoding.positionTable?.(params, scene).rows.dim ?? 0;
  if (dim * scene.queryLength > MAX_TABLE_NUMBERS) return [];
  const step = Math.floor(dim / size) | 1;
  return indexRange(0, dim, step).slice(0, size);
}

function buildMiniatureScene(encoding: Encoding, params: Params, size: number): Scene {
  const domain = encoding.domain(params);
  const length = domain.kind === "table" ? Math.min(domain.size, size) : size;
  const lengths = { queryLength: length, keyLength: length };
  return { ...lengths, shift: 0, head: 0, centre: length / 2, content: onesContent, inputs: {} };
}

/**
 * The matrix of an encoding over its first positions, with content of ones and causal unless the model is
 * bidirectional.
 * @param given values as read; unknown names are ignored, missing ones are defaults
 * @param size number of positions, or fewer if the encoding has fewer
 * @param window keys that a query sees, including itself; undefined: all keys before it
 * @returns undefined if a value is invalid or the table would take too long
 */
export function computeMiniature(
  encoding: Encoding,
  given: Params,
  size: number,
  window?: number,
): Miniature | undefined {
  const { params, problems } = checkParams(encoding, pickKnownParams(encoding, given));
  if (problems.length > 0) return undefined;
  const scene = buildMiniatureScene(encoding, params, size);
  const view = chooseMiniatureView(encoding);
  const rows = indexRange(0, scene.queryLength);
  const columns = view === "table" ? tableColumns(encoding, params, scene, size) : rows;
  if (columns.length === 0) return undefined;
  const mask = { causal: params.bidirectional !== true, ...(window === undefined ? {} : { window }) };
  const { values } = computeViewMatrix(encoding, params, scene, { mask }, view, rows, columns);
  return { view, values, rows: rows.length, columns, params };
}

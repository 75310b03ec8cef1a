import type { Encoding, Scene } from "../encodings/encoding.ts";
import { checkParams, knownParams } from "../encodings/support/schema.ts";
import { viewMatrix } from "../encodings/support/viewMatrix.ts";
import type { Params } from "../spec.ts";
import { onesContent } from "../terms/content.ts";
import { indexRange } from "../terms/engine.ts";

/** Numbers of a small picture. */
export interface Miniature {
  readonly view: "scores" | "bias" | "table";
  /** [rows][columns.length], row-major; −Infinity where the mask hides the key. */
  readonly values: Float64Array;
  readonly rows: number;
  /** Key positions, or dimensions of a table, which may leave some out. */
  readonly columns: readonly number[];
  readonly params: Params;
}

/** Numbers of table rows beyond which a picture is not worth the wait: a hover has to be there at once. */
const MAX_TABLE_NUMBERS = 500_000;

/** The picture by which an encoding is recognised. */
function viewOf(encoding: Encoding): Miniature["view"] {
  if (encoding.table !== undefined && encoding.classification.acts === "input") return "table";
  return encoding.classification.acts === "scores" ? "bias" : "scores";
}

/** Dimensions shown of a table. The step is odd, so that sines and cosines, which take turns, both appear. */
function tableColumns(encoding: Encoding, params: Params, scene: Scene, size: number): number[] {
  const dim = encoding.table?.(params, scene).rows.dim ?? 0;
  if (dim * scene.queryLength > MAX_TABLE_NUMBERS) return [];
  const step = Math.floor(dim / size) | 1;
  return indexRange(0, dim, step).slice(0, size);
}

function sceneOf(encoding: Encoding, params: Params, size: number): Scene {
  const domain = encoding.domain(params);
  const length = domain.kind === "table" ? Math.min(domain.size, size) : size;
  const lengths = { queryLength: length, keyLength: length };
  return { ...lengths, shift: 0, head: 0, centre: length / 2, content: onesContent, inputs: {} };
}

/**
 * The matrix of an encoding over its first positions with content of ones, causal where the model is.
 * @param given values as they were found; what the encoding does not know is left out, the rest are defaults
 * @param size positions, or fewer where the encoding has fewer
 * @param window keys that a query sees, itself among them; undefined: all before it
 * @returns undefined for values that break a rule, and for pictures that would be too slow
 */
export function miniature(encoding: Encoding, given: Params, size: number, window?: number): Miniature | undefined {
  const { params, problems } = checkParams(encoding, knownParams(encoding, given));
  if (problems.length > 0) return undefined;
  const scene = sceneOf(encoding, params, size);
  const view = viewOf(encoding);
  const rows = indexRange(0, scene.queryLength);
  const columns = view === "table" ? tableColumns(encoding, params, scene, size) : rows;
  if (columns.length === 0) return undefined;
  const mask = { causal: params.bidirectional !== true, ...(window === undefined ? {} : { window }) };
  const { values } = viewMatrix(encoding, params, scene, { mask }, view, rows, columns);
  return { view, values, rows: rows.length, columns, params };
}

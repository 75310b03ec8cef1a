import * as l10n from "@vscode/l10n";
import { buildAttention } from "../encodings/buildAttention.ts";
import type { Encoding } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";
import { factorRows, type Indices, logitMatrix, maskMatrix, termMatrix, weightMatrix } from "../terms/engine.ts";
import type { Scene } from "../terms/scene.ts";
import type { Attention, Mask } from "../terms/term.ts";
import { UserError } from "../util/errors.ts";

/** Values of a view, row-major [rows.length][columns.length]. */
export interface ViewMatrix {
  readonly values: Float64Array;
  readonly columns: number;
}

export interface SoftmaxSettings {
  readonly mask: Mask;
  /** A logit that joins the softmax of each row and is then dropped (gpt-oss sinks). */
  readonly extraLogit?: number;
}

/** `term:ID` additionally selects one scaled term. */
export const MATRIX_VIEWS = ["scores", "attention", "bias", "table"] as const;

/**
 * The matrix of a view in float64.
 * `scores`: Σ scale·term, −Infinity where masked; `attention`: softmax over the whole row; `bias`: all terms but
 * content · content; `table`: position × dimension.
 * @param columns key indices; dimensions for `table` (empty: all)
 * @throws UserError if the encoding does not have the view
 */
export function computeViewMatrix(
  encoding: Encoding,
  params: Params,
  scene: Scene,
  { mask, extraLogit }: SoftmaxSettings,
  view: string,
  rows: Indices,
  columns: Indices,
): ViewMatrix {
  if (view === "table") return computeTableMatrix(encoding, params, scene, rows, columns);
  const attention = buildAttention(encoding, params, scene, mask, extraLogit);
  return { values: computeCells(encoding, attention, view, rows, columns), columns: columns.length };
}

function computeCells(
  encoding: Encoding,
  attention: Attention,
  view: string,
  rows: Indices,
  columns: Indices,
): Float64Array {
  if (view === "attention") return weightMatrix(attention, rows, columns);
  if (view === "scores") return applyMask(attention, logitMatrix(attention, rows, columns), rows, columns);
  if (view === "bias") {
    const content = attention.terms.filter((term) => term.role === "content_content");
    if (content.length === attention.terms.length) throw new UserError(l10n.t("{0} has no bias", encoding.id));
    const hidden = content.map((term) => term.id);
    return applyMask(attention, logitMatrix(attention, rows, columns, hidden), rows, columns);
  }
  const term = attention.terms.find((candidate) => view === `term:${candidate.id}`);
  if (term === undefined) {
    const known = [...MATRIX_VIEWS, ...attention.terms.map((candidate) => `term:${candidate.id}`)].join(", ");
    throw new UserError(l10n.t("unknown view {0}; known: {1}", view, known));
  }
  return termMatrix(attention, term, rows, columns).map((value) => value * term.scale);
}

function applyMask(attention: Attention, values: Float64Array, rows: Indices, columns: Indices): Float64Array {
  const visible = maskMatrix(attention, rows, columns);
  return values.map((value, n) => (visible[n] === 1 ? value : Number.NEGATIVE_INFINITY));
}

function computeTableMatrix(
  encoding: Encoding,
  params: Params,
  scene: Scene,
  rows: Indices,
  columns: Indices,
): ViewMatrix {
  const table = encoding.positionTable?.(params, scene);
  if (table === undefined) throw new UserError(l10n.t("{0} has no position table", encoding.id));
  const { dim } = table.rows;
  const shownColumns = columns.length === 0 ? Array.from({ length: dim }, (_, c) => c) : columns;
  const outside = shownColumns.find((c) => c >= dim);
  if (outside !== undefined)
    throw new UserError(l10n.t("column {0} does not exist: the table has {1} columns", outside, dim));
  const tableRows = factorRows(table.rows, rows);
  const values = new Float64Array(rows.length * shownColumns.length);
  rows.forEach((_, r) => {
    shownColumns.forEach((c, n) => {
      values[r * shownColumns.length + n] = tableRows[r * dim + c] ?? Number.NaN;
    });
  });
  return { values, columns: shownColumns.length };
}

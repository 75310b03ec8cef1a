import { t } from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { factorRows, type Indices, logitMatrix, maskMatrix, termMatrix, weightMatrix } from "../../terms/engine.ts";
import type { Attention, Mask } from "../../terms/term.ts";
import { UserError } from "../../util/errors.ts";
import { attentionOf, type Encoding, type Scene } from "../encoding.ts";

/** Numbers of a view, [rows.length][columns.length], row-major. */
export interface ViewMatrix {
  readonly values: Float64Array;
  readonly columns: number;
}

export interface Softmax {
  readonly mask: Mask;
  /** A logit that joins each row and is dropped (gpt-oss sinks). */
  readonly extraLogit?: number;
}

/** `term:ID` is one scaled term. */
export const MATRIX_VIEWS = ["scores", "attention", "bias", "table"] as const;

/**
 * The matrix that a view draws, in float64.
 * `scores`: Σ scale·term, −Infinity where the mask hides the key; `attention`: its softmax over the whole row;
 * `bias`: what positions add to content · content, all its terms; `table`: position × dimension.
 * @param columns key indices; dimensions for `table` (empty: all of them)
 * @throws UserError for a view that the encoding does not have
 */
export function viewMatrix(
  encoding: Encoding,
  params: Params,
  scene: Scene,
  { mask, extraLogit }: Softmax,
  view: string,
  rows: Indices,
  columns: Indices,
): ViewMatrix {
  if (view === "table") return tableMatrix(encoding, params, scene, rows, columns);
  const attention = attentionOf(encoding, params, scene, mask, extraLogit);
  return { values: cells(encoding, attention, view, rows, columns), columns: columns.length };
}

function cells(encoding: Encoding, attention: Attention, view: string, rows: Indices, columns: Indices): Float64Array {
  if (view === "attention") return weightMatrix(attention, rows, columns);
  if (view === "scores") return masked(attention, logitMatrix(attention, rows, columns), rows, columns);
  if (view === "bias") {
    const content = attention.terms.filter((term) => term.role === "content_content");
    if (content.length === attention.terms.length) throw new UserError(t("{0} has no bias", encoding.id));
    const hidden = content.map((term) => term.id);
    return masked(attention, logitMatrix(attention, rows, columns, hidden), rows, columns);
  }
  const term = attention.terms.find((candidate) => view === `term:${candidate.id}`);
  if (term === undefined) {
    const known = [...MATRIX_VIEWS, ...attention.terms.map((candidate) => `term:${candidate.id}`)].join(", ");
    throw new UserError(t("unknown view {0}; known: {1}", view, known));
  }
  return termMatrix(attention, term, rows, columns).map((value) => value * term.scale);
}

function masked(attention: Attention, values: Float64Array, rows: Indices, columns: Indices): Float64Array {
  const visible = maskMatrix(attention, rows, columns);
  return values.map((value, n) => (visible[n] === 1 ? value : Number.NEGATIVE_INFINITY));
}

function tableMatrix(encoding: Encoding, params: Params, scene: Scene, rows: Indices, columns: Indices): ViewMatrix {
  const table = encoding.table?.(params, scene);
  if (table === undefined) throw new UserError(t("{0} has no position table", encoding.id));
  const { dim } = table.rows;
  const wanted = columns.length === 0 ? Array.from({ length: dim }, (_, c) => c) : columns;
  const outside = wanted.find((c) => c >= dim);
  if (outside !== undefined)
    throw new UserError(t("column {0} does not exist: the table has {1} columns", outside, dim));
  const all = factorRows(table.rows, rows);
  const values = new Float64Array(rows.length * wanted.length);
  rows.forEach((_, r) => {
    wanted.forEach((c, n) => {
      values[r * wanted.length + n] = all[r * dim + c] ?? Number.NaN;
    });
  });
  return { values, columns: wanted.length };
}

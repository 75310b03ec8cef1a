import * as l10n from "@vscode/l10n";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import type { Factor } from "../../../src/core/terms/term.ts";
import type { ComparisonEngine } from "../../engine/comparisonEngine.ts";
import type { FigureSource } from "../../engine/renderer.ts";
import type { MatrixSource } from "../../figure/matrixSource.ts";
import type { ComparedSides } from "../../state/comparison.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import type { View } from "../../views/view.ts";

/** The matrices of a comparison's three figures. */
export interface ComparedMatrices {
  readonly a: MatrixSource;
  readonly b: MatrixSource;
  readonly difference: MatrixSource;
}

/** The first `dim` numbers of each row. */
function firstColumns(rows: Factor, dim: number): Factor {
  if (rows.dim === dim) return rows;
  const whole = new Float64Array(rows.dim);
  return {
    dim,
    write(index, out, offset) {
      rows.write(index, whole, 0);
      out.set(whole.subarray(0, dim), offset);
    },
  };
}

/** Crops tables to the dimensions and positions that both have. */
function cropToCommon(matrix: MatrixSource, other: MatrixSource): MatrixSource {
  const { source, extent } = matrix;
  if (source.kind !== "table") return matrix;
  const columns = Math.min(extent.columns, other.extent.columns);
  const rows = Math.min(extent.rows, other.extent.rows);
  const common: FigureSource = { kind: "table", rows: firstColumns(source.rows, columns), count: rows };
  return { ...matrix, source: common, extent: { rows, columns } };
}

/** The matrices, or why side A is shown alone. */
export type ComparedMatricesResult =
  | { readonly kind: "ready"; readonly matrices: ComparedMatrices }
  | { readonly kind: "blocked"; readonly reason: string };

/** The part of the panel's state that a view's matrices depend on. */
type MatrixSettings = Pick<PanelState, "hiddenTerms" | "sharedColours">;

/** Resolves a view's matrices for both sides and their difference. */
export function resolveComparedMatrices(
  view: View,
  { a, b }: Pick<ComparedSides, "a" | "b">,
  { hiddenTerms, sharedColours }: MatrixSettings,
  engine: ComparisonEngine,
): ComparedMatricesResult {
  const { resolveMatrix } = view;
  if (resolveMatrix === undefined) return { kind: "blocked", reason: whyOnlySideA(view) };
  const reason = view.whyUnavailable(a) ?? whyNotSideB(view, b);
  if (reason !== null) return { kind: "blocked", reason };
  const matrixA = resolveMatrix(a, hiddenTerms);
  const matrixB = resolveMatrix(b, hiddenTerms);
  const sides = { a: cropToCommon(matrixA, matrixB), b: cropToCommon(matrixB, matrixA) };
  const sources = engine.sources(sides.a.source, sides.b.source, sharedColours);
  const difference = { ...sides.a, source: sources.difference, quantity: "A − B", minus: sides.b };
  const matrices = { a: { ...sides.a, source: sources.a }, b: { ...sides.b, source: sources.b }, difference };
  return { kind: "ready", matrices };
}

function whyOnlySideA(view: View): string {
  return l10n.t(
    "{0} shows side A only. Comparison is available in the matrix views, Curves and Frequencies.",
    view.title(),
  );
}

export function whyNotSideB(view: View, b: ResolvedEncoding): string | null {
  const why = view.whyUnavailable(b);
  return why === null ? null : l10n.t("Side B is not available in this view. {0}", why);
}

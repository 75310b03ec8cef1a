import { t } from "@vscode/l10n";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import type { Factor } from "../../../src/core/terms/term.ts";
import type { ComparisonEngine } from "../../engine/comparisonEngine.ts";
import type { FigureSource } from "../../engine/renderer.ts";
import type { MatrixSource } from "../../figure/matrixSource.ts";
import type { Comparison } from "../../state/comparison.ts";
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

/**
 * Resolves a view's matrices for both sides and their difference.
 * @returns a text if the view is unavailable for one of them
 */
export function resolveComparedMatrices(
  view: View,
  { a, b }: Pick<Comparison, "a" | "b">,
  panel: PanelState,
  engine: ComparisonEngine,
): ComparedMatrices | string {
  const [whyA, whyB] = [view.whyUnavailable(a), view.whyUnavailable(b)];
  if (whyA !== null) return whyA;
  if (whyB !== null) return t("Side B is not available in this view. {0}", whyB);
  const matrixA = view.resolveMatrix?.(a, panel);
  const matrixB = view.resolveMatrix?.(b, panel);
  if (matrixA === undefined || matrixB === undefined) return t("{0} does not support matrix comparison.", view.title());
  const sides = { a: cropToCommon(matrixA, matrixB), b: cropToCommon(matrixB, matrixA) };
  const sources = engine.sources(sides.a.source, sides.b.source, panel.sharedColours);
  const difference = { ...sides.a, source: sources.difference, quantity: "A − B", minus: sides.b };
  return { a: { ...sides.a, source: sources.a }, b: { ...sides.b, source: sources.b }, difference };
}

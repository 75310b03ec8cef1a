import { t } from "@vscode/l10n";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import type { Factor } from "../../../src/core/terms/term.ts";
import type { ComparisonEngine } from "../../engine/comparison.ts";
import type { Source } from "../../engine/renderer.ts";
import type { Comparison } from "../../state/comparison.ts";
import type { Subject } from "../../views/subject.ts";
import type { View } from "../../views/view.ts";

/** What the three figures of a comparison show, and the two sides as numbers are read from them. */
export interface ComparedSubjects {
  readonly a: Subject;
  readonly b: Subject;
  readonly difference: Subject;
}

/** The first `dim` numbers of each row. */
function narrowed(rows: Factor, dim: number): Factor {
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

/** Tables are compared over the dimensions and positions that both have. */
function overCommonCells(subject: Subject, other: Subject): Subject {
  const { source, extent } = subject;
  if (source.kind !== "table") return subject;
  const columns = Math.min(extent.columns, other.extent.columns);
  const rows = Math.min(extent.rows, other.extent.rows);
  const common: Source = { kind: "table", rows: narrowed(source.rows, columns), count: rows };
  return { ...subject, source: common, extent: { rows, columns } };
}

/**
 * The subjects of a view for both sides and their difference.
 * @returns a text where the view makes no sense for one of them
 */
export function comparedSubjects(
  view: View,
  { a, b }: Pick<Comparison, "a" | "b">,
  panel: PanelState,
  engine: ComparisonEngine,
): ComparedSubjects | string {
  const [whyA, whyB] = [view.unavailable(a), view.unavailable(b)];
  if (whyA !== null) return whyA;
  if (whyB !== null) return t("Side B is not available in this view. {0}", whyB);
  const own = view.subject?.(a, panel);
  const other = view.subject?.(b, panel);
  if (own === undefined || other === undefined) return t("{0} does not support matrix comparison.", view.title());
  const sides = { a: overCommonCells(own, other), b: overCommonCells(other, own) };
  const sources = engine.sources(sides.a.source, sides.b.source, panel.sharedColours);
  const difference = { ...sides.a, source: sources.difference, quantity: "A − B", minus: sides.b };
  return { a: { ...sides.a, source: sources.a }, b: { ...sides.b, source: sources.b }, difference };
}

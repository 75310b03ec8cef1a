import type { Snapshot } from "../../figure/composeFigure.ts";
import type { MatrixSource } from "../../figure/matrixSource.ts";
import type { ComparedSides } from "../../state/comparison.ts";
import type { Page } from "../../state/page.ts";
import type { PanelEncoding } from "../../state/panelEncoding.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import type { View, ViewExport } from "../../views/view.ts";

/** Everything an export needs from the page. */
export interface ExportContext {
  readonly page: Page;
  readonly panelEncoding: PanelEncoding;
  readonly view: View;
  readonly resolved: ResolvedEncoding;
  /** The view's matrix; null in views that draw something else. */
  readonly matrix: MatrixSource | null;
  /** The exportable drawing of a view without a matrix. */
  readonly viewExport: ViewExport | null;
  /** Both sides, if matrices are compared. */
  readonly comparison: ComparedSides | null;
  readonly snapshot: (scale: number) => Promise<Snapshot | null>;
}

/** Finds the encoding that a matrix belongs to: the panel's own, or a compared side. */
export function findResolved(
  { resolved, comparison }: ExportContext,
  { source }: MatrixSource,
): ResolvedEncoding | null {
  const sides = comparison === null ? [resolved] : [resolved, comparison.a, comparison.b];
  const isOwn = ({ attention, table }: ResolvedEncoding) =>
    source.kind === "attention" ? attention === source.attention : table?.rows === source.rows;
  return sides.find(isOwn) ?? null;
}

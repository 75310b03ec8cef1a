import type { Comparison } from "../../state/comparison.ts";
import type { Page } from "../../state/page.ts";
import type { Model } from "../../state/panelEncoding.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import type { Snapshot } from "../../ui/figure/compose.ts";
import type { Subject } from "../../views/subject.ts";
import type { Exportable, View } from "../../views/view.ts";

/** What is on the page when something is taken out of it. */
export interface Shown {
  readonly page: Page;
  readonly model: Model;
  readonly view: View;
  readonly drawable: Drawable;
  /** The large matrix; null in views that bring their own drawings. */
  readonly subject: Subject | null;
  /** The drawings of such a view. */
  readonly exportable: Exportable | null;
  /** Both sides, where matrices are compared. */
  readonly comparison: Comparison | null;
  readonly snapshot: (scale: number) => Promise<Snapshot | null>;
}

/** Whose numbers a matrix has: the panel's own, or a compared side's. */
export function drawableOf({ drawable, comparison }: Shown, { source }: Subject): Drawable | null {
  const sides = comparison === null ? [drawable] : [drawable, comparison.a, comparison.b];
  const isOwn = ({ attention, table }: Drawable) =>
    source.kind === "attention" ? attention === source.attention : table?.rows === source.rows;
  return sides.find(isOwn) ?? null;
}

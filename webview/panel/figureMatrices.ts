import type { ComparisonEngine } from "../engine/comparisonEngine.ts";
import type { MatrixSource } from "../figure/matrixSource.ts";
import type { ComparedSides, Comparison } from "../state/comparison.ts";
import { memoizeLast } from "../state/memoize.ts";
import type { Page } from "../state/page.ts";
import type { PanelEncoding } from "../state/panelEncoding.ts";
import type { ResolvedEncoding } from "../state/resolvedEncoding.ts";
import { viewById } from "../views/index.ts";
import type { View } from "../views/view.ts";
import { type ComparedMatrices, resolveComparedMatrices, whyNotSideB } from "./compare/comparedMatrices.ts";

/** Input of the middle and right columns. */
export interface FigureContext {
  readonly page: Page;
  readonly panelEncoding: PanelEncoding;
  readonly resolved: ResolvedEncoding;
  readonly comparison: Comparison;
}

/** The matrices that the page's figures show. */
export interface FigureMatrices {
  /** The panel's own matrix; null in views that draw something else or are unavailable. */
  readonly own: MatrixSource | null;
  /** The three figures of a comparison, if they are shown instead. */
  readonly compared: { readonly sides: ComparedSides; readonly matrices: ComparedMatrices } | null;
  /** Why the view shows side A alone although a comparison is on. */
  readonly whyAlone: string | null;
}

/** Creates the resolver of one page. It is called in each frame; matrices stay the same objects while nothing changed. */
export function createMatrixResolver(engine: ComparisonEngine): (context: FigureContext) => FigureMatrices {
  const resolveOwn = memoizeLast((view: View, resolved: ResolvedEncoding, hiddenTerms: readonly string[]) =>
    view.whyUnavailable(resolved) === null ? (view.resolveMatrix?.(resolved, hiddenTerms) ?? null) : null,
  );
  const resolveCompared = memoizeLast(
    (view: View, a: ResolvedEncoding, b: ResolvedEncoding, hiddenTerms: string[], sharedColours: boolean) =>
      resolveComparedMatrices(view, { a, b }, { hiddenTerms, sharedColours }, engine),
  );
  return ({ page, resolved, comparison }) => {
    const { view: viewId, hiddenTerms, sharedColours } = page.panel;
    const view = viewById(viewId);
    const own = resolveOwn(view, resolved, hiddenTerms);
    if (comparison.kind === "off") return { own, compared: null, whyAlone: null };
    if (comparison.kind === "blocked") return { own, compared: null, whyAlone: comparison.reason };
    const { sides } = comparison;
    if (view.drawsBothSides === true) return { own, compared: null, whyAlone: whyNotSideB(view, sides.b) };
    const result = resolveCompared(view, sides.a, sides.b, hiddenTerms, sharedColours);
    if (result.kind === "blocked") return { own, compared: null, whyAlone: result.reason };
    return { own, compared: { sides, matrices: result.matrices }, whyAlone: null };
  };
}

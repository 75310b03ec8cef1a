/** Where the names of a chart's upright rules stand: none over another. */

interface Span {
  readonly from: number;
  readonly to: number;
}

export interface RuleName {
  readonly x: number;
  /** Width of its text. */
  readonly width: number;
}

export interface PlacedName {
  readonly x: number;
  readonly anchor: "start" | "end";
  /** 0 is the uppermost. */
  readonly row: number;
}

const GAP = 5;
const ROWS = 3;

/**
 * Each name on the right of its rule or else on its left, in the first row with room for it.
 * @param plot both ends of the plot, in pixels as everything here
 * @param taken what stands in the first row already
 */
export function placeNames(names: readonly RuleName[], plot: Span, taken: readonly Span[]): PlacedName[] {
  const rows: Span[][] = Array.from({ length: ROWS }, (_, row) => (row === 0 ? [...taken] : []));
  return names.map(({ x, width }) => {
    for (const [row, spans] of rows.entries()) {
      for (const anchor of ["start", "end"] as const) {
        const from = anchor === "start" ? x + GAP : x - GAP - width;
        const span = { from, to: from + width };
        if (span.from < plot.from || span.to > plot.to) continue;
        if (spans.some((other) => span.from < other.to + GAP && other.from < span.to + GAP)) continue;
        spans.push(span);
        return { x: anchor === "start" ? span.from : span.to, anchor, row };
      }
    }
    return { x: plot.from + GAP, anchor: "start", row: ROWS };
  });
}

/** Places the labels of a chart's upright rules without overlap. */

interface PixelSpan {
  readonly from: number;
  readonly to: number;
}

export interface RuleLabel {
  readonly x: number;
  /** Width of the text. */
  readonly width: number;
}

export interface PlacedLabel {
  readonly x: number;
  readonly anchor: "start" | "end";
  /** 0 is the top row. */
  readonly row: number;
}

const LABEL_GAP = 5;
const LABEL_ROWS = 3;

/**
 * Places each label to the right of its rule, else to its left, in the first row with space.
 * @param plot both ends of the plot, in pixels
 * @param taken occupied ranges of the first row
 */
export function placeLabels(names: readonly RuleLabel[], plot: PixelSpan, taken: readonly PixelSpan[]): PlacedLabel[] {
  const rows: PixelSpan[][] = Array.from({ length: LABEL_ROWS }, (_, row) => (row === 0 ? [...taken] : []));
  return names.map(({ x, width }) => {
    for (const [row, spans] of rows.entries()) {
      for (const anchor of ["start", "end"] as const) {
        const from = anchor === "start" ? x + LABEL_GAP : x - LABEL_GAP - width;
        const span = { from, to: from + width };
        if (span.from < plot.from || span.to > plot.to) continue;
        if (spans.some((other) => span.from < other.to + LABEL_GAP && other.from < span.to + LABEL_GAP)) continue;
        spans.push(span);
        return { x: anchor === "start" ? span.from : span.to, anchor, row };
      }
    }
    return { x: plot.from + LABEL_GAP, anchor: "start", row: LABEL_ROWS };
  });
}

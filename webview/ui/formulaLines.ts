/** Where a line of a formula may be broken, as TeX would break it. */

/** One piece of a line, from left to right. */
export interface LinePiece {
  /** The operator, if the piece is one: "=", "+", "(". */
  readonly operator: string | null;
  /** A wide space between two formulas, which vanishes where the line is broken. */
  readonly isSpace: boolean;
  /** Extent on the unbroken line, in pixels. */
  readonly left: number;
  readonly right: number;
}

const RELATIONS_AND_SIGNS = /^[=<>≤≥≈∈→+\u2212-]$/;
const OPENING = /^[([{⌊⌈⟨]$/;
const CLOSING = /^[)\]}⌋⌉⟩]$/;

interface BreakPoint {
  /** The piece that starts the new line. */
  readonly at: number;
  /** 0: between formulas; more, the deeper in brackets. The lowest is best. */
  readonly depth: number;
}

/** A line breaks at wide spaces, before relations and binary signs, and after commas. */
function listBreakPoints(pieces: readonly LinePiece[]): BreakPoint[] {
  const points: BreakPoint[] = [];
  let depth = 1;
  pieces.forEach(({ operator }, at) => {
    const before = pieces[at - 1];
    // After another operator, a sign belongs to its operand: "= −b".
    const isBinary = before !== undefined && (before.operator === null || CLOSING.test(before.operator));
    const breaksBefore = operator !== null && RELATIONS_AND_SIGNS.test(operator) && isBinary;
    if (before?.isSpace === true) points.push({ at, depth: 0 });
    else if (breaksBefore || before?.operator === ",") points.push({ at, depth });
    if (operator !== null && OPENING.test(operator)) depth++;
    if (operator !== null && CLOSING.test(operator)) depth--;
  });
  return points;
}

/** A break that leaves less than this share of the line is taken only if there is no other. */
const MIN_FILLED = 0.3;

/**
 * Breaks a line so that each part is at most `limit` pixels wide if possible, and outside brackets if possible.
 * @param atOperators also within formulas, not only between them
 * @returns indices of the pieces that start a new line, ascending
 */
export function breakLine(pieces: readonly LinePiece[], limit: number, atOperators: boolean): number[] {
  const points = listBreakPoints(pieces).filter(({ depth }) => atOperators || depth === 0);
  const width = (from: number, to: number) => (pieces[to - 1]?.right ?? 0) - (pieces[from]?.left ?? 0);
  const starts: number[] = [];
  let from = 0;
  while (width(from, pieces.length) > limit) {
    const later = points.filter(({ at }) => at > from);
    const fitting = later.filter(({ at }) => width(from, at) <= limit);
    const filling = fitting.filter(({ at }) => width(from, at) >= MIN_FILLED * limit);
    const candidates = filling.length > 0 ? filling : fitting;
    const shallowest = Math.min(...candidates.map(({ depth }) => depth));
    const next = candidates.findLast(({ depth }) => depth === shallowest) ?? later[0];
    if (next === undefined) break;
    starts.push(next.at);
    from = next.at;
  }
  return starts;
}

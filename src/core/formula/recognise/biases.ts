import type { Expr } from "../parse/tree.ts";
import {
  containsDifference,
  differenceOf,
  factorsOf,
  findAll,
  isNumber,
  isPositionLetter,
  keyOf,
  monomialOf,
  numberValue,
  someExpr,
  termsOf,
} from "./algebra.ts";
import type { FormulaFacts, FormulaRecogniser, ReadValue } from "./match.ts";

/** Functions of the distance that are added to scores, and how distances share entries of tables. */

type Found = ReturnType<FormulaRecogniser["recognise"]>;

/** 2^(−8h/n), and 1/2^(8h/n) */
function recogniseSlopes(facts: FormulaFacts): Found {
  const slopes = findAll(facts.sides, (expr) => (expr.kind === "power" && isSlope(expr) ? expr : null));
  const [slope] = slopes;
  if (slope === undefined) return isSlopeList(facts) ? { encoding: "alibi", part: "slopes" } : null;
  const values: ReadValue[] = findAll([slope.exponent], (expr) => {
    const heads = expr.kind === "quotient" ? numberValue(expr.denominator) : null;
    return heads !== null && heads > 1 ? { param: "num_heads", value: heads, from: expr.from, to: expr.to } : null;
  });
  return { encoding: "alibi", part: "slopes", values: values.slice(0, 1) };
}

function isSlope({ base, exponent }: Extract<Expr, { kind: "power" }>): boolean {
  const nested = base.kind === "group" || base.kind === "power" ? base : null;
  if (nested !== null && nested.kind === "power") return isSlope(nested);
  if (!isNumber(base, 2)) return false;
  const [term, ...others] = termsOf(exponent);
  if (term === undefined || others.length > 0) return false;
  const { coefficient, above, below } = monomialOf(term.expr);
  if (below.length === 1) return Math.abs(coefficient) === 8 && above.length <= 1;
  // 2^(−8h/16)
  const heads = term.expr.kind === "quotient" ? numberValue(term.expr.denominator) : null;
  return heads !== null && above.length === 1 && Math.abs(coefficient) * heads === 8;
}

/** 1/2¹, 1/2², …, 1/2⁸ */
function isSlopeList(facts: FormulaFacts): boolean {
  const halves = facts.sides.flatMap((side) => (side.kind === "group" ? side.items : [side]));
  const exponents = halves.flatMap((side) => {
    const { coefficient, above, below } = monomialOf(side);
    return above.length === 0 && below.length === 0 && coefficient > 0 && coefficient < 1
      ? [-Math.log2(coefficient)]
      : [];
  });
  return (
    exponents.length >= 3 &&
    exponents[0] !== undefined &&
    exponents[1] === 2 * exponents[0] &&
    exponents.at(-1) === 8 &&
    facts.sides.some((side) => side.kind === "dots" || exponents.length >= 8)
  );
}

/** m·[−(i−1), …, −2, −1, 0], and the matrix 0; −1 0; −2 −1 0. */
function recogniseDistances(facts: FormulaFacts): Found {
  const lists = findAll(facts.sides, (expr) => (expr.kind === "group" && expr.items.length >= 3 ? expr.items : null));
  const isList = lists.some((items) => {
    const numbers = items.map(numberOrNull);
    return (
      numbers.slice(-3).join() === "-2,-1,0" ||
      (numbers.slice(-2).join() === "-1,0" &&
        items.some((item) => item.kind === "dots") &&
        items.some((item) => item.kind === "sum" && someExpr([item], isPositionLetter)))
    );
  });
  const matrices = findAll(facts.sides, (expr) => (expr.kind === "matrix" && !expr.isCases ? expr.rows : null));
  const isMatrix = matrices.some(isDistanceMatrix);
  return isList || isMatrix ? { encoding: "alibi", part: "bias" } : null;
}

function numberOrNull(expr: Expr): number | null {
  const value = numberValue(expr);
  return value === null ? null : value + 0;
}

/** Rows …, −2, −1, 0 that shift by one; the upper triangle may be missing, masked or mirrored. */
function isDistanceMatrix(rows: readonly (readonly Expr[])[]): boolean {
  if (rows.length < 3) return false;
  let distances = 0;
  for (const [row, entries] of rows.entries()) {
    for (const [column, entry] of entries.entries()) {
      const value = numberValue(entry);
      if (value === null) {
        const { coefficient, above } = monomialOf(entry);
        if (column < row && above.length === 1 && coefficient === column - row) distances++;
        continue;
      }
      if (column > row) continue;
      if (value !== column - row) return entry.kind === "dots";
      distances++;
    }
  }
  return (
    distances >= 6 &&
    rows.some((entries) =>
      entries.some((entry) => (numberValue(entry) ?? 0) === -2 || monomialOf(entry).coefficient === -2),
    )
  );
}

/** q·k − m|i − j|, and −m|i − j| as a bias. */
function recogniseLinear(facts: FormulaFacts): Found {
  for (const term of scoreTerms(facts)) {
    const { coefficient, above: factors, below } = monomialOf(term.expr);
    const above = factors.flatMap(spreadSlope);
    const distances = above.filter(isDistance);
    const others = above.filter((factor) => !isDistance(factor));
    const [slope, ...more] = others;
    if (distances.length !== 1 || below.length > 0 || more.length > 0 || Math.abs(coefficient) !== 1) continue;
    // A slope belongs to a head, not to a pair.
    if (slope?.kind === "symbol" && hasTwoLetters(slope)) continue;
    const isSlopeName = slope?.kind === "symbol" && /^(?:m|s|lambda|alpha|beta|slope|a|gamma|r|w)$/.test(slope.name);
    if (
      isSlopeName &&
      isBiasTerm(term, slope, facts) &&
      (term.isWithContent || term.sign * coefficient < 0 || isReversed(distances[0]))
    )
      return { encoding: "alibi", part: "bias" };
  }
  return hasMatrixOfDistances(facts) ? { encoding: "alibi", part: "bias" } : null;
}

/** QKᵀ/√d + m·D, where D_ij = −(i − j) is written beside it. */
function hasMatrixOfDistances(facts: FormulaFacts): boolean {
  const names = facts.relations.flatMap(({ left, right }) => {
    const [term, ...others] = termsOf(right);
    const isDistance = term !== undefined && others.length === 0 && differenceOf(term.expr) !== null;
    return left.kind === "symbol" && left.sub.length > 0 && (isDistance || differenceOf(right) !== null)
      ? [left.name]
      : [];
  });
  return scoreTerms(facts).some(
    ({ expr, isWithContent }) =>
      isWithContent && factorsOf(expr).some((factor) => factor.kind === "symbol" && names.includes(factor.name)),
  );
}

/** |i − j|, or the word for it. */
function isDistance(expr: Expr): boolean {
  return differenceOf(expr) !== null || (expr.kind === "symbol" && /^dist(?:ance)?$/i.test(expr.name));
}

/** m_h(i − j) is a product. */
function spreadSlope(expr: Expr): readonly Expr[] {
  const isSlope = expr.kind === "apply" && /^(?:m|slope|lambda)$/.test(expr.fn.name) && expr.args.length === 1;
  return isSlope && differenceOf(expr.args[0]) !== null ? [expr.fn, ...expr.args] : [expr];
}

/** j − i: the key first. */
function isReversed(expr: Expr | undefined): boolean {
  const difference = differenceOf(expr);
  return difference !== null && /^(?:j|n|s)$/.test(difference.minuend);
}

/** Alone, −m|i − j| is a bias; other letters may be anything there. */
function isBiasTerm(term: ScoreTerm, slope: Expr, facts: FormulaFacts): boolean {
  return !term.isAlone || facts.isAboutPositions || (slope.kind === "symbol" && slope.name === "m");
}

interface ScoreTerm {
  readonly expr: Expr;
  readonly sign: 1 | -1;
  readonly isWithContent: boolean;
  /** Nothing says what the term is added to. */
  readonly isAlone?: boolean;
}

const BIAS_SIDES = /^(?:b|B|bias|Bias|a|A|m|D|ALiBi|alibi|phi)$/;

/** Terms that are added to q·k, in a score or softmax, and right sides of b_ij = …. */
function scoreTerms(facts: FormulaFacts): readonly ScoreTerm[] {
  const sums = findAll(facts.sides, (expr) => (expr.kind === "sum" && expr.terms.length >= 2 ? expr : null));
  const inSums = sums.flatMap((sum) => {
    const terms = termsOf(sum);
    const isWithContent = terms.some((term) => isContentProduct(term.expr));
    return isWithContent ? terms.map((term): ScoreTerm => ({ ...term, isWithContent: true })) : [];
  });
  const alone = facts.relations.flatMap(({ left, right }) => {
    const name = left.kind === "symbol" ? left.name : left.kind === "apply" ? left.fn.name : "";
    return BIAS_SIDES.test(name) || /bias|alibi/i.test(keyOf(left))
      ? // What is called ALiBi is added to scores, also where the slope is negative.
        termsOf(right).map((term): ScoreTerm => ({ ...term, isWithContent: /alibi/i.test(keyOf(left)) }))
      : [];
  });
  const bare =
    facts.relations.length === 0
      ? facts.sides.flatMap(termsOf).map((term) => ({ ...term, isWithContent: false, isAlone: true }))
      : [];
  return [...inSums, ...alone, ...bare];
}

/** q_i·k_j, q_i k_jᵀ, QKᵀ, perhaps scaled. */
export function isContentProduct(expr: Expr): boolean {
  const { above } = monomialOf(expr);
  const plain = above.map((factor) => (factor.kind === "transpose" ? factor.of : factor));
  const inner = plain
    .flatMap((factor) => (factor.kind === "group" && factor.bracket === "<" ? factor.items : [factor]))
    .map((factor) => (factor.kind === "transpose" ? factor.of : factor));
  const names = inner.flatMap((factor) => (factor.kind === "symbol" ? [factor.name.toLowerCase()] : []));
  if (names.includes("q") && names.includes("k")) return true;
  const [first, second] = [names[0], names.at(-1)];
  return inner.length >= 2 && first === "x" && second === "x";
}

/** −r₁ log(1 + r₂|m − n|), −r₁|m − n|^r₂ */
function recogniseKerple(facts: FormulaFacts): Found {
  const candidates: readonly ScoreTerm[] = [
    ...scoreTerms(facts),
    ...facts.sides.flatMap((side) => termsOf(side).map((term): ScoreTerm => ({ ...term, isWithContent: false }))),
  ];
  for (const { expr, sign } of candidates) {
    const monomial = monomialOf(expr);
    if (monomial.coefficient * sign >= 0 || monomial.below.length > 0) continue;
    const [kernel, ...others] = monomial.above.filter((factor) => containsDifference(factor));
    if (kernel === undefined || others.length > 0 || monomial.above.length !== 2) continue;
    const isLog = kernel.kind === "call" && /^(?:log|ln)$/.test(kernel.name) && isOnePlus(kernel.args[0]);
    const isPower = kernel.kind === "power" && differenceOf(kernel.base) !== null && kernel.exponent.kind === "symbol";
    if (isLog || isPower) return { encoding: "kerple", part: "bias" };
  }
  return null;
}

/** 1 + r|m − n| */
function isOnePlus(expr: Expr | undefined): boolean {
  if (expr === undefined) return false;
  const terms = termsOf(expr);
  return (
    terms.length === 2 &&
    terms.some((term) => isNumber(term.expr, 1)) &&
    terms.some((term) => containsDifference(term.expr))
  );
}

/** f(ψ(i − j)/ψ(max(L, i))) */
function recogniseFire(facts: FormulaFacts): Found {
  const isFire = someExpr(facts.sides, (expr) => {
    if (expr.kind !== "quotient") return false;
    const isSame =
      functionName(expr.numerator) === functionName(expr.denominator) && functionName(expr.numerator) !== "";
    const top = isSame && containsDifference(expr.numerator);
    if (isProgress(expr, facts)) return true;
    const bottom =
      someExpr([expr.denominator], (part) => part.kind === "call" && part.name === "max") ||
      (isSame &&
        someExpr([expr.denominator], isPositionLetter) &&
        !containsDifference(expr.denominator) &&
        facts.isAboutPositions);
    return top && bottom;
  });
  return isFire ? { encoding: "fire", part: "bias" } : null;
}

/** f((i − j)/i): the distance as a part of the query's position. */
function isProgress({ numerator, denominator }: Extract<Expr, { kind: "quotient" }>, facts: FormulaFacts): boolean {
  const difference = differenceOf(numerator);
  return facts.isAboutPositions && difference !== null && keyOf(denominator) === difference.minuend;
}

function functionName(expr: Expr): string {
  const [first] = expr.kind === "sum" ? termsOf(expr).map((term) => term.expr) : [expr];
  if (first?.kind === "apply") return first.fn.name;
  return first?.kind === "call" ? first.name : "";
}

/** ln(x/m)/ln(max/m)·(n − m): logarithmic buckets; with a sign, DeBERTa's. */
function recogniseBuckets(facts: FormulaFacts): Found {
  const quotient = findAll(facts.sides, (expr) => (expr.kind === "quotient" ? expr : null)).find((expr) => {
    const isLogOfRatio = (part: Expr) =>
      part.kind === "call" &&
      /^(?:log|ln)$/.test(part.name) &&
      (part.args[0]?.kind === "quotient" || isQuotientSum(part.args[0]));
    return factorsOf(expr.numerator).some(isLogOfRatio) && factorsOf(expr.denominator).some(isLogOfRatio);
  });
  const isLogDifference = someExpr(facts.sides, (expr) => isBucketName(expr));
  if (quotient === undefined && !isLogDifference) return null;
  const isScaled = someExpr(
    facts.sides,
    (expr) =>
      (expr.kind === "product" && quotient !== undefined && expr.factors.includes(quotient)) ||
      (expr.kind === "group" && (expr.bracket === "floor" || expr.bracket === "ceil")) ||
      (expr.kind === "call" && /^(?:floor|ceil|round|min)$/.test(expr.name)),
  );
  if (!isScaled) return null;
  const isSigned =
    someExpr(facts.sides, (expr) => expr.kind === "call" && /^(?:sgn|sign)$/.test(expr.name)) ||
    someExpr(facts.sides, (expr) => expr.kind === "group" && expr.bracket === "ceil");
  return { encoding: isSigned ? "deberta" : "t5_bias", part: "buckets" };
}

function isQuotientSum(expr: Expr | undefined): boolean {
  return expr?.kind === "quotient";
}

function isBucketName(expr: Expr): boolean {
  return (
    expr.kind === "symbol" && /^(?:num_?buckets|numbuckets|max_?distance|relative_position_bucket)$/i.test(expr.name)
  );
}

/** clip(j − i, −k, k), max(−k, min(k, j − i)) */
function recogniseClip(facts: FormulaFacts): Found {
  const isClip = someExpr(facts.sides, (expr) => {
    if (expr.kind === "call" && /^(?:clip|clamp)$/.test(expr.name))
      return (
        expr.args.length > 0 &&
        containsDifference(expr.args[0] ?? expr) &&
        expr.args[0] !== undefined &&
        differenceOf(expr.args[0]) !== null
      );
    if (expr.kind !== "call" || expr.name !== "max") return false;
    const inner = expr.args.find((arg) => arg.kind === "call" && arg.name === "min");
    return (
      inner?.kind === "call" &&
      inner.args.some((arg) => differenceOf(arg) !== null || (facts.isAboutPositions && isDefinitionOfClip(facts)))
    );
  });
  return isClip ? { encoding: "shaw", part: "relative index" } : null;
}

function isDefinitionOfClip(facts: FormulaFacts): boolean {
  return facts.relations.some(({ left }) => left.kind === "call" && /^(?:clip|clamp)$/.test(left.name));
}

/** δ(i, j) = 0 | 2k − 1 | i − j + k */
function recogniseDebertaIndex(facts: FormulaFacts): Found {
  const isIndex = findAll(facts.sides, (expr) => (expr.kind === "matrix" && expr.isCases ? expr : null)).some(
    (matrix) => {
      const values = matrix.rows.flatMap((row) => row.slice(0, 1));
      const hasLast = values.some((value) => /^\(\+2\*([a-z])-1\)$/.test(keyOf(value)));
      const hasShift = values.some((value) => termsOf(value).length === 3 && containsShiftedDifference(value));
      return hasLast && hasShift;
    },
  );
  return isIndex ? { encoding: "deberta", part: "relative index" } : null;
}

function containsShiftedDifference(expr: Expr): boolean {
  const letters = termsOf(expr).filter((term) => isPositionLetter(term.expr));
  return letters.length === 3 && letters.filter((term) => term.sign < 0).length === 1;
}

/** g_ij = σ(q_i·k_j); p_ij = Σ g_ik; (p − ⌊p⌋)e[⌈p⌉] + … */
function recogniseCope(facts: FormulaFacts): Found {
  const isGate = facts.relations.some(
    ({ left, right }) => left.kind === "symbol" && /^g/.test(left.name) && isSigmoidOfScore(right),
  );
  const isCount = facts.relations.some(
    ({ left, right }) =>
      left.kind === "symbol" &&
      left.name === "p" &&
      hasTwoLetters(left) &&
      right.kind === "big" &&
      ((right.body.kind === "symbol" && right.body.name === "g") || isSigmoidOfScore(right.body)),
  );
  const isInterpolation = someExpr(facts.sides, (expr) => {
    if (expr.kind !== "sum") return false;
    const rounds = (bracket: string) =>
      someExpr(
        [expr],
        (part) =>
          part.kind === "group" &&
          part.bracket === bracket &&
          someExpr(part.items, (inner) => inner.kind === "symbol" && inner.name === "p"),
      );
    return rounds("floor") && rounds("ceil");
  });
  const isLookup = someExpr(facts.sides, isFractionalLookup);
  return isGate || isCount || isInterpolation || isLookup
    ? { encoding: "cope", part: isGate ? "gate" : "encoding" }
    : null;
}

/** e[p_ij]: the vector of a counted position. */
function isFractionalLookup(expr: Expr): boolean {
  if (expr.kind !== "product") return false;
  return expr.factors.some((factor, index) => {
    const table = expr.factors[index - 1];
    const [position, ...others] = factor.kind === "group" && factor.bracket === "[" ? factor.items : [];
    return (
      table?.kind === "symbol" &&
      table.name === "e" &&
      others.length === 0 &&
      position?.kind === "symbol" &&
      position.name === "p" &&
      hasTwoLetters(position)
    );
  });
}

function hasTwoLetters(expr: Extract<Expr, { kind: "symbol" }>): boolean {
  return expr.sub.flatMap(factorsOf).length === 2;
}

function isSigmoidOfScore(expr: Expr): boolean {
  if (expr.kind === "call") return expr.name === "sigmoid" && expr.args.some(isContentProduct);
  return expr.kind === "apply" && expr.fn.name === "sigma" && expr.args.some(isContentProduct);
}

/** sign(Δx)·log(1 + |Δx|), B(Δx, Δy) = G(Δx, Δy) */
function recogniseSwin2(facts: FormulaFacts): Found {
  const hasDelta = someExpr(facts.sides, (expr) => expr.kind === "symbol" && expr.name === "Delta");
  const isLogCoordinate = someExpr(facts.sides, (expr) => {
    const factors = expr.kind === "product" ? factorsOf(expr) : [];
    return (
      factors.some((factor) => factor.kind === "call" && /^(?:sgn|sign)$/.test(factor.name)) &&
      factors.some((factor) => factor.kind === "call" && /^(?:log|ln)$/.test(factor.name))
    );
  });
  const isNetwork = facts.relations.some(
    ({ left, right }) =>
      left.kind === "apply" &&
      /^B$/.test(left.fn.name) &&
      (right.kind === "apply" || (right.kind === "call" && right.name === "MLP")),
  );
  const isCosine = someExpr(
    facts.sides,
    (expr) =>
      expr.kind === "sum" &&
      /cos\(q|cos\(\(q/.test(keyOf(expr)) &&
      expr.terms.some((term) => term.expr.kind === "symbol" && term.expr.name === "B"),
  );
  return (hasDelta && (isLogCoordinate || isNetwork)) || isCosine ? { encoding: "swinv2_cpb", part: "bias" } : null;
}

export const BIAS_RECOGNISERS: readonly FormulaRecogniser[] = [
  { id: "formula/slopes", recognise: recogniseSlopes },
  { id: "formula/distances", recognise: recogniseDistances },
  { id: "formula/fire", recognise: recogniseFire },
  { id: "formula/kerple", recognise: recogniseKerple },
  { id: "formula/linear-bias", recognise: recogniseLinear },
  { id: "formula/log-coordinates", recognise: recogniseSwin2 },
  { id: "formula/buckets", recognise: recogniseBuckets },
  { id: "formula/clip", recognise: recogniseClip },
  { id: "formula/deberta-index", recognise: recogniseDebertaIndex },
  { id: "formula/gates", recognise: recogniseCope },
];

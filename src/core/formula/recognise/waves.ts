import type { CallExpr, Expr } from "../parse/tree.ts";
import { differenceOf, findAll, isPositionLetter, keyOf, monomialOf, someExpr, termsOf } from "./algebra.ts";
import { type Frequency, frequencyOf } from "./frequency.ts";
import type { FormulaFacts, FormulaRecogniser, ReadValue } from "./match.ts";

/** Sines and cosines of positions: sinusoidal tables, and the frequencies that they share with RoPE. */

type Found = ReturnType<FormulaRecogniser["recognise"]>;

/** A sine or cosine of position times frequency. */
export interface Wave {
  readonly call: CallExpr;
  /** The letters that count positions: m, or m − n. */
  readonly positions: readonly string[];
  /** The frequency, if it is written out. */
  readonly frequency: Frequency | null;
  /** The letter of the frequency: θ_i. */
  readonly letter: string | null;
  /** The frequency has an index, or is written out. */
  readonly isIndexed: boolean;
}

const FREQUENCY_LETTERS: ReadonlySet<string> = new Set([
  "theta",
  "Theta",
  "omega",
  "phi",
  "freq",
  "w",
  "f",
  "inv",
  "alpha",
]);

export function waveOf(expr: Expr): Wave | null {
  if (expr.kind !== "call" || (expr.name !== "sin" && expr.name !== "cos") || expr.power !== null) return null;
  const [argument] = expr.args;
  if (argument === undefined) return null;
  const angle = readAngle(argument);
  return angle === null ? null : { call: expr, ...angle };
}

/** Position × frequency; null for all other angles. */
export function readAngle(argument: Expr): Omit<Wave, "call"> | null {
  if (argument.kind === "apply" && FREQUENCY_LETTERS.has(argument.fn.name)) {
    // ω_k(t + φ)
    const positions = argument.args.flatMap(positionLetters);
    if (positions.length === 0 || positions.length !== argument.args.length * positions.length) return null;
    return { positions, frequency: null, letter: argument.fn.name, isIndexed: argument.fn.sub.length > 0 };
  }
  const { above, below } = monomialOf(argument);
  const inverse = below.map(frequencyOf).find((found) => found !== null) ?? null;
  const direct = above.map(frequencyOf).find((found) => found !== null) ?? null;
  const frequency = direct ?? inverse;
  const rest = above.filter((factor) => factor !== direct?.expr && !isNamedFrequency(factor));
  const letterFactor = above.find(isNamedFrequency) ?? below.find(isNamedFrequency);
  const letter = letterFactor?.kind === "symbol" ? letterFactor : null;
  if (frequency === null && letter === null) return null;
  if (below.some((factor) => factor !== inverse?.expr && factor !== letterFactor)) return null;
  const positions = rest.flatMap(positionLetters);
  if (positions.length === 0 || rest.some((factor) => positionLetters(factor).length === 0)) return null;
  return {
    positions,
    frequency,
    letter: letter?.name ?? null,
    isIndexed: frequency !== null || (letter?.sub.length ?? 0) > 0,
  };
}

function isNamedFrequency(expr: Expr): boolean {
  return expr.kind === "symbol" && FREQUENCY_LETTERS.has(expr.name);
}

/** m, p_x, pos, m − n, m + 1; empty for anything else. */
function positionLetters(expr: Expr): readonly string[] {
  if (expr.kind === "symbol" && (isPositionLetter(expr) || /^(?:p|pos)$/.test(expr.name))) return [keyOf(expr)];
  const difference = differenceOf(expr);
  if (difference !== null) return [`${difference.minuend}-${difference.subtrahend}`];
  const terms = termsOf(expr).filter((term) => term.expr.kind !== "number");
  if (
    expr.kind === "sum" &&
    terms.length > 0 &&
    terms.every(
      (term) =>
        isPositionLetter(term.expr) || (term.expr.kind === "symbol" && /^(?:phi|delta|Delta)$/.test(term.expr.name)),
    )
  )
    return [keyOf(expr)];
  return [];
}

/** Values that a frequency gives: base, and dimension if it is a number. */
export function frequencyValues(
  frequency: Frequency | null,
  param: "base" | "rope_theta",
  dimension?: string,
): readonly ReadValue[] {
  if (frequency === null) return [];
  const { base, baseExpr } = frequency;
  const values: ReadValue[] =
    base === null || base < 2 ? [] : [{ param, value: base, from: baseExpr.from, to: baseExpr.to }];
  if (frequency.dimension !== null && dimension !== undefined)
    values.push({ param: dimension, value: frequency.dimension, from: frequency.expr.from, to: frequency.expr.to });
  return values;
}

const TABLE_NAMES = /^(?:p|P|PE|pe|Pe|E|TE|PosEnc|Pos|pos|encoding|PEnc|phi|e|t|s|gamma|f|R|u)$/;

function isTableSide(left: Expr): boolean {
  const fn = left.kind === "apply" ? left.fn : left.kind === "call" ? null : left;
  if (left.kind === "call") return /^PE$/i.test(left.name);
  return fn?.kind === "symbol" && TABLE_NAMES.test(fn.name);
}

function isPositionTableSide(left: Expr): boolean {
  const fn = left.kind === "apply" ? left.fn : left;
  return fn.kind === "symbol" && /^(?:p|P|PE|pe|Pe|TE|PosEnc|PEnc|Pos|pos)$/.test(fn.name);
}

const AXES: ReadonlySet<string> = new Set(["x", "y", "h", "w", "r", "c", "row", "col"]);

function isTwoDimensional(waves: readonly Wave[]): boolean {
  const letters = new Set(
    waves.flatMap((wave) => wave.positions).map((letter) => letter.replace(/^pos_\{|^p_\{|\}$/g, "")),
  );
  return letters.size === 2 && [...letters].every((letter) => AXES.has(letter));
}

/** The sinusoidal table in every form that writes its frequency out, or names its table. */
function recogniseSinusoid(facts: FormulaFacts): Found {
  const waves = findAll(facts.sides, waveOf);
  if (waves.length === 0) return null;
  const written = waves.find((wave) => wave.frequency !== null);
  const isTable =
    facts.relations.some(({ left }) => isPositionTableSide(left)) &&
    waves.some((wave) => wave.letter !== null || wave.frequency !== null);
  const isIndexedTable = isTable && waves.every((wave) => wave.isIndexed);
  if (written === undefined && (!isIndexedTable || hasAmplitude(facts))) return null;
  if (rotatesVectors(facts)) return null;
  if (isTwoDimensional(waves))
    return { encoding: "sincos_2d", part: "table", values: frequencyValues(written?.frequency ?? null, "base") };
  if (written !== undefined && !isTable && facts.relations.some(({ left }) => !isTableSide(left) && isRotarySide(left)))
    return null;
  return {
    encoding: "sinusoidal",
    part: "table",
    values: frequencyValues(written?.frequency ?? null, "base", "hidden_size"),
  };
}

/** A_k sin ω_k t: an oscillation. Entries of a table have no amplitude. */
function hasAmplitude(facts: FormulaFacts): boolean {
  const products = findAll(facts.sides, (expr) => (expr.kind === "product" ? expr.factors : null));
  return products.some(
    (factors) =>
      factors.some((factor) => waveOf(factor) !== null) &&
      factors.some((factor) => factor.kind === "symbol" && factor.sub.length > 0),
  );
}

function isRotarySide(left: Expr): boolean {
  return left.kind === "symbol" && /^(?:R|q|k)$/.test(left.name);
}

/** Waves multiply entries of vectors: a rotation, not a table. */
function rotatesVectors(facts: FormulaFacts): boolean {
  return someExpr(facts.sides, (expr) => {
    if (expr.kind !== "product") return false;
    const hasWave = expr.factors.some(
      (factor) =>
        waveOf(factor) !== null || (factor.kind === "matrix" && someExpr([factor], (part) => waveOf(part) !== null)),
    );
    return (
      hasWave &&
      expr.factors.some(
        (factor) =>
          (factor.kind === "symbol" && /^[xqkz]$/.test(factor.name)) ||
          (factor.kind === "matrix" && !someExpr([factor], (part) => waveOf(part) !== null)),
      )
    );
  });
}

/** Rows of sines and cosines: [sin ω_1 t, cos ω_1 t, …]. */
function recogniseWaveList(facts: FormulaFacts): Found {
  const lists = findAll(facts.sides, (expr) =>
    expr.kind === "matrix" ? expr.rows.flat() : expr.kind === "group" && expr.items.length > 1 ? expr.items : null,
  );
  for (const list of lists) {
    const waves = list.flatMap((item) => waveOf(item) ?? []);
    const isAlternating =
      waves.some((wave) => wave.call.name === "sin") && waves.some((wave) => wave.call.name === "cos");
    const letters = new Set(waves.flatMap((wave) => wave.positions));
    const isIndexed = waves.length >= 2 && waves.every((wave) => wave.isIndexed);
    const others = list.filter(
      (item) => item.kind !== "dots" && item.kind !== "text" && waveOf(item) === null && item.kind !== "relation",
    );
    const isCases = list.some((item) => item.kind === "relation" || item.kind === "text");
    if (
      isAlternating &&
      isIndexed &&
      letters.size === 1 &&
      (others.length === 0 || isCases) &&
      (facts.isAboutPositions || isTableName(facts)) &&
      !rotatesVectors(facts)
    )
      return { encoding: "sinusoidal", part: "table" };
  }
  return null;
}

function isTableName(facts: FormulaFacts): boolean {
  return facts.relations.some(({ left }) => isTableSide(left));
}

/** PE_{pos+k} = A(k) PE_pos */
function recogniseShift(facts: FormulaFacts): Found {
  const isShift = facts.relations.some(({ left, right }) => {
    if (left.kind !== "symbol" || !/^PE$/.test(left.name) || left.sub[0]?.kind !== "sum" || right.kind !== "product")
      return false;
    return right.factors.some((factor) => factor.kind === "symbol" && factor.name === left.name);
  });
  return isShift ? { encoding: "sinusoidal", part: "table" } : null;
}

/** Inner products of sinusoids: Σ cos(ω_k (p − q)). */
function recogniseWaveSum(facts: FormulaFacts): Found {
  const sums = findAll(facts.sides, (expr) => (expr.kind === "big" && expr.operator === "sum" ? expr : null));
  for (const sum of sums) {
    const all = findAll([sum.body], waveOf);
    // PE_pos · PE_{pos+k} = Σ cos ω_i k
    const isOfTables = facts.relations.some(
      ({ left }) => left.kind === "product" && left.factors.length === 2 && left.factors.every(isPositionTableSide),
    );
    const [wave] = isOfTables ? all : all.filter(({ positions }) => positions.some((letter) => letter.includes("-")));
    if (wave === undefined || wave.call.name !== "cos" || !wave.isIndexed) continue;
    if (
      isOfTables ||
      facts.relations.some(({ left }) =>
        someExpr([left], (part) => part.kind === "symbol" && /^(?:PE|p|P)$/.test(part.name)),
      )
    )
      return { encoding: "sinusoidal", part: "table", values: frequencyValues(wave.frequency, "base") };
    if (wave.frequency !== null)
      return { encoding: "sandwich", part: "bias", values: frequencyValues(wave.frequency, "base") };
    if (facts.isAboutPositions && facts.prefersRotary) return { encoding: "rope", part: "rotation" };
  }
  return null;
}

/** θ of h(θ_d). */
function argumentNames(args: readonly Expr[]): readonly string[] {
  return args.flatMap((arg) => (arg.kind === "symbol" ? [arg.name] : []));
}

const FREQUENCY_SIDES = /^(?:theta|Theta|omega|freq|freqs|inv|w|inv_freq|invfreq|inverse_frequency)$/;

/** θ_i = base^(−2i/d), and its wavelength 2π·base^(2i/d). */
function recogniseFrequencies(facts: FormulaFacts): Found {
  const frequencies = findAll(facts.sides, frequencyOf);
  const [frequency] = frequencies;
  if (frequency === undefined) return null;
  const names = facts.relations.flatMap(({ left }) =>
    left.kind === "symbol" ? [left.name] : left.kind === "apply" ? [left.fn.name, ...argumentNames(left.args)] : [],
  );
  const isNamed = names.some((name) => FREQUENCY_SIDES.test(name));
  const isWavelength =
    (names.includes("lambda") || names.includes("r")) &&
    someExpr(facts.sides, (expr) => expr.kind === "symbol" && expr.name === "pi");
  const isSinusoid = !facts.prefersRotary && facts.isAboutPositions && !isOfRotation(facts, frequency, names);
  const isLone = facts.relations.length === 0 && facts.sides.length === 1 && (frequency.base ?? 0) >= 1000;
  if (!isNamed && !isWavelength && !isLone && !(facts.relations.length > 0 && frequency.base === 10_000)) return null;
  const isTable =
    isSinusoid ||
    (isLone && !frequency.isNegative && !facts.prefersRotary && !isWavelength) ||
    names.some((name) => /^div|^denom/.test(name));
  if (isTable)
    return {
      encoding: "sinusoidal",
      part: "inverse frequencies",
      values: frequencyValues(frequency, "base", "hidden_size"),
    };
  return {
    encoding: "rope",
    part: "inverse frequencies",
    values: frequencyValues(frequency, "rope_theta", "head_dim"),
  };
}

/** Names that only rotations use: θ_i, inv_freq, and the base as rope_theta or base. */
function isOfRotation(facts: FormulaFacts, { expr, baseExpr }: Frequency, names: readonly string[]): boolean {
  const isRotaryName = names.some((name) => /^(?:theta|inv_?freq)$/i.test(name));
  const isRotaryBase = baseExpr.kind === "symbol" && /^(?:base|theta|rope_?\w*|theta_base)$/i.test(baseExpr.name);
  // Rotations act on heads, tables on the model's dimension.
  const isOfHead = someExpr(
    [expr],
    (part) => part.kind === "symbol" && /^d/.test(part.name) && /head|rot|rope/i.test(keyOf(part)),
  );
  const hasTheta = someExpr(facts.sides, (part) => part.kind === "symbol" && part.name === "theta");
  return isRotaryName || isRotaryBase || isOfHead || hasTheta;
}

export const WAVE_RECOGNISERS: readonly FormulaRecogniser[] = [
  { id: "formula/sum-of-cosines", recognise: recogniseWaveSum },
  { id: "formula/sinusoid", recognise: recogniseSinusoid },
  { id: "formula/sinusoid-shift", recognise: recogniseShift },
  { id: "formula/sinusoid-list", recognise: recogniseWaveList },
  { id: "formula/frequencies", recognise: recogniseFrequencies },
];

import type { RopeScaling } from "../../python/recognise/recognition.ts";
import type { Expr } from "../parse/tree.ts";
import {
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
import { frequencyOf, isDimension } from "./frequency.ts";
import type { FormulaFacts, FormulaRecogniser, ReadValue } from "./match.ts";

/** Changes of RoPE for longer contexts. */

type Found = ReturnType<FormulaRecogniser["recognise"]>;

function scaling(ropeType: RopeScaling, values: readonly ReadValue[] = []): Found {
  return { encoding: "rope", part: "scaling", ropeType, values };
}

/** b' = b·s^(d/(d−2)); with a length in the factor it is dynamic. */
function recogniseNtk(facts: FormulaFacts): Found {
  const powers = findAll(facts.sides, (expr) =>
    expr.kind === "power" && isNtkExponent(expr.exponent) && isFactorLike(expr.base) ? expr : null,
  );
  const [power] = powers;
  if (power === undefined) return isNtkCondition(facts) || isNtkAngle(facts) ? scaling("ntk") : null;
  // θ(…)^x reads like a function of what is in parentheses.
  const base = power.base.kind === "apply" ? (power.base.args[0] ?? power.base) : power.base;
  const isDynamic =
    termsOf(base).length >= 2 || someExpr([base], (expr) => expr.kind === "call" && expr.name === "max");
  const factor = numberValue(base);
  const values = findAll(facts.sides, (expr) => (expr.kind === "number" && expr.value >= 1000 ? expr : null));
  const [original] = values;
  const read: ReadValue[] =
    original === undefined
      ? []
      : [{ param: "rope_theta", value: original.value, from: original.from, to: original.to }];
  if (factor !== null && factor > 1)
    read.push({ param: "factor", value: factor, from: power.base.from, to: power.base.to });
  return scaling(isDynamic ? "dynamic" : "ntk", read);
}

/** θ·s^(−2i/(d−2)) */
function isNtkAngle(facts: FormulaFacts): boolean {
  const isScale = (expr: Expr): boolean => {
    if (expr.kind !== "power" || !isFactor(expr.base)) return false;
    const { coefficient, above, below } = monomialOf(expr.exponent);
    const [dimension, ...others] = below;
    if (Math.abs(coefficient) !== 2 || above.length !== 1 || dimension === undefined || others.length > 0) return false;
    const [first, second] = termsOf(dimension);
    return (
      first !== undefined &&
      second !== undefined &&
      second.sign < 0 &&
      isNumber(second.expr, 2) &&
      isDimension(first.expr)
    );
  };
  return someExpr(
    facts.sides,
    (expr) =>
      expr.kind === "product" &&
      expr.factors.some(isScale) &&
      expr.factors.some((factor) => isTheta(factor) || frequencyOf(factor) !== null),
  );
}

/** Not a norm or a function of space, which have such powers in analysis. */
function isFactorLike(base: Expr): boolean {
  return base.kind !== "group" || base.bracket === "(";
}

/** b'^((d−2)/d) = s·b^((d−2)/d): the condition that the formula for b' solves. */
function isNtkCondition(facts: FormulaFacts): boolean {
  const hasNewBase = someExpr(facts.sides, (expr) => expr.kind === "symbol" && expr.accent === "prime");
  return (
    hasNewBase &&
    someExpr(facts.sides, (expr) => {
      if (expr.kind !== "power" || expr.exponent.kind !== "quotient") return false;
      const { numerator, denominator } = expr.exponent;
      return isNtkExponent({ ...expr.exponent, numerator: denominator, denominator: numerator });
    })
  );
}

/** d/(d − 2), |D|/(|D| − 2), 64/62 */
function isNtkExponent(exponent: Expr): boolean {
  if (exponent.kind !== "quotient") return false;
  const top = exponent.numerator;
  const bottom = termsOf(exponent.denominator);
  const above = numberValue(top);
  const below = numberValue(exponent.denominator);
  if (above !== null && below !== null) return above - below === 2 && above >= 32;
  const [first, second, ...others] = bottom;
  if (first === undefined || second === undefined || others.length > 0) return false;
  return second.sign < 0 && isNumber(second.expr, 2) && keyOf(first.expr) === keyOf(top) && isDimension(top);
}

/** 0.1·ln(s) + 1: YaRN's temperature. */
function recogniseTemperature(facts: FormulaFacts): Found {
  const isTemperature = someExpr(facts.sides, (expr) => {
    const terms = expr.kind === "sum" ? termsOf(expr) : [];
    if (terms.length !== 2 || terms.some((term) => term.sign < 0) || !terms.some((term) => isNumber(term.expr, 1)))
      return false;
    return terms.some((term) => {
      const { coefficient, above } = monomialOf(term.expr);
      const hasLog = above.some((factor) => factor.kind === "call" && /^(?:ln|log)$/.test(factor.name));
      return hasLog && Math.abs(coefficient - 0.1) < 1e-9;
    });
  });
  return isTemperature || hasTemperature(facts) ? scaling("yarn") : null;
}

/** softmax(q·k/(t√d)), in a text about rotations. */
function hasTemperature(facts: FormulaFacts): boolean {
  if (!facts.isAboutPositions || !facts.prefersRotary) return false;
  return someExpr(facts.sides, (expr) => {
    if (expr.kind !== "quotient") return false;
    const below = factorsOf(expr.denominator);
    const isT = (factor: Expr) => factor.kind === "symbol" && factor.name === "t";
    return (
      below.length === 2 && below.some(isT) && below.some((factor) => factor.kind === "call" && factor.name === "sqrt")
    );
  });
}

/** √(1 + ln s / ln L): LongRoPE's factor. */
function recogniseLongropeFactor(facts: FormulaFacts): Found {
  const isFactor = someExpr(facts.sides, (expr) => {
    if (expr.kind !== "call" || expr.name !== "sqrt") return false;
    const terms = termsOf(expr.args[0] ?? expr);
    return (
      terms.length === 2 &&
      terms.some((term) => isNumber(term.expr, 1)) &&
      terms.some(
        (term) => term.expr.kind === "quotient" && hasLog(term.expr.numerator) && hasLog(term.expr.denominator),
      )
    );
  });
  return isFactor ? scaling("longrope") : null;
}

function hasLog(expr: Expr): boolean {
  return expr.kind === "call" && /^(?:ln|log|lg)$/.test(expr.name);
}

const isTheta = (expr: Expr): boolean =>
  expr.kind === "symbol" && /^(?:theta|omega|lambda|freq|inv_freq|Theta)$/.test(expr.name);

/** f_interp, f_extrap: YaRN's two frequencies by their names in code. */
function isNamedFrequency(expr: Expr): boolean {
  return expr.kind === "symbol" && /(?:interp|extrap)/i.test([expr.name, ...expr.sub.map(keyOf)].join(" "));
}

/** (1 − γ)·θ/s + γ·θ: frequencies between two scalings. Llama 3 and YaRN differ in what γ is computed from. */
function recogniseBlend(facts: FormulaFacts): Found {
  const isBlend = someExpr(facts.sides, (expr) => {
    if (expr.kind !== "sum" || expr.terms.length !== 2) return false;
    const [first, second] = expr.terms.map((term) => factorsOf(term.expr));
    if (first === undefined || second === undefined) return false;
    return isComplement(first, second) || isComplement(second, first);
  });
  const hasFrequency = someExpr(facts.sides, (expr) => isTheta(expr) || isNamedFrequency(expr));
  return isBlend && hasFrequency
    ? scaling(isLlama3(facts) ? "llama3" : "yarn", facts.sides.flatMap(factorValues).slice(0, 1))
    : null;
}

/** One term has the factor 1 − γ, the other γ; one of them is divided. */
function isComplement(complement: readonly Expr[], plain: readonly Expr[]): boolean {
  for (const factor of complement) {
    const terms = termsOf(factor);
    const [one, gamma] = terms;
    if (terms.length !== 2 || one === undefined || gamma === undefined || !isNumber(one.expr, 1) || gamma.sign > 0)
      continue;
    const key = keyOf(gamma.expr);
    const isPlain = plain.some((other) => keyOf(other) === key);
    const others = [...complement, ...plain].filter((other) => other !== factor);
    const hasAngle = someExpr(others, (part) => isTheta(part) || isNamedFrequency(part));
    if (isPlain && hasAngle) return true;
  }
  return false;
}

/** low_freq_factor, high_freq_factor; (L/λ − low)/(high − low) */
function isLlama3(facts: FormulaFacts): boolean {
  return someExpr(facts.sides, (expr) => {
    if (expr.kind === "symbol")
      return (
        /(?:low|high)[_-]?freq/i.test(expr.name) ||
        (/^(?:f|beta|alpha|c|l)$/.test(expr.name) && expr.sub.some((sub) => /^(?:low|high)/i.test(keyOf(sub))))
      );
    return false;
  });
}

/** γ(r) = 0 | (r − α)/(β − α) | 1: YaRN's ramp; cases of θ and θ/s by wavelength: Llama 3. */
function recogniseRamp(facts: FormulaFacts): Found {
  const cases = findAll(facts.sides, (expr) => (expr.kind === "matrix" && expr.isCases ? expr : null));
  for (const matrix of cases) {
    const entries = matrix.rows.flat();
    const hasRamp = someExpr(entries, isRampQuotient);
    const values = matrix.rows.flatMap((row) => row.slice(0, 1));
    const hasAngles = values.filter((value) => someExpr([value], isTheta)).length >= 2;
    const isDivided = values.some((value) => value.kind === "quotient" && someExpr([value.numerator], isTheta));
    // Llama 3 chooses by wavelength, YaRN by the number of full rotations.
    const factor = values.flatMap(factorValues).slice(0, 1);
    if (hasAngles && isDivided) return scaling(isLlama3(facts) || isByWavelength(entries) ? "llama3" : "yarn", factor);
    if (isByWavelength(entries) && isDividedCase(values)) return scaling("llama3", factor);
    const isUnit = values.some((value) => isNumber(value, 0)) && values.some((value) => isNumber(value, 1));
    const isOfRatio = facts.relations.some(({ left }) =>
      someExpr([left], (part) => part.kind === "symbol" && /^(?:gamma|ramp|r)$/.test(part.name)),
    );
    if (hasRamp && isUnit && isOfRatio) return scaling(isLlama3(facts) ? "llama3" : "yarn");
  }
  return recogniseSmoothing(facts);
}

/** f | f/s: one case is the other divided by a factor, whatever the frequency's letter. */
function isDividedCase(values: readonly Expr[]): boolean {
  const plain = new Set(values.map(keyOf));
  return values.some(
    (value) => value.kind === "quotient" && isFactor(value.denominator) && plain.has(keyOf(value.numerator)),
  );
}

function isByWavelength(entries: readonly Expr[]): boolean {
  return someExpr(
    entries,
    (expr) => expr.kind === "relation" && someExpr([expr], (part) => part.kind === "symbol" && part.name === "lambda"),
  );
}

/** (r − α)/(β − α) */
function isRampQuotient(expr: Expr): boolean {
  if (expr.kind !== "quotient") return false;
  const top = termsOf(expr.numerator);
  const bottom = termsOf(expr.denominator);
  const low = top[1];
  const lowAgain = bottom[1];
  if (top.length !== 2 || bottom.length !== 2 || low === undefined || lowAgain === undefined) return false;
  return low.sign < 0 && lowAgain.sign < 0 && keyOf(low.expr) === keyOf(lowAgain.expr);
}

/** s = (L/λ − low)/(high − low) */
function recogniseSmoothing(facts: FormulaFacts): Found {
  if (isClampedRamp(facts)) return scaling(isLlama3(facts) ? "llama3" : "yarn");
  const isSmooth = someExpr(facts.sides, (expr) => {
    if (expr.kind !== "quotient" || !isRampQuotient(expr)) return false;
    const [ratio] = termsOf(expr.numerator);
    return (
      ratio?.expr.kind === "quotient" &&
      someExpr([ratio.expr.denominator], (part) => part.kind === "symbol" && part.name === "lambda")
    );
  });
  const isNamed = someExpr(facts.sides, (expr) => expr.kind === "symbol" && /^(?:low|high)_freq_/.test(expr.name));
  if (isSmooth || isNamed) return scaling("llama3");
  return isCorrection(facts) ? scaling("yarn") : null;
}

/** γ = clip((r − α)/(β − α), 0, 1) */
function isClampedRamp(facts: FormulaFacts): boolean {
  const isRamp = facts.relations.some(({ left }) =>
    someExpr([left], (part) => part.kind === "symbol" && /^(?:gamma|ramp)$/.test(part.name)),
  );
  return (
    isRamp &&
    someExpr(
      facts.sides,
      (expr) =>
        expr.kind === "call" && /^(?:clip|clamp|min|max)$/.test(expr.name) && someExpr(expr.args, isRampQuotient),
    )
  );
}

/** d·ln(L/(2πβ)) / (2 ln b) */
function isCorrection(facts: FormulaFacts): boolean {
  return someExpr(facts.sides, (expr) => {
    if (expr.kind !== "quotient") return false;
    const top = factorsOf(expr.numerator);
    const bottom = factorsOf(expr.denominator);
    const isPi = (part: Expr) => part.kind === "symbol" && part.name === "pi";
    return (
      top.some((factor) => hasLog(factor) && someExpr([factor], isPi)) &&
      bottom.some(hasLog) &&
      top.some((factor) => isDimension(factor) || factor.kind === "number")
    );
  });
}

/** f'(x, m) = f(x, mL/L'), m' = m/s, θ' = θ/s */
function recogniseInterpolation(facts: FormulaFacts): Found {
  if (someExpr(facts.sides, isDividedRotation)) return scaling("linear");
  for (const { left, right } of facts.relations) {
    const isNewPosition =
      facts.isAboutPositions &&
      left.kind === "symbol" &&
      left.accent === "prime" &&
      right.kind === "quotient" &&
      isPositionLetter(right.numerator) &&
      right.numerator.kind === "symbol" &&
      right.numerator.name === left.name &&
      isFactor(right.denominator);
    if (isNewPosition) return scaling("linear", factorValues(right));
    if (isScaledArgument(left, right)) return scaling("linear", factorValues(right));
    const isLength = isPositionRatio(right) && left.kind === "symbol" && /^[mpintk]|pos/.test(left.name);
    if (isLength) return scaling("linear");
    const isDividedAngle =
      isTheta(left) &&
      left.kind === "symbol" &&
      isAccented(left) &&
      right.kind === "quotient" &&
      isTheta(right.numerator) &&
      isFactor(right.denominator) &&
      isFrequency(right, facts);
    if (isDividedAngle) return scaling(isRescale(right) ? "longrope" : "linear", factorValues(right));
    const isDividedPosition =
      left.kind === "apply" &&
      left.fn.name === "g" &&
      right.kind === "quotient" &&
      keyOf(right.numerator) === keyOf(left.args[0] ?? left) &&
      isFactor(right.denominator);
    if (isDividedPosition) return scaling("linear", factorValues(right));
  }
  return null;
}

/** θ_i/2 is a frequency; θ/2 may be any angle that is halved. */
function isFrequency({ numerator, denominator }: Extract<Expr, { kind: "quotient" }>, facts: FormulaFacts): boolean {
  const isIndexed = numerator.kind === "symbol" && numerator.sub.length > 0;
  return isIndexed || denominator.kind !== "number" || (facts.isAboutPositions && facts.prefersRotary);
}

/** q e^{i(m/s)θ} */
function isDividedRotation(expr: Expr): boolean {
  if (expr.kind !== "power" || expr.base.kind !== "symbol" || expr.base.name !== "e") return false;
  const { above, below } = monomialOf(expr.exponent);
  return above.some(isTheta) && above.some(isPositionLetter) && below.length === 1 && below.every(isFactor);
}

function isAccented(expr: Extract<Expr, { kind: "symbol" }>): boolean {
  return expr.accent !== "" || expr.sup.length > 0 || expr.sub.some((sub) => /new|scaled|interp/i.test(keyOf(sub)));
}

function isFactor(expr: Expr): boolean {
  return (
    (expr.kind === "symbol" && /^(?:s|alpha|factor|lambda|kappa|scale|k)$/.test(expr.name)) ||
    (expr.kind === "number" && expr.value > 1)
  );
}

function isRescale(expr: Extract<Expr, { kind: "quotient" }>): boolean {
  return expr.denominator.kind === "symbol" && expr.denominator.name === "lambda" && expr.denominator.sub.length > 0;
}

function factorValues(expr: Expr): ReadValue[] {
  const [found] = findAll([expr], (part) =>
    part.kind === "quotient" && part.denominator.kind === "number" ? part.denominator : null,
  );
  return found?.kind === "number" && found.value > 1
    ? [{ param: "factor", value: found.value, from: found.from, to: found.to }]
    : [];
}

/** The same function with an argument that is scaled by lengths or a factor: f(x, mL/L'), also f(x, mL/L', θ_d). */
function isScaledArgument(left: Expr, right: Expr): boolean {
  const plain = left.kind === "apply" || left.kind === "call" ? left.args : [];
  if (plain.length < 2) return false;
  const calls = findAll([right], (expr) => (expr.kind === "apply" || expr.kind === "call" ? expr : null));
  return calls.some((call) => {
    if (callName(call) !== callName(left)) return false;
    // Read from the end: functions may have further arguments before.
    return plain.slice(1).some((position, index) => {
      const argument = call.args[index + 1 + call.args.length - plain.length];
      return argument !== undefined && isScaledPosition(argument, position);
    });
  });
}

function isScaledPosition(argument: Expr, position: Expr): boolean {
  const { above, below } = monomialOf(argument);
  const hasPosition = above.some((factor) => keyOf(factor) === keyOf(position));
  return hasPosition && below.length > 0 && (isPositionRatio(argument) || below.every(isFactor));
}

function callName(expr: Expr): string {
  if (expr.kind === "apply") return expr.fn.name;
  return expr.kind === "call" ? expr.name : "";
}

/** m·L/L' */
function isPositionRatio(expr: Expr): boolean {
  const { above, below } = monomialOf(expr);
  const isLength = (factor: Expr) => factor.kind === "symbol" && /^(?:L|l|N|T|max_len)$/.test(factor.name);
  return (
    above.length === 2 &&
    below.length === 1 &&
    above.some(isLength) &&
    below.some(isLength) &&
    above.some((factor) => factor.kind === "symbol" && /^(?:[mpintk]|pos)$/.test(factor.name))
  );
}

/** s = max(1, l'/L) */
function recogniseDynamicFactor(facts: FormulaFacts): Found {
  if (!facts.isAboutPositions) return null;
  for (const { left, right } of facts.relations) {
    if (left.kind !== "symbol" || !/^(?:s|alpha|factor|scale)$/.test(left.name)) continue;
    const isMax =
      right.kind === "call" &&
      right.name === "max" &&
      right.args.some((arg) => isNumber(arg, 1)) &&
      right.args.some((arg) => isLengthRatio(arg));
    if (isMax) return scaling("dynamic");
    if (isLengthRatio(right)) return scaling("linear");
  }
  return null;
}

function isLengthRatio(expr: Expr): boolean {
  const isLength = (part: Expr) => part.kind === "symbol" && /^(?:L|l)$/.test(part.name);
  return expr.kind === "quotient" && isLength(expr.numerator) && isLength(expr.denominator);
}

/** n/(λ_i β^i): LongRoPE's rescaled angle. */
function recogniseRescale(facts: FormulaFacts): Found {
  const isRescaled = someExpr(facts.sides, (expr) => {
    const below = monomialOf(expr).below;
    const hasFactor = below.some(
      (factor) => factor.kind === "symbol" && factor.name === "lambda" && factor.sub.length > 0,
    );
    return (
      hasFactor &&
      below.some(
        (factor) =>
          (factor.kind === "power" || factor.kind === "symbol") &&
          someExpr([factor], (part) => part.kind === "symbol" && /^(?:beta|theta|base)$/.test(part.name)),
      )
    );
  });
  return isRescaled &&
    (facts.isAboutPositions || someExpr(facts.sides, (expr) => expr.kind === "call" && /^(?:cos|sin)$/.test(expr.name)))
    ? scaling("longrope")
    : null;
}

export const SCALING_RECOGNISERS: readonly FormulaRecogniser[] = [
  { id: "formula/ntk", recognise: recogniseNtk },
  { id: "formula/yarn-temperature", recognise: recogniseTemperature },
  { id: "formula/longrope-factor", recognise: recogniseLongropeFactor },
  { id: "formula/blend", recognise: recogniseBlend },
  { id: "formula/ramp", recognise: recogniseRamp },
  { id: "formula/rescaled-angle", recognise: recogniseRescale },
  { id: "formula/interpolation", recognise: recogniseInterpolation },
  { id: "formula/dynamic-factor", recognise: recogniseDynamicFactor },
];

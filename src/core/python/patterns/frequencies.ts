import {
  type CallExpr,
  type Expr,
  isNumberLiteral,
  keywordArgument,
  lastName,
  positionalArguments,
} from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { argumentsAfterOperand, operandOf } from "./calls.ts";
import { type Factors, factorise, findDefinition, undoHalving } from "./factors.ts";
import type { RoleResolver } from "./roleResolver.ts";
import type { FrequencyRole, ScopedExpression, ValueRole } from "./valueRole.ts";

const RANGE_FUNCTIONS = new Set(["arange", "range", "xrange", "iota", "linspace"]);

/** `arange(0, d, 2)`, `tf.range(n)`, `np.linspace(…)`. */
export function matchRange(expr: Expr, scope: Scope): ValueRole | null {
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee);
  if (name === null || !RANGE_FUNCTIONS.has(name)) return null;
  const args = positionalArguments(expr);
  const stop = keywordArgument(expr, "end", "stop", "limit") ?? (args.length > 1 ? args[1] : args[0]);
  const step = keywordArgument(expr, "step", "delta") ?? args[2];
  const stepIsTwo = name !== "linspace" && (isNumberLiteral(step, 2) || isNumberLiteral(step, -2));
  const isUnitInterval = name === "linspace";
  const count = isUnitInterval ? (keywordArgument(expr, "steps", "num") ?? args[2]) : stop;
  return {
    kind: "range",
    stop: count == null ? null : { expr: count, scope },
    step: stepIsTwo ? 2 : 1,
    isUnitInterval,
  };
}

/** a ** b, pow(a, b), exp(b · log a): base, exponent and its sign. */
interface Power {
  readonly base: ScopedExpression;
  readonly exponent: Factors;
  readonly isExponential: boolean;
}

const POWER_FUNCTIONS = new Set(["pow", "power", "float_power"]);

export function matchPower(expr: Expr, scope: Scope, roles: RoleResolver): Power | null {
  if (expr.kind === "binary" && expr.op === "**") return buildPower(expr.left, expr.right, scope, roles);
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee);
  if (name !== null && POWER_FUNCTIONS.has(name)) {
    const base = operandOf(expr);
    const exponent = argumentsAfterOperand(expr)[0] ?? keywordArgument(expr, "exponent", "exp", "y");
    return base === null || exponent == null ? null : buildPower(base, exponent, scope, roles);
  }
  return name === "exp" || name === "exp2" ? matchExponential(expr, scope, roles) : null;
}

function buildPower(base: Expr, exponent: Expr, scope: Scope, roles: RoleResolver): Power {
  if (base.kind === "binary" && base.op === "/" && isNumberLiteral(base.left, 1)) {
    const factors = factorise(exponent, scope, roles);
    return {
      base: { expr: base.right, scope },
      exponent: { ...factors, sign: factors.sign === 1 ? -1 : 1 },
      isExponential: false,
    };
  }
  return { base: { expr: base, scope }, exponent: factorise(exponent, scope, roles), isExponential: false };
}

function matchExponential(expr: CallExpr, scope: Scope, roles: RoleResolver): Power | null {
  const operand = operandOf(expr);
  if (operand === null) return null;
  const factors = factorise(operand, scope, roles);
  const index = factors.numerator.findIndex((factor) => logArgument(factor.expr) !== null);
  const logarithm = factors.numerator[index];
  const base = logarithm === undefined ? null : logArgument(logarithm.expr);
  if (logarithm === undefined || base === null) return null;
  const numerator = factors.numerator.filter((_, at) => at !== index);
  return { base: { expr: base, scope: logarithm.scope }, exponent: { ...factors, numerator }, isExponential: true };
}

/** The argument of a logarithm. */
export function logArgument(expr: Expr): Expr | null {
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee);
  return name === "log" || name === "ln" || name === "log2" ? operandOf(expr) : null;
}

/** base ** (±arange(0, d, 2) / d) in its many forms. */
export function matchFrequencies(expr: Expr, scope: Scope, roles: RoleResolver): FrequencyRole | null {
  if (expr.kind === "call" && lastName(expr.callee) === "reciprocal")
    return invertFrequencies(operandOf(expr), scope, roles);
  const power = matchPower(expr, scope, roles);
  if (power !== null)
    return (
      frequenciesFromPower(power, { expr, scope }, roles) ??
      (isNumberLiteral(powerExponent(expr), -1) ? invertFrequencies(power.base.expr, scope, roles) : null)
    );
  if (expr.kind === "binary") return frequenciesFromBinary(expr, scope, roles);
  return expr.kind === "call" && CHOICE_FUNCTIONS.has(lastName(expr.callee) ?? "")
    ? frequenciesFromChoice(expr, scope, roles)
    : null;
}

const CHOICE_FUNCTIONS = new Set(["where", "lerp", "select"]);

function powerExponent(expr: Expr): Expr | null {
  return expr.kind === "binary" ? expr.right : null;
}

function invertFrequencies(expr: Expr | null, scope: Scope, roles: RoleResolver): FrequencyRole | null {
  const role = expr === null ? null : roles.resolve(expr, scope);
  if (role?.kind === "wavelengths") return { ...role, kind: "frequencies" };
  return role?.kind === "frequencies" ? { ...role, kind: "wavelengths" } : null;
}

function frequenciesFromPower(power: Power, origin: ScopedExpression, roles: RoleResolver): FrequencyRole | null {
  const ranges = power.exponent.numerator
    .map((factor) => roles.resolve(factor.expr, factor.scope))
    .filter((role) => role?.kind === "range");
  const range = ranges[0] ?? matchPairIndex(power.exponent);
  if (range?.kind !== "range" || (power.exponent.denominator.length === 0 && !range.isUnitInterval)) return null;
  if (!isPlausibleBase(power.base, roles)) return null;
  const { sign, numerator, denominator, halved } = power.exponent;
  const twice = numerator.some((factor) => isNumberLiteral(factor.expr, 2)) || halved;
  const wholeStop = range.stop === null ? null : undoHalvingThroughNames(range.stop);
  const stopIsWhole = range.step === 2 || halved;
  const stop = stopIsWhole ? range.stop : wholeStop;
  return {
    kind: sign < 0 ? "frequencies" : "wavelengths",
    base: power.base,
    dim: stop ?? denominator[0] ?? null,
    dimIsHalf: stop !== null && !stopIsWhole && stop === range.stop,
    factor: null,
    isDistinctive: range.step === 2 || twice || (wholeStop !== null && wholeStop !== range.stop),
    isExponential: power.isExponential,
    origin,
  };
}

/** 2 · (i // 2): the index of a pair, wherever i comes from. */
function matchPairIndex(exponent: Factors): ValueRole | null {
  return exponent.halved && exponent.numerator.some((factor) => isNumberLiteral(factor.expr, 2))
    ? { kind: "range", stop: null, step: 1, isUnitInterval: false }
    : null;
}

/** d if the code counts to d // 2, directly or by a name for it. */
function undoHalvingThroughNames(stop: ScopedExpression): ScopedExpression {
  const direct = undoHalving(stop.expr);
  if (direct !== stop.expr) return { expr: direct, scope: stop.scope };
  const definition = findDefinition(stop.expr, stop.scope);
  if (definition === null) return stop;
  const whole = undoHalving(definition.expr);
  return whole === definition.expr ? stop : { expr: whole, scope: definition.scope };
}

/** A base is unknown or at least 20; smaller numbers occur in halvings and slopes. */
function isPlausibleBase(base: ScopedExpression, roles: RoleResolver): boolean {
  const { expr } = base;
  if (expr.kind === "number") return expr.value >= 20;
  const role = roles.resolve(expr, base.scope);
  return role === null || role.kind === "slopes" ? !roles.isTooSmallForBase(expr, base.scope) && role === null : false;
}

function frequenciesFromBinary(
  expr: Extract<Expr, { kind: "binary" }>,
  scope: Scope,
  roles: RoleResolver,
): FrequencyRole | null {
  const left = roles.resolve(expr.left, scope);
  const right = roles.resolve(expr.right, scope);
  if (expr.op === "/" && right?.kind === "wavelengths" && roles.isScalar(expr.left, scope)) {
    return isNumberLiteral(expr.left, 1)
      ? { ...right, kind: "frequencies", origin: { expr, scope } }
      : { ...right, kind: "frequencies" };
  }
  if (expr.op === "/" && isFrequencies(left) && roles.isScalar(expr.right, scope))
    return { ...left, factor: { expr: expr.right, scope } };
  if (expr.op === "*" && isFrequencies(left) && roles.isScalar(expr.right, scope))
    return divideByFactor(left, expr.right, scope);
  if (expr.op === "*" && isFrequencies(right) && roles.isScalar(expr.left, scope))
    return divideByFactor(right, expr.left, scope);
  if ((expr.op === "+" || expr.op === "-") && isFrequencies(left) && isFrequencies(right))
    return { ...left, factor: null };
  return null;
}

function isFrequencies(role: ValueRole | null): role is FrequencyRole {
  return role?.kind === "frequencies" || role?.kind === "wavelengths";
}

function divideByFactor(role: FrequencyRole, by: Expr, scope: Scope): FrequencyRole {
  if (by.kind === "binary" && by.op === "/" && isNumberLiteral(by.left, 1))
    return { ...role, factor: { expr: by.right, scope } };
  return role;
}

function frequenciesFromChoice(call: CallExpr, scope: Scope, roles: RoleResolver): FrequencyRole | null {
  for (const argument of positionalArguments(call).slice(-2).reverse()) {
    const role = roles.resolve(argument, scope);
    if (isFrequencies(role)) return role;
  }
  return null;
}

const PRODUCT_FUNCTIONS = new Set([
  "outer",
  "einsum",
  "matmul",
  "mul",
  "multiply",
  "dot",
  "bmm",
  "tensordot",
  "mm",
  "ger",
]);

/** outer(t, ω), einsum("i,j->ij", t, ω), t[:, None] * ω[None, :], position / wavelengths. */
export function matchAngles(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind === "binary" && (expr.op === "*" || expr.op === "@" || expr.op === "/"))
    return anglesFromProduct(expr.op, [expr.left, expr.right], scope, roles);
  if (expr.kind !== "call" || !PRODUCT_FUNCTIONS.has(lastName(expr.callee) ?? "")) return null;
  const args = positionalArguments(expr);
  const receiver = operandOf(expr);
  const operands = expr.callee.kind === "attribute" && receiver === expr.callee.object ? [receiver, ...args] : args;
  return anglesFromProduct("*", operands, scope, roles);
}

function anglesFromProduct(op: string, operands: readonly Expr[], scope: Scope, roles: RoleResolver): ValueRole | null {
  for (const [index, operand] of operands.entries()) {
    const role = roles.resolve(operand, scope);
    if (role?.kind === "angles") return role;
    if (op === "/" && index === 0) continue;
    if (role?.kind !== (op === "/" ? "wavelengths" : "frequencies")) continue;
    const factor = role.factor ?? findPositionDivisor(operands, index, scope, roles);
    return { kind: "angles", of: { ...role, kind: "frequencies", factor }, doubled: null };
  }
  return null;
}

/** The scalar that divides positions before they are multiplied by frequencies. */
function findPositionDivisor(
  operands: readonly Expr[],
  frequencies: number,
  scope: Scope,
  roles: RoleResolver,
): ScopedExpression | null {
  for (const [index, operand] of operands.entries()) {
    if (index === frequencies || operand.kind === "string") continue;
    const { numerator, denominator } = factorise(operand, scope, roles);
    const positions = numerator.some(
      (factor) =>
        roles.resolve(factor.expr, factor.scope)?.kind === "range" ||
        /^(?:t|pos|positions?|position_ids|seq|seq_idx)$/.test(lastName(factor.expr) ?? ""),
    );
    const divisor = denominator.find((factor) => roles.isScalar(factor.expr, factor.scope));
    if (positions && divisor !== undefined) return divisor;
  }
  return null;
}

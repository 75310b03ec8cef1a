import { type Call, type Expr, isNumber, keywordArgument, lastName, positional } from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { operandOf, restOf } from "./calls.ts";
import { definitionOf, type Factors, factorsOf, simplified } from "./factors.ts";
import type { Frequencies, Ref, Role } from "./role.ts";
import type { Roles } from "./roles.ts";

const RANGES = new Set(["arange", "range", "xrange", "iota", "linspace"]);

/** `arange(0, d, 2)`, `tf.range(n)`, `np.linspace(…)`. */
export function rangeOf(expr: Expr, scope: Scope): Role | null {
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee);
  if (name === null || !RANGES.has(name)) return null;
  const args = positional(expr);
  const stop = keywordArgument(expr, "end", "stop", "limit") ?? (args.length > 1 ? args[1] : args[0]);
  const step = keywordArgument(expr, "step", "delta") ?? args[2];
  const isTwo = name !== "linspace" && (isNumber(step, 2) || isNumber(step, -2));
  const unit = name === "linspace";
  const count = unit ? (keywordArgument(expr, "steps", "num") ?? args[2]) : stop;
  return { kind: "range", stop: count == null ? null : { expr: count, scope }, step: isTwo ? 2 : 1, unit };
}

/** a ** b, pow(a, b), exp(b · log a): base, exponent and its sign. */
interface Power {
  readonly base: Ref;
  readonly exponent: Factors;
  readonly exponential: boolean;
}

const POWERS = new Set(["pow", "power", "float_power"]);

export function powerOf(expr: Expr, scope: Scope, roles: Roles): Power | null {
  if (expr.kind === "binary" && expr.op === "**") return power(expr.left, expr.right, scope, roles);
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee);
  if (name !== null && POWERS.has(name)) {
    const base = operandOf(expr);
    const exponent = restOf(expr)[0] ?? keywordArgument(expr, "exponent", "exp", "y");
    return base === null || exponent == null ? null : power(base, exponent, scope, roles);
  }
  return name === "exp" || name === "exp2" ? exponential(expr, scope, roles) : null;
}

function power(base: Expr, exponent: Expr, scope: Scope, roles: Roles): Power {
  if (base.kind === "binary" && base.op === "/" && isNumber(base.left, 1)) {
    const factors = factorsOf(exponent, scope, roles);
    return {
      base: { expr: base.right, scope },
      exponent: { ...factors, sign: factors.sign === 1 ? -1 : 1 },
      exponential: false,
    };
  }
  return { base: { expr: base, scope }, exponent: factorsOf(exponent, scope, roles), exponential: false };
}

function exponential(expr: Call, scope: Scope, roles: Roles): Power | null {
  const operand = operandOf(expr);
  if (operand === null) return null;
  const factors = factorsOf(operand, scope, roles);
  const index = factors.numerator.findIndex((ref) => logOf(ref.expr) !== null);
  const found = factors.numerator[index];
  const base = found === undefined ? null : logOf(found.expr);
  if (found === undefined || base === null) return null;
  const numerator = factors.numerator.filter((_, at) => at !== index);
  return { base: { expr: base, scope: found.scope }, exponent: { ...factors, numerator }, exponential: true };
}

/** The argument of a logarithm. */
export function logOf(expr: Expr): Expr | null {
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee);
  return name === "log" || name === "ln" || name === "log2" ? operandOf(expr) : null;
}

/** base ** (±arange(0, d, 2) / d) and its many spellings. */
export function frequenciesOf(expr: Expr, scope: Scope, roles: Roles): Frequencies | null {
  if (expr.kind === "call" && lastName(expr.callee) === "reciprocal") return inverted(operandOf(expr), scope, roles);
  const found = powerOf(expr, scope, roles);
  if (found !== null)
    return (
      ofPower(found, { expr, scope }, roles) ??
      (isNumber(powerExponent(expr), -1) ? inverted(found.base.expr, scope, roles) : null)
    );
  if (expr.kind === "binary") return ofBinary(expr, scope, roles);
  return expr.kind === "call" && CHOICES.has(lastName(expr.callee) ?? "") ? chosen(expr, scope, roles) : null;
}

const CHOICES = new Set(["where", "lerp", "select"]);

function powerExponent(expr: Expr): Expr | null {
  return expr.kind === "binary" ? expr.right : null;
}

function inverted(expr: Expr | null, scope: Scope, roles: Roles): Frequencies | null {
  const role = expr === null ? null : roles.of(expr, scope);
  if (role?.kind === "wavelengths") return { ...role, kind: "frequencies" };
  return role?.kind === "frequencies" ? { ...role, kind: "wavelengths" } : null;
}

function ofPower(found: Power, origin: Ref, roles: Roles): Frequencies | null {
  const ranges = found.exponent.numerator
    .map((ref) => roles.of(ref.expr, ref.scope))
    .filter((role) => role?.kind === "range");
  const range = ranges[0] ?? indexOf(found.exponent);
  if (range?.kind !== "range" || (found.exponent.denominator.length === 0 && !range.unit)) return null;
  if (!plausibleBase(found.base, roles)) return null;
  const { sign, numerator, denominator, halved } = found.exponent;
  const twice = numerator.some((ref) => isNumber(ref.expr, 2)) || halved;
  const whole = range.stop === null ? null : wholeOf(range.stop);
  const fullStop = range.step === 2 || halved;
  const stop = fullStop ? range.stop : whole;
  return {
    kind: sign < 0 ? "frequencies" : "wavelengths",
    base: found.base,
    dim: stop ?? denominator[0] ?? null,
    dimIsHalf: stop !== null && !fullStop && stop === range.stop,
    factor: null,
    strong: range.step === 2 || twice || (whole !== null && whole !== range.stop),
    exponential: found.exponential,
    origin,
  };
}

/** 2 · (i // 2): an index of pairs, wherever i comes from. */
function indexOf(exponent: Factors): Role | null {
  return exponent.halved && exponent.numerator.some((ref) => isNumber(ref.expr, 2))
    ? { kind: "range", stop: null, step: 1, unit: false }
    : null;
}

/** d where the code counts to d // 2, itself or by a name for it. */
function wholeOf(stop: Ref): Ref {
  const direct = simplified(stop.expr);
  if (direct !== stop.expr) return { expr: direct, scope: stop.scope };
  const definition = definitionOf(stop.expr, stop.scope);
  if (definition === null) return stop;
  const whole = simplified(definition.expr);
  return whole === definition.expr ? stop : { expr: whole, scope: definition.scope };
}

/** Bases of encodings are far above 2 (halvings, slopes) or unknown. */
function plausibleBase(base: Ref, roles: Roles): boolean {
  const { expr } = base;
  if (expr.kind === "number") return expr.value >= 20;
  const role = roles.of(expr, base.scope);
  return role === null || role.kind === "slopes" ? !roles.isSmall(expr, base.scope) && role === null : false;
}

function ofBinary(expr: Extract<Expr, { kind: "binary" }>, scope: Scope, roles: Roles): Frequencies | null {
  const left = roles.of(expr.left, scope);
  const right = roles.of(expr.right, scope);
  if (expr.op === "/" && right?.kind === "wavelengths" && roles.isScalar(expr.left, scope)) {
    return isNumber(expr.left, 1)
      ? { ...right, kind: "frequencies", origin: { expr, scope } }
      : { ...right, kind: "frequencies" };
  }
  if (expr.op === "/" && isFrequencies(left) && roles.isScalar(expr.right, scope))
    return { ...left, factor: { expr: expr.right, scope } };
  if (expr.op === "*" && isFrequencies(left) && roles.isScalar(expr.right, scope))
    return scaled(left, expr.right, scope);
  if (expr.op === "*" && isFrequencies(right) && roles.isScalar(expr.left, scope))
    return scaled(right, expr.left, scope);
  if ((expr.op === "+" || expr.op === "-") && isFrequencies(left) && isFrequencies(right))
    return { ...left, factor: null };
  return null;
}

function isFrequencies(role: Role | null): role is Frequencies {
  return role?.kind === "frequencies" || role?.kind === "wavelengths";
}

function scaled(role: Frequencies, by: Expr, scope: Scope): Frequencies {
  if (by.kind === "binary" && by.op === "/" && isNumber(by.left, 1))
    return { ...role, factor: { expr: by.right, scope } };
  return role;
}

function chosen(call: Call, scope: Scope, roles: Roles): Frequencies | null {
  for (const argument of positional(call).slice(-2).reverse()) {
    const role = roles.of(argument, scope);
    if (isFrequencies(role)) return role;
  }
  return null;
}

const PRODUCTS = new Set(["outer", "einsum", "matmul", "mul", "multiply", "dot", "bmm", "tensordot", "mm", "ger"]);

/** outer(t, ω), einsum("i,j->ij", t, ω), t[:, None] * ω[None, :], position / wavelengths. */
export function anglesOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind === "binary" && (expr.op === "*" || expr.op === "@" || expr.op === "/"))
    return product(expr.op, [expr.left, expr.right], scope, roles);
  if (expr.kind !== "call" || !PRODUCTS.has(lastName(expr.callee) ?? "")) return null;
  const args = positional(expr);
  const receiver = operandOf(expr);
  const operands = expr.callee.kind === "attribute" && receiver === expr.callee.object ? [receiver, ...args] : args;
  return product("*", operands, scope, roles);
}

function product(op: string, operands: readonly Expr[], scope: Scope, roles: Roles): Role | null {
  for (const [index, operand] of operands.entries()) {
    const role = roles.of(operand, scope);
    if (role?.kind === "angles") return role;
    if (op === "/" && index === 0) continue;
    if (role?.kind !== (op === "/" ? "wavelengths" : "frequencies")) continue;
    const factor = role.factor ?? stretchOf(operands, index, scope, roles);
    return { kind: "angles", of: { ...role, kind: "frequencies", factor }, doubled: null };
  }
  return null;
}

/** The scalar that positions are divided by before they meet the frequencies. */
function stretchOf(operands: readonly Expr[], frequencies: number, scope: Scope, roles: Roles): Ref | null {
  for (const [index, operand] of operands.entries()) {
    if (index === frequencies || operand.kind === "string") continue;
    const { numerator, denominator } = factorsOf(operand, scope, roles);
    const positions = numerator.some(
      (ref) =>
        roles.of(ref.expr, ref.scope)?.kind === "range" ||
        /^(?:t|pos|positions?|position_ids|seq|seq_idx)$/.test(lastName(ref.expr) ?? ""),
    );
    const by = denominator.find((ref) => roles.isScalar(ref.expr, ref.scope));
    if (positions && by !== undefined) return by;
  }
  return null;
}

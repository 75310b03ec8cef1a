import {
  type CallExpr,
  type Expr,
  isNumberLiteral,
  keywordArgument,
  lastName,
  positionalArguments,
} from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { argumentsAfterOperand, insertsAxes, isPassThrough, operandOf } from "./calls.ts";
import { factorise } from "./factors.ts";
import { logArgument, matchPower } from "./frequencies.ts";
import type { RoleResolver } from "./roleResolver.ts";
import type { ScopedExpression, ValueRole } from "./valueRole.ts";

/** positions[:, None] − positions[None, :], range_mat − range_mat.T, and their clipped forms. */
export function matchDistance(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind === "binary") return distanceFromBinary(expr, scope, roles);
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee);
  if (
    name === "outer" &&
    lastName(expr.callee) !== null &&
    expr.callee.kind === "attribute" &&
    lastName(expr.callee.object) === "subtract"
  ) {
    return { kind: "distance", bound: null };
  }
  const operand = operandOf(expr);
  if (operand === null || name === null) return null;
  const role = roles.resolve(operand, scope);
  if (role?.kind !== "distance") return null;
  if (CLIP_FUNCTIONS.has(name)) return { kind: "distance", bound: findClipBound(expr, scope) };
  return DISTANCE_KEEPING_CALLS.has(name) || isPassThrough(expr) ? role : null;
}

const CLIP_FUNCTIONS = new Set([
  "clip",
  "clamp",
  "clamp_",
  "clip_by_value",
  "clamp_max",
  "clamp_min",
  "minimum",
  "maximum",
  "min",
  "max",
]);
const DISTANCE_KEEPING_CALLS = new Set(["abs", "absolute", "neg", "abs_", "tril", "triu", "sign", "where"]);

function findClipBound(call: CallExpr, scope: Scope): ScopedExpression | null {
  const bound =
    keywordArgument(call, "max", "a_max", "clip_value_max") ??
    argumentsAfterOperand(call)[1] ??
    argumentsAfterOperand(call)[0] ??
    null;
  return bound === null ? null : { expr: bound, scope };
}

function distanceFromBinary(
  expr: Extract<Expr, { kind: "binary" }>,
  scope: Scope,
  roles: RoleResolver,
): ValueRole | null {
  const left = roles.resolve(expr.left, scope);
  const right = roles.resolve(expr.right, scope);
  if (expr.op === "-" && areBroadcastPositions(expr.left, expr.right, scope, roles))
    return { kind: "distance", bound: null };
  if ((expr.op === "+" || expr.op === "-") && left?.kind === "distance") return left;
  const slope = [left, right].find((role) => role?.kind === "slopes");
  if (expr.op === "*" && slope?.kind === "slopes") {
    const other = slope === left ? right : left;
    const positions = other?.kind === "distance" || other?.kind === "range" || other === null;
    return positions ? { kind: "alibi", heads: slope.heads, maximum: slope.maximum } : null;
  }
  return null;
}

/** q_pos[:, None] and k_pos[None, :], each perhaps times a number: the resolutions of queries and keys may differ. */
function areBroadcastPositions(left: Expr, right: Expr, scope: Scope, roles: RoleResolver): boolean {
  const positions = [left, right].map((side) =>
    side.kind === "binary" && side.op === "*" && roles.isScalar(side.right, scope) ? side.left : side,
  );
  return (
    positions.every((side) => roles.resolve(side, scope)?.kind === "range") &&
    positions.some((side) => hasOwnAxis(side))
  );
}

/** True if the operand is broadcast along its own axis: x[:, None], x.unsqueeze(1), x.T, x.view(-1, 1). */
function hasOwnAxis(expr: Expr): boolean {
  if (expr.kind === "subscript") return expr.indices.length > 1;
  if (expr.kind === "attribute") return expr.name === "T";
  if (expr.kind === "call")
    return (
      insertsAxes(expr) ||
      /^(?:unsqueeze|expand_dims|transpose|t|reshape|view|swapaxes|permute)$/.test(lastName(expr.callee) ?? "")
    );
  return expr.kind === "name";
}

/** T5: log(|δ|/exact) / log(max/exact) · (buckets − exact). DeBERTa multiplies by the sign afterwards. */
export function matchBucket(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind === "binary" && (expr.op === "*" || expr.op === "/")) {
    const factors = factorise(expr, scope, roles);
    const hasLogAbove = factors.numerator.some((factor) => isLog(factor.expr));
    const hasLogBelow = factors.denominator.some((factor) => isLog(factor.expr));
    const scaled = factors.numerator.some((factor) => factor.expr.kind === "binary" && factor.expr.op === "-");
    return hasLogAbove && hasLogBelow && scaled ? { kind: "bucket", signed: false, of: { expr, scope } } : null;
  }
  if (expr.kind === "binary" && expr.op === "+") {
    const role = roles.resolve(expr.left, scope) ?? roles.resolve(expr.right, scope);
    return role?.kind === "bucket" ? role : null;
  }
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee) ?? "";
  const operands = [
    operandOf(expr),
    ...(name === "where" || name === "min" || name === "minimum" ? positionalArguments(expr) : []),
  ];
  for (const operand of operands) {
    const role = operand === null ? null : roles.resolve(operand, scope);
    if (role?.kind === "bucket" && BUCKET_KEEPING_CALLS.has(name))
      return { ...role, signed: role.signed || name === "ceil" };
  }
  return null;
}

const BUCKET_KEEPING_CALLS = new Set([
  "where",
  "min",
  "minimum",
  "ceil",
  "floor",
  "trunc",
  "to",
  "astype",
  "int",
  "long",
  "cast",
  "clamp",
  "clip",
  "full_like",
]);

function isLog(expr: Expr): boolean {
  return logArgument(expr) !== null;
}

/** 2 ** (−8/n), 2 ** (−(2 ** −(log2(n) − 3))), start · ratio ** i. */
export function matchSlopes(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind === "binary" && expr.op === "/" && isNumberLiteral(expr.left, 1)) {
    const role = roles.resolve(expr.right, scope);
    return role?.kind === "slopes" ? role : slopesFromReciprocal(expr.right, scope, roles);
  }
  if (expr.kind === "binary" && (expr.op === "*" || expr.op === "/")) return slopesFromProgression(expr, scope, roles);
  return slopesFromPower(expr, scope, roles) ?? slopesFromJoin(expr, scope, roles);
}

/** For head counts that are not powers of two, slopes are joined from two sets. */
function slopesFromJoin(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const parts = expr.kind === "binary" && expr.op === "+" ? [expr.left, expr.right] : joinedParts(expr);
  for (const part of parts) {
    const role = roles.resolve(part, scope);
    if (role?.kind === "slopes") return role;
  }
  return null;
}

function joinedParts(expr: Expr): readonly Expr[] {
  if (expr.kind !== "call" || !/^(?:cat|concat|concatenate|where|append)$/.test(lastName(expr.callee) ?? "")) return [];
  const first = positionalArguments(expr)[0];
  return first?.kind === "sequence" ? first.items : positionalArguments(expr);
}

function slopesFromProgression(
  expr: Extract<Expr, { kind: "binary" }>,
  scope: Scope,
  roles: RoleResolver,
): ValueRole | null {
  for (const [start, ratio] of [
    [expr.left, expr.right],
    [expr.right, expr.left],
  ] as const) {
    const role = roles.resolve(start, scope);
    if (role?.kind === "slopes" && roles.resolve(ratio, scope)?.kind === "slopes") return role;
  }
  return null;
}

function slopesFromPower(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const power = matchPower(expr, scope, roles);
  if (power === null || power.isExponential) return null;
  const baseRole = roles.resolve(power.base.expr, scope);
  if (baseRole?.kind === "slopes") return { ...baseRole, origin: { expr, scope } };
  if (isPowerOfTwo(power.base.expr)) return slopesFromRoot(power, { expr, scope });
  if (!isNumberLiteral(power.base.expr, 2)) return null;
  const { sign, numerator, denominator } = power.exponent;
  const origin = { expr, scope };
  const log2Factor = numerator.find((factor) => mentionsLog2(factor.expr));
  if (sign < 0 && log2Factor !== undefined)
    return { kind: "slopes", heads: headsFromLog2(log2Factor), maximum: null, origin };
  const maximum = numerator.find(
    (factor) =>
      isNumberLiteral(factor.expr, 8) ||
      isNumberLiteral(factor.expr, -8) ||
      /bias_max|max_bias/.test(lastName(factor.expr) ?? ""),
  );
  if (maximum === undefined || denominator.length === 0) return null;
  return sign < 0 || isNumberLiteral(maximum.expr, -8)
    ? { kind: "slopes", heads: denominator[0] ?? null, maximum, origin }
    : null;
}

/** 2 ** 8 */
function isPowerOfTwo(expr: Expr): boolean {
  return expr.kind === "binary" && expr.op === "**" && isNumberLiteral(expr.left, 2) && expr.right.kind === "number";
}

/** (2 ** 8) ** (1 / n) */
function slopesFromRoot(power: NonNullable<ReturnType<typeof matchPower>>, origin: ScopedExpression): ValueRole | null {
  const { numerator, denominator } = power.exponent;
  const [heads] = denominator;
  const root = numerator.every((factor) => isNumberLiteral(factor.expr, 1) || isNumberLiteral(factor.expr, -1));
  if (!root || heads === undefined || power.base.expr.kind !== "binary") return null;
  return { kind: "slopes", heads, maximum: { expr: power.base.expr.right, scope: power.base.scope }, origin };
}

/** einsum("bhid,ijd->bhij", q, table): a vector for each pair of positions. */
export function matchRelativeScores(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind === "binary" && (expr.op === "*" || expr.op === "/")) {
    const scores = roles.resolve(expr.left, scope);
    return scores?.kind === "relative" && roles.isScalar(expr.right, scope) ? scores : null;
  }
  if (expr.kind !== "call" || lastName(expr.callee) !== "einsum") return null;
  const [equation, , table] = positionalArguments(expr);
  if (equation?.kind !== "string" || table === undefined) return null;
  const spaced = equation.value.includes(" ");
  const [inputs = "", output = ""] = equation.value.split("->");
  const [query = [], pairs = []] = inputs
    .split(",")
    .map((part) => (spaced ? part.trim().split(/\s+/) : [...part.trim()]));
  const [row, column, width] = pairs;
  const fits =
    pairs.length === 3 &&
    query.length >= 3 &&
    query.at(-1) === width &&
    query.slice(1, -1).includes(row ?? "") &&
    row !== column;
  const scoresPairs =
    row !== undefined &&
    column !== undefined &&
    output.includes(row) &&
    output.includes(column) &&
    !query.includes(column);
  // einsum("bshc,hdc->bshd", x, w) has the same shape, but w is a weight per head.
  // In einsum("bhid,hjd->bhij", x, keys), keys are per head and distance, not per pair of positions.
  const isProjection = /^[hge]$/.test(row ?? "") && (query.at(-2) === row || query.at(-2) === "i");
  return fits && scoresPairs && !isProjection && !WEIGHT_NAMES.test(lastName(withoutSubscripts(table)) ?? "")
    ? { kind: "relative", table: { expr: table, scope } }
    : null;
}

const WEIGHT_NAMES = /(?:^|_)(?:w[qkvo]|wkv|weights?|kernel|proj(?:ection)?|experts?)(?:_|$)/;

/** `wkv_b` of `wkv_b[:, -n:]` and of `wkv_b.T`. */
function withoutSubscripts(expr: Expr): Expr {
  return expr.kind === "subscript" ? withoutSubscripts(expr.object) : expr;
}

/** CoPE's positions: sigmoid(logits), summed from the right. */
export function matchGate(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const sums = operandIfCall(operandIfCall(expr, "flip"), "cumsum");
  const gates = operandIfCall(sums, "flip");
  if (gates === null) return null;
  const definition = roles.findDefinition(gates, scope)?.expr ?? gates;
  return definition.kind === "call" && lastName(definition.callee) === "sigmoid" ? { kind: "gate" } : null;
}

function operandIfCall(expr: Expr | null, name: string): Expr | null {
  return expr?.kind === "call" && lastName(expr.callee) === name ? operandOf(expr) : null;
}

/** 1 / 2 ** (8 · i / n) */
function slopesFromReciprocal(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const power = matchPower(expr, scope, roles);
  if (power === null || power.isExponential || !isNumberLiteral(power.base.expr, 2)) return null;
  const { numerator, denominator } = power.exponent;
  const maximum = numerator.find(
    (factor) => isNumberLiteral(factor.expr, 8) || /bias_max|max_bias/.test(lastName(factor.expr) ?? ""),
  );
  if (maximum === undefined || denominator.length === 0) return null;
  return { kind: "slopes", heads: denominator[0] ?? null, maximum, origin: { expr, scope } };
}

/** 2 ** −(log2(n) − 3) */
function mentionsLog2(expr: Expr): boolean {
  return findLog2Argument(expr) !== null;
}

function findLog2Argument(expr: Expr): Expr | null {
  if (expr.kind === "call" && lastName(expr.callee) === "log2") return operandOf(expr);
  if (expr.kind === "binary") return findLog2Argument(expr.right) ?? findLog2Argument(expr.left);
  if (expr.kind === "unary") return findLog2Argument(expr.operand);
  return null;
}

function headsFromLog2(factor: ScopedExpression): ScopedExpression | null {
  const heads = findLog2Argument(factor.expr);
  return heads === null ? null : { expr: heads, scope: factor.scope };
}

import { type Call, type Expr, isNumber, keywordArgument, lastName, positional } from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { isTransparent, operandOf, restOf } from "./calls.ts";
import { factorsOf } from "./factors.ts";
import { logOf, powerOf } from "./frequencies.ts";
import type { Ref, Role } from "./role.ts";
import type { Roles } from "./roles.ts";

/** positions[:, None] − positions[None, :], range_mat − range_mat.T, and their clip. */
export function distanceOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind === "binary") return ofBinary(expr, scope, roles);
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
  const role = roles.of(operand, scope);
  if (role?.kind !== "distance") return null;
  if (CLIPS.has(name)) return { kind: "distance", bound: boundOf(expr, scope) };
  return KEEPING.has(name) || isTransparent(expr) ? role : null;
}

const CLIPS = new Set([
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
const KEEPING = new Set(["abs", "absolute", "neg", "abs_", "tril", "triu", "sign", "where"]);

function boundOf(call: Call, scope: Scope): Ref | null {
  const bound = keywordArgument(call, "max", "a_max", "clip_value_max") ?? restOf(call)[1] ?? restOf(call)[0] ?? null;
  return bound === null ? null : { expr: bound, scope };
}

function ofBinary(expr: Extract<Expr, { kind: "binary" }>, scope: Scope, roles: Roles): Role | null {
  const left = roles.of(expr.left, scope);
  const right = roles.of(expr.right, scope);
  if (expr.op === "-" && left?.kind === "range" && right?.kind === "range") {
    return isSpread(expr.left) || isSpread(expr.right) ? { kind: "distance", bound: null } : null;
  }
  if ((expr.op === "+" || expr.op === "-") && left?.kind === "distance") return left;
  const slope = [left, right].find((role) => role?.kind === "slopes");
  if (expr.op === "*" && slope?.kind === "slopes") {
    const other = slope === left ? right : left;
    const positions = other?.kind === "distance" || other?.kind === "range" || other === null;
    return positions ? { kind: "alibi", heads: slope.heads, maximum: slope.maximum } : null;
  }
  return null;
}

/** The operand has an axis of its own: x[:, None], x.unsqueeze(1), x.T, x.view(-1, 1). */
function isSpread(expr: Expr): boolean {
  if (expr.kind === "subscript") return expr.indices.length > 1;
  if (expr.kind === "attribute") return expr.name === "T";
  if (expr.kind === "call")
    return /^(?:unsqueeze|expand_dims|transpose|t|reshape|view|swapaxes|permute)$/.test(lastName(expr.callee) ?? "");
  return expr.kind === "name";
}

/** log(|δ|/exact) / log(max/exact) · (buckets − exact) of T5; DeBERTa's has a sign outside. */
export function bucketOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind === "binary" && (expr.op === "*" || expr.op === "/")) {
    const factors = factorsOf(expr, scope, roles);
    const above = factors.numerator.some((ref) => isLog(ref.expr));
    const below = factors.denominator.some((ref) => isLog(ref.expr));
    const scaled = factors.numerator.some((ref) => ref.expr.kind === "binary" && ref.expr.op === "-");
    return above && below && scaled ? { kind: "bucket", signed: false, of: { expr, scope } } : null;
  }
  if (expr.kind === "binary" && expr.op === "+") {
    const role = roles.of(expr.left, scope) ?? roles.of(expr.right, scope);
    return role?.kind === "bucket" ? role : null;
  }
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee) ?? "";
  const inside = [
    operandOf(expr),
    ...(name === "where" || name === "min" || name === "minimum" ? positional(expr) : []),
  ];
  for (const operand of inside) {
    const role = operand === null ? null : roles.of(operand, scope);
    if (role?.kind === "bucket" && BUCKET_KEEPING.has(name)) return { ...role, signed: role.signed || name === "ceil" };
  }
  return null;
}

const BUCKET_KEEPING = new Set([
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
  return logOf(expr) !== null;
}

/** 2 ** (−8/n), 2 ** (−(2 ** −(log2(n) − 3))), start · ratio ** i. */
export function slopesOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind === "binary" && expr.op === "/" && isNumber(expr.left, 1)) {
    const role = roles.of(expr.right, scope);
    return role?.kind === "slopes" ? role : reciprocal(expr.right, scope, roles);
  }
  if (expr.kind === "binary" && (expr.op === "*" || expr.op === "/")) return progression(expr, scope, roles);
  return slopePower(expr, scope, roles) ?? joinedSlopes(expr, scope, roles);
}

/** Slopes of non-powers of two are joined from two sets; comprehensions and dtype casts are passed on elsewhere. */
function joinedSlopes(expr: Expr, scope: Scope, roles: Roles): Role | null {
  const parts = expr.kind === "binary" && expr.op === "+" ? [expr.left, expr.right] : joins(expr);
  for (const part of parts) {
    const role = roles.of(part, scope);
    if (role?.kind === "slopes") return role;
  }
  return null;
}

function joins(expr: Expr): readonly Expr[] {
  if (expr.kind !== "call" || !/^(?:cat|concat|concatenate|where|append)$/.test(lastName(expr.callee) ?? "")) return [];
  const first = positional(expr)[0];
  return first?.kind === "sequence" ? first.items : positional(expr);
}

function progression(expr: Extract<Expr, { kind: "binary" }>, scope: Scope, roles: Roles): Role | null {
  for (const [one, other] of [
    [expr.left, expr.right],
    [expr.right, expr.left],
  ] as const) {
    const role = roles.of(one, scope);
    if (role?.kind === "slopes" && roles.of(other, scope)?.kind === "slopes") return role;
  }
  return null;
}

function slopePower(expr: Expr, scope: Scope, roles: Roles): Role | null {
  const power = powerOf(expr, scope, roles);
  if (power === null || power.exponential) return null;
  const baseRole = roles.of(power.base.expr, scope);
  if (baseRole?.kind === "slopes") return { ...baseRole, origin: { expr, scope } };
  if (isPowerOfTwo(power.base.expr)) return rooted(power, { expr, scope });
  if (!isNumber(power.base.expr, 2)) return null;
  const { sign, numerator, denominator } = power.exponent;
  const origin = { expr, scope };
  const nested = numerator.find((ref) => mentionsLog2(ref.expr));
  if (sign < 0 && nested !== undefined) return { kind: "slopes", heads: headsIn(nested), maximum: null, origin };
  const maximum = numerator.find(
    (ref) => isNumber(ref.expr, 8) || isNumber(ref.expr, -8) || /bias_max|max_bias/.test(lastName(ref.expr) ?? ""),
  );
  if (maximum === undefined || denominator.length === 0) return null;
  return sign < 0 || isNumber(maximum.expr, -8)
    ? { kind: "slopes", heads: denominator[0] ?? null, maximum, origin }
    : null;
}

/** 2 ** 8 */
function isPowerOfTwo(expr: Expr): boolean {
  return expr.kind === "binary" && expr.op === "**" && isNumber(expr.left, 2) && expr.right.kind === "number";
}

/** (2 ** 8) ** (1 / n) */
function rooted(power: NonNullable<ReturnType<typeof powerOf>>, origin: Ref): Role | null {
  const { numerator, denominator } = power.exponent;
  const [heads] = denominator;
  const root = numerator.every((ref) => isNumber(ref.expr, 1) || isNumber(ref.expr, -1));
  if (!root || heads === undefined || power.base.expr.kind !== "binary") return null;
  return { kind: "slopes", heads, maximum: { expr: power.base.expr.right, scope: power.base.scope }, origin };
}

/** einsum("bhid,ijd->bhij", q, table): a vector for each pair of positions. */
export function relativeOf(expr: Expr, scope: Scope): Role | null {
  if (expr.kind !== "call" || lastName(expr.callee) !== "einsum") return null;
  const [equation, , table] = positional(expr);
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
  const both =
    row !== undefined &&
    column !== undefined &&
    output.includes(row) &&
    output.includes(column) &&
    !query.includes(column);
  // einsum("bshc,hdc->bshd", x, w) has the same shape: a weight for each head.
  // Nor is einsum("bhid,hjd->bhij", x, keys) one of pairs: keys of distances for each head.
  const projects = /^[hge]$/.test(row ?? "") && (query.at(-2) === row || query.at(-2) === "i");
  return fits && both && !projects && !WEIGHTS.test(lastName(baseOf(table)) ?? "")
    ? { kind: "relative", table: { expr: table, scope } }
    : null;
}

const WEIGHTS = /(?:^|_)(?:w[qkvo]|wkv|weights?|kernel|proj(?:ection)?|experts?)(?:_|$)/;

/** `wkv_b` of `wkv_b[:, -n:]` and of `wkv_b.T`. */
function baseOf(expr: Expr): Expr {
  return expr.kind === "subscript" ? baseOf(expr.object) : expr;
}

/** sigmoid(logits) summed from the right: CoPE's positions. */
export function gateOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  const sums = inner(inner(expr, "flip"), "cumsum");
  const gates = inner(sums, "flip");
  if (gates === null) return null;
  const definition = roles.definition(gates, scope)?.expr ?? gates;
  return definition.kind === "call" && lastName(definition.callee) === "sigmoid" ? { kind: "gate" } : null;
}

function inner(expr: Expr | null, name: string): Expr | null {
  return expr?.kind === "call" && lastName(expr.callee) === name ? operandOf(expr) : null;
}

/** 1 / 2 ** (8 · i / n) */
function reciprocal(expr: Expr, scope: Scope, roles: Roles): Role | null {
  const power = powerOf(expr, scope, roles);
  if (power === null || power.exponential || !isNumber(power.base.expr, 2)) return null;
  const { numerator, denominator } = power.exponent;
  const maximum = numerator.find((ref) => isNumber(ref.expr, 8) || /bias_max|max_bias/.test(lastName(ref.expr) ?? ""));
  if (maximum === undefined || denominator.length === 0) return null;
  return { kind: "slopes", heads: denominator[0] ?? null, maximum, origin: { expr, scope } };
}

/** 2 ** −(log2(n) − 3) */
function mentionsLog2(expr: Expr): boolean {
  return headsExpr(expr) !== null;
}

function headsExpr(expr: Expr): Expr | null {
  if (expr.kind === "call" && lastName(expr.callee) === "log2") return operandOf(expr);
  if (expr.kind === "binary") return headsExpr(expr.right) ?? headsExpr(expr.left);
  if (expr.kind === "unary") return headsExpr(expr.operand);
  return null;
}

function headsIn(ref: Ref): Ref | null {
  const heads = headsExpr(ref.expr);
  return heads === null ? null : { expr: heads, scope: ref.scope };
}

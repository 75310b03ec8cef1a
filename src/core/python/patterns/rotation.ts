import { type Call, type Expr, isNumber, keywordArgument, lastName, partsOf, positional } from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { argumentAt, joined, joinKind, operandOf, restOf } from "./calls.ts";
import { simplified } from "./factors.ts";
import type { Role } from "./role.ts";
import type { Roles } from "./roles.ts";

type Member = Extract<Role, { kind: "member" }>;

/** x[..., : d//2], x[..., 1::2], and the parts of chunk and split. */
export function memberOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind === "subscript") return sliced(expr, scope, roles);
  if (expr.kind !== "call") return null;
  return parted(expr, scope);
}

function sliced(expr: Extract<Expr, { kind: "subscript" }>, scope: Scope, roles: Roles): Role | null {
  const last = expr.indices.at(-1);
  if (last === undefined) return null;
  const object = roles.of(expr.object, scope);
  if (object?.kind === "pairs") return ofPairs(object, expr.indices);
  if (last.kind !== "slice" || object !== null) return null;
  const from = { expr: expr.object, scope };
  const key = roles.text(expr.object);
  if (isNumber(last.step, 2) && last.upper === null) {
    const part = last.lower === null || isNumber(last.lower, 0) ? 0 : isNumber(last.lower, 1) ? 1 : null;
    return part === null ? null : { kind: "member", part, layout: "interleaved", from, key };
  }
  if (last.step !== null) return null;
  const first = last.lower === null || isNumber(last.lower, 0);
  const bound = first ? last.upper : last.upper === null ? last.lower : null;
  if (bound === null || !isHalf(bound, scope, roles)) return null;
  return { kind: "member", part: first ? 0 : 1, layout: "half", from, key };
}

/** `d // 2`, `x.shape[-1] // 2`, a name that stands for one. */
function isHalf(bound: Expr, scope: Scope, roles: Roles): boolean {
  if (simplified(bound) !== bound) return true;
  if (bound.kind !== "name" && bound.kind !== "attribute") return false;
  const definition = roles.definition(bound, scope);
  if (definition !== null && simplified(definition.expr) !== definition.expr) return true;
  return /half/.test(bound.name);
}

function ofPairs(pairs: Extract<Role, { kind: "pairs" }>, indices: readonly Expr[]): Role | null {
  const picked = indices.findIndex((index) => index.kind === "number" && (index.value === 0 || index.value === 1));
  const index = indices[picked];
  if (index?.kind !== "number" || (picked === 0 && indices.length > 2)) return null;
  return { kind: "member", part: index.value === 0 ? 0 : 1, layout: pairs.layout, from: pairs.from, key: "pairs" };
}

/** chunk(x, 2, dim=-1), split(x, 2, axis=-1), unbind(x, -1). */
function parted(call: Call, scope: Scope): Role | null {
  const name = lastName(call.callee);
  if (name !== "chunk" && name !== "split" && name !== "tensor_split" && name !== "array_split") return null;
  const operand = operandOf(call);
  const count = argumentAt(call, 0, "chunks", "num_or_size_splits", "indices_or_sections", "split_size_or_sections");
  if (operand === null || count === null) return null;
  const axis = keywordArgument(call, "dim", "axis") ?? restOf(call)[1] ?? null;
  const isLast = isNumber(axis, -1) || (axis !== null && axis.kind !== "number" && axis.kind !== "unary");
  const two =
    name === "split" && restOf(call)[0]?.kind === "sequence"
      ? false
      : isNumber(count, 2) || simplified(count) !== count;
  if (!two || !isLast) return null;
  const from = { expr: operand, scope };
  const part = (at: 0 | 1): Role => ({ kind: "member", part: at, layout: "half", from, key: `${call.from}` });
  return { kind: "tuple", items: [part(0), part(1)] };
}

/** (−x1, x0) joined again, or a call of the function of this file that does so. */
export function turnedOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind !== "call") return null;
  const target = roles.target(expr, scope);
  if (target !== null) {
    const role = target.kind === "function" ? roles.returned(target) : null;
    return role?.kind === "turned" ? role : null;
  }
  if (joinKind(expr) === null) {
    const operand = operandOf(expr);
    const role = operand === null || !FLATTENING.has(lastName(expr.callee) ?? "") ? null : roles.of(operand, scope);
    return role?.kind === "turned" || role?.kind === "rotated" ? role : null;
  }
  const [first, second] = joined(expr);
  if (first === undefined || second === undefined) return null;
  return turned(first, second, scope, roles);
}

const FLATTENING = new Set([
  "flatten",
  "reshape",
  "view",
  "rearrange",
  "type_as",
  "to",
  "astype",
  "cast",
  "view_as",
  "float",
]);

function turned(first: Expr, second: Expr, scope: Scope, roles: Roles): Role | null {
  const minusFirst = negated(first);
  const minusSecond = negated(second);
  if ((minusFirst === null) === (minusSecond === null)) return null;
  const a = member(roles.of(minusFirst ?? first, scope));
  const b = member(roles.of(minusSecond ?? second, scope));
  if (a === null || b === null || a.part !== 1 || b.part !== 0 || a.layout !== b.layout) return null;
  return { kind: "turned", layout: a.layout, from: a.from, opposite: minusFirst === null };
}

export function member(role: Role | null): Member | null {
  return role?.kind === "member" ? role : null;
}

function negated(expr: Expr): Expr | null {
  if (expr.kind === "unary" && expr.op === "-") return expr.operand;
  if (expr.kind === "binary" && expr.op === "*")
    return isNumber(expr.right, -1) ? expr.left : isNumber(expr.left, -1) ? expr.right : null;
  if (expr.kind === "call" && (lastName(expr.callee) === "negative" || lastName(expr.callee) === "neg"))
    return operandOf(expr);
  return null;
}

/** x·cos + turned(x)·sin; x0·cos − x1·sin; complex x · cis. */
export function rotatedOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind === "call") return joinedRotation(expr, scope, roles) ?? summedRotation(expr, scope, roles);
  if (expr.kind !== "binary") return null;
  if (expr.op === "*") return complexRotation(expr, scope, roles);
  if (expr.op !== "+" && expr.op !== "-") return null;
  const left = product(expr.left);
  const right = product(expr.right);
  if (left === null || right === null) return null;
  const turnedSide = [...left, ...right]
    .map((factor) => roles.of(factor, scope))
    .find((role) => role?.kind === "turned");
  if (turnedSide?.kind === "turned") return { kind: "rotated", layout: turnedSide.layout, from: turnedSide.from };
  const members = (factors: readonly Expr[]): Member | null =>
    factors.map((factor) => member(roles.of(factor, scope))).find((role) => role !== null) ?? null;
  const a = members(left);
  const b = members(right);
  if (a === null || b === null || a.part === b.part || a.layout !== b.layout) return null;
  const weights = [...left, ...right].filter((factor) => member(roles.of(factor, scope)) === null);
  // Neither cosines nor sines are made of the vector: x0·roll(x1) − x1·roll(x0) is an area.
  const mixes = (part: Expr): boolean => member(roles.of(part, scope)) !== null || partsOf(part).some(mixes);
  if (weights.length !== 2 || !weights.every(isTableLike) || weights.some(mixes)) return null;
  const minus = expr.op === "-" || weights.some((weight) => weight.kind === "unary");
  return minus || areMatrixRows(weights) || roles.subtracts(scope)
    ? { kind: "rotated", layout: a.layout, from: a.from }
    : null;
}

/** M[..., 0]·x0 + M[..., 1]·x1: the rows of 2×2 rotations that were made before. */
function areMatrixRows(weights: readonly Expr[]): boolean {
  const [first, second] = weights.map((weight) =>
    weight.kind === "subscript" && weight.indices.at(-1)?.kind === "number" ? lastName(weight.object) : null,
  );
  return first != null && first === second && /freqs|cis|rot|rope/.test(first);
}

/** Some expression of the scope is x0·… − x1·…: without one, a sum of products is a gate and not a rotation. */
export function subtractsMembers(scope: Scope, roles: Roles): boolean {
  const isDifference = (expr: Expr): boolean =>
    (expr.kind === "binary" && (expr.op === "-" || negatedFactor(expr)) && roles.of(expr, scope)?.kind === "rotated") ||
    partsOf(expr).some(isDifference);
  return scope.expressions.some(isDifference);
}

/** x0·(−sin) + x1·cos */
function negatedFactor(expr: Expr): boolean {
  if (expr.kind !== "binary" || expr.op !== "+") return false;
  return [expr.left, expr.right].some(
    (side) => product(side)?.some((factor) => factor.kind === "unary" && factor.op === "-") === true,
  );
}

/** Cosines and sines come from a table: not 1 − gate, not a number. */
function isTableLike(expr: Expr): boolean {
  if (expr.kind === "unary" && expr.op === "-") return isTableLike(expr.operand);
  return expr.kind === "name" || expr.kind === "attribute" || expr.kind === "subscript" || expr.kind === "call";
}

/** The two factors of a product. */
export function product(expr: Expr): readonly [Expr, Expr] | null {
  if (expr.kind === "binary" && expr.op === "*") return [expr.left, expr.right];
  if (expr.kind === "call" && (lastName(expr.callee) === "mul" || lastName(expr.callee) === "multiply")) {
    const operand = operandOf(expr);
    const other = restOf(expr)[0] ?? positional(expr)[1];
    return operand === null || other === undefined ? null : [operand, other];
  }
  return null;
}

function complexRotation(expr: Extract<Expr, { kind: "binary" }>, scope: Scope, roles: Roles): Role | null {
  for (const side of [expr.left, expr.right]) {
    const role = roles.of(side, scope);
    if (role?.kind === "pairs" && role.complex) return { kind: "rotated", layout: role.layout, from: role.from };
  }
  return null;
}

/** (x.reshape(…, -1, 1, 2) * matrices).sum(…): 2×2 rotations that were made before, applied to pairs. */
function summedRotation(call: Call, scope: Scope, roles: Roles): Role | null {
  const sides = lastName(call.callee) === "sum" ? product(operandOf(call) ?? call) : null;
  for (const [index, side] of sides?.entries() ?? []) {
    const other = sides?.[1 - index];
    const pairs = roles.of(side, scope);
    if (pairs?.kind === "pairs" && pairs.column === true && other !== undefined && isTableLike(other))
      return { kind: "rotated", layout: pairs.layout, from: pairs.from };
  }
  return null;
}

/** cat or stack of both rotated members; view_as_real of a complex product. */
function joinedRotation(call: Call, scope: Scope, roles: Roles): Role | null {
  const name = lastName(call.callee);
  const items = joinKind(call) === null ? [] : joined(call);
  const candidates = name === "view_as_real" ? [operandOf(call)] : items;
  for (const item of candidates) {
    const role = item === null ? null : roles.of(item, scope);
    if (role?.kind === "rotated") return role;
  }
  return null;
}

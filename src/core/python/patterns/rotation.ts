import {
  type CallExpr,
  childExpressions,
  type Expr,
  isNumberLiteral,
  keywordArgument,
  lastName,
  positionalArguments,
} from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { argumentAt, argumentsAfterOperand, joinedItems, joinKind, operandOf } from "./calls.ts";
import { undoHalving } from "./factors.ts";
import { matchLoadedPair } from "./loads.ts";
import { asPairMember, isHalf, layoutBefore, layoutInVector, membersOfPairs, type PairMember } from "./pairs.ts";
import { productFactors } from "./products.ts";
import type { RoleResolver } from "./roleResolver.ts";
import type { ValueRole } from "./valueRole.ts";

/** x[..., : d//2], x[..., 1::2], and the parts of chunk and split. */
export function matchPairMember(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind === "subscript") return memberFromSlice(expr, scope, roles);
  if (expr.kind !== "call") return null;
  return membersFromSplit(expr, scope, roles);
}

function memberFromSlice(
  expr: Extract<Expr, { kind: "subscript" }>,
  scope: Scope,
  roles: RoleResolver,
): ValueRole | null {
  const last = expr.indices.at(-1);
  if (last === undefined) return null;
  const object = roles.resolve(expr.object, scope);
  if (object?.kind === "pairs") return memberFromPairs(object, expr.indices);
  if (last.kind !== "slice" || (object !== null && object.kind !== "reordered")) return null;
  const from = { expr: expr.object, scope };
  const key = roles.sourceText(expr.object);
  if (isNumberLiteral(last.step, 2) && last.upper === null) {
    const part = last.lower === null || isNumberLiteral(last.lower, 0) ? 0 : isNumberLiteral(last.lower, 1) ? 1 : null;
    const layout = part === null ? null : layoutInVector("interleaved", from, roles);
    return part === null || layout === null ? null : { kind: "member", part, layout, from, key };
  }
  if (last.step !== null) return null;
  const isFirst = last.lower === null || isNumberLiteral(last.lower, 0);
  const bound = isFirst ? last.upper : last.upper === null ? last.lower : null;
  if (bound === null || !isHalf(bound, scope, roles)) return null;
  const layout = layoutInVector("half", from, roles);
  return layout === null ? null : { kind: "member", part: isFirst ? 0 : 1, layout, from, key };
}

function memberFromPairs(pairs: Extract<ValueRole, { kind: "pairs" }>, indices: readonly Expr[]): ValueRole | null {
  const { layout, from, axis } = pairs;
  const picked = indices.findIndex((index) => index.kind === "number" && (index.value === 0 || index.value === 1));
  const index = indices[picked];
  const part = index?.kind === "number" ? (index.value === 0 ? 0 : 1) : memberOfSlice(indices.at(axis));
  if (part === null || (picked === 0 && indices.length > 2)) return null;
  return { kind: "member", part, layout, from, key: "pairs" };
}

/** 0 for 0:1, 1 for 1:2. */
function memberOfSlice(index: Expr | undefined): 0 | 1 | null {
  if (index?.kind !== "slice" || index.step !== null) return null;
  if (isNumberLiteral(index.upper, 1) && (index.lower === null || isNumberLiteral(index.lower, 0))) return 0;
  return isNumberLiteral(index.lower, 1) && (index.upper === null || isNumberLiteral(index.upper, 2)) ? 1 : null;
}

/** chunk(x, 2, dim=-1), split(x, 2, axis=-1), unbind(x, -1). */
function membersFromSplit(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const name = lastName(call.callee);
  if (name !== "chunk" && name !== "split" && name !== "tensor_split" && name !== "array_split") return null;
  const operand = operandOf(call);
  const isTriton = call.callee.kind === "attribute" && lastName(call.callee.object) === "tl";
  if (isTriton && operand !== null) {
    const pairs = roles.resolve(operand, scope);
    return pairs?.kind === "pairs" ? membersOfPairs(pairs, null, `${call.from}`) : null;
  }
  const count = argumentAt(call, 0, "chunks", "num_or_size_splits", "indices_or_sections", "split_size_or_sections");
  if (operand === null || count === null) return null;
  const axis = keywordArgument(call, "dim", "axis") ?? argumentsAfterOperand(call)[1] ?? null;
  const pairs = roles.resolve(operand, scope);
  if (pairs?.kind === "pairs") {
    const takesApart = isNumberLiteral(count, 2) || isNumberLiteral(count, 1);
    return takesApart && axis !== null ? membersOfPairs(pairs, axis, `${call.from}`) : null;
  }
  const isLast = isNumberLiteral(axis, -1) || (axis !== null && axis.kind !== "number" && axis.kind !== "unary");
  const isInTwo =
    name === "split" && argumentsAfterOperand(call)[0]?.kind === "sequence"
      ? false
      : isNumberLiteral(count, 2) || undoHalving(count) !== count;
  if (!isInTwo || !isLast) return null;
  const from = { expr: operand, scope };
  const layout = layoutInVector("half", from, roles);
  if (layout === null) return null;
  const part = (at: 0 | 1): ValueRole => ({ kind: "member", part: at, layout, from, key: `${call.from}` });
  return { kind: "tuple", items: [part(0), part(1)] };
}

/** (−x1, x0) joined, or a call of a function of this file that computes it. */
export function matchQuarterRotation(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind !== "call") return null;
  const target = roles.findTarget(expr, scope);
  if (target !== null) {
    const role = target.kind === "function" ? roles.resolveReturned(target) : null;
    return role?.kind === "quarterRotated" ? withMovedArgument(role, expr, scope, roles) : null;
  }
  if (joinKind(expr) === null) {
    const operand = operandOf(expr);
    const role =
      operand === null || !FLATTENING_CALLS.has(lastName(expr.callee) ?? "") ? null : roles.resolve(operand, scope);
    return role?.kind === "quarterRotated" || role?.kind === "rotated" ? role : null;
  }
  const [first, second] = joinedItems(expr);
  if (first === undefined || second === undefined) return null;
  return quarterRotationFromParts(first, second, scope, roles);
}

/** The role of a result, if the function got a vector whose dimensions were moved. */
export function withMovedArgument(
  role: ValueRole | null,
  call: CallExpr,
  scope: Scope,
  roles: RoleResolver,
): ValueRole | null {
  if (role?.kind === "tuple")
    return { ...role, items: role.items.map((item) => withMovedArgument(item, call, scope, roles)) };
  if ((role?.kind !== "quarterRotated" && role?.kind !== "rotated") || role.layout === null) return role;
  const [first] = positionalArguments(call);
  const argument = first === undefined ? null : roles.resolve(first, scope);
  if (argument?.kind !== "reordered") return role;
  const layout = layoutBefore(argument, role.layout);
  return { ...role, layout, from: argument.from };
}

const FLATTENING_CALLS = new Set([
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

function quarterRotationFromParts(first: Expr, second: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const minusFirst = operandIfNegated(first);
  const minusSecond = operandIfNegated(second);
  if ((minusFirst === null) === (minusSecond === null)) return null;
  const a = asPairMember(roles.resolve(minusFirst ?? first, scope));
  const b = asPairMember(roles.resolve(minusSecond ?? second, scope));
  if (a === null || b === null || a.part !== 1 || b.part !== 0 || a.layout !== b.layout) return null;
  return { kind: "quarterRotated", layout: a.layout, from: a.from, opposite: minusFirst === null };
}

function operandIfNegated(expr: Expr): Expr | null {
  if (expr.kind === "unary" && expr.op === "-") return expr.operand;
  if (expr.kind === "binary" && expr.op === "*")
    return isNumberLiteral(expr.right, -1) ? expr.left : isNumberLiteral(expr.left, -1) ? expr.right : null;
  if (expr.kind === "call" && (lastName(expr.callee) === "negative" || lastName(expr.callee) === "neg"))
    return operandOf(expr);
  return null;
}

/** x·cos + rotate_half(x)·sin; x0·cos − x1·sin; complex x · cis. */
export function matchRotation(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind === "call") return rotationFromJoin(expr, scope, roles) ?? rotationFromSum(expr, scope, roles);
  if (expr.kind !== "binary") return null;
  if (expr.op === "*") return rotationFromComplexProduct(expr, scope, roles);
  if (expr.op !== "+" && expr.op !== "-") return null;
  const left = productFactors(expr.left);
  const right = productFactors(expr.right);
  if (left === null || right === null) return null;
  const quarterRotation = [...left, ...right]
    .flatMap((factor) => [factor, ...(productFactors(factor) ?? [])])
    .map((factor) => roles.resolve(factor, scope))
    .find((role) => role?.kind === "quarterRotated");
  if (quarterRotation?.kind === "quarterRotated")
    return { kind: "rotated", layout: quarterRotation.layout, from: quarterRotation.from };
  const findMember = (factors: readonly Expr[]): PairMember | null =>
    factors.map((factor) => asPairMember(roles.resolve(factor, scope))).find((role) => role !== null) ?? null;
  const a = findMember(left);
  const b = findMember(right);
  if (expr.op === "-" && a === null && b === null) return rotationOfLoadedPairs(left, right, scope, roles);
  if (a === null || b === null || a.part === b.part || a.layout !== b.layout) return null;
  const weights = [...left, ...right].filter((factor) => asPairMember(roles.resolve(factor, scope)) === null);
  // Cosines and sines are not computed from the vector: x0·roll(x1) − x1·roll(x0) is an area.
  const mixes = (part: Expr): boolean =>
    asPairMember(roles.resolve(part, scope)) !== null || childExpressions(part).some(mixes);
  if (weights.length !== 2 || !weights.every(isTableLike) || weights.some(mixes)) return null;
  const minus = expr.op === "-" || weights.some((weight) => weight.kind === "unary");
  return minus || areRotationMatrixRows(weights) || roles.subtractsPairMembers(scope)
    ? { kind: "rotated", layout: a.layout, from: a.from }
    : null;
}

/** x0·cos − x1·sin of a kernel that loads both members by their addresses. */
function rotationOfLoadedPairs(
  left: readonly Expr[],
  right: readonly Expr[],
  scope: Scope,
  roles: RoleResolver,
): ValueRole | null {
  for (const first of left) {
    for (const second of right) {
      const layout = matchLoadedPair(first, second, scope, roles);
      if (layout !== null) return { kind: "rotated", layout, from: { expr: first, scope } };
    }
  }
  return null;
}

/** M[..., 0]·x0 + M[..., 1]·x1: rows of precomputed 2×2 rotations. */
function areRotationMatrixRows(weights: readonly Expr[]): boolean {
  const [first, second] = weights.map((weight) =>
    weight.kind === "subscript" && weight.indices.at(-1)?.kind === "number" ? lastName(weight.object) : null,
  );
  return first != null && first === second && /freqs|cis|rot|rope/.test(first);
}

/** True if an expression of the scope is x0·… − x1·…: without one, a sum of products is a gate, not a rotation. */
export function subtractsMembers(scope: Scope, roles: RoleResolver): boolean {
  const isDifference = (expr: Expr): boolean =>
    (expr.kind === "binary" &&
      (expr.op === "-" || hasNegatedFactor(expr)) &&
      roles.resolve(expr, scope)?.kind === "rotated") ||
    childExpressions(expr).some(isDifference);
  return scope.expressions.some(isDifference);
}

/** x0·(−sin) + x1·cos */
function hasNegatedFactor(expr: Expr): boolean {
  if (expr.kind !== "binary" || expr.op !== "+") return false;
  return [expr.left, expr.right].some(
    (side) => productFactors(side)?.some((factor) => factor.kind === "unary" && factor.op === "-") === true,
  );
}

/** Cosines and sines come from a table; 1 − gate or a number do not qualify. */
function isTableLike(expr: Expr): boolean {
  if (expr.kind === "unary" && expr.op === "-") return isTableLike(expr.operand);
  return expr.kind === "name" || expr.kind === "attribute" || expr.kind === "subscript" || expr.kind === "call";
}

function rotationFromComplexProduct(
  expr: Extract<Expr, { kind: "binary" }>,
  scope: Scope,
  roles: RoleResolver,
): ValueRole | null {
  for (const side of [expr.left, expr.right]) {
    const role = roles.resolve(side, scope);
    if (role?.kind === "pairs" && role.complex) return { kind: "rotated", layout: role.layout, from: role.from };
  }
  return null;
}

/** (x.reshape(…, -1, 1, 2) * matrices).sum(…): precomputed 2×2 rotations applied to pairs. */
function rotationFromSum(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const sides = lastName(call.callee) === "sum" ? productFactors(operandOf(call) ?? call) : null;
  for (const [index, side] of sides?.entries() ?? []) {
    const other = sides?.[1 - index];
    const pairs = roles.resolve(side, scope);
    if (pairs?.kind === "pairs" && pairs.column === true && other !== undefined && isTableLike(other))
      return { kind: "rotated", layout: pairs.layout, from: pairs.from };
  }
  return null;
}

/** cat or stack of both rotated members, or view_as_real of a complex product. */
function rotationFromJoin(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const name = lastName(call.callee);
  const items = joinKind(call) === null ? [] : joinedItems(call);
  const candidates = name === "view_as_real" ? [operandOf(call)] : items;
  for (const item of candidates) {
    const role = item === null ? null : roles.resolve(item, scope);
    if (role?.kind === "rotated") return role;
  }
  return null;
}

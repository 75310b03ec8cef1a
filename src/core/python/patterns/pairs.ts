import type { PairLayout } from "../../spec.ts";
import {
  type CallExpr,
  type Expr,
  isNumberLiteral,
  keywordArgument,
  lastName,
  positionalArguments,
} from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { argumentAt, argumentsAfterOperand, joinedItems, joinKind, operandOf } from "./calls.ts";
import { undoHalving } from "./factors.ts";
import type { RoleResolver } from "./roleResolver.ts";
import type { ScopedExpression, ValueRole } from "./valueRole.ts";

const RESHAPE_FUNCTIONS = new Set(["reshape", "view", "unflatten", "rearrange"]);
const TRANSPOSING_FUNCTIONS = new Set(["transpose", "swapaxes", "swapdims", "permute", "moveaxis"]);

type PairsRole = Extract<ValueRole, { kind: "pairs" }>;

/** x.reshape(…, -1, 2): interleaved pairs; x.reshape(…, 2, -1): halves. */
export function matchPairs(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee);
  if (name === "unbind" || name === "unstack") return membersFromUnbind(expr, scope, roles);
  if (name === "view_as_complex") return pairsFromComplexView(expr, scope, roles);
  if (name === "complex") return pairsFromComplexParts(expr, scope, roles);
  if (name === "stack") return pairsFromStack(expr, scope, roles);
  if (joinKind(expr) === "concatenate") return reorderedFromMembers(expr, scope, roles);
  if (name === null) return null;
  if (TRANSPOSING_FUNCTIONS.has(name)) return transposedPairs(expr, scope, roles);
  const operand = operandOf(expr);
  if (operand === null) return null;
  const from = { expr: operand, scope };
  if (name === "rearrange") return pairsFromRearrange(expr, from, roles);
  if (!RESHAPE_FUNCTIONS.has(name)) return name === "flatten" ? reorderedFromPairs(operand, scope, roles) : null;
  return pairsFromReshape(expr, from, roles) ?? reorderedFromPairs(operand, scope, roles);
}

function pairsFromReshape(call: CallExpr, from: ScopedExpression, roles: RoleResolver): ValueRole | null {
  const args = argumentsAfterOperand(call);
  const sizes = args.flatMap((size) =>
    size.kind === "sequence" ? size.items : size.kind === "binary" ? trailingSizes(size) : [size],
  );
  const isListed =
    !call.args.some((argument) => argument.star) && !args.some((size) => size.kind === "binary" && size.op === "+");
  const rank = isListed && lastName(call.callee) !== "unflatten" ? sizes.length : null;
  const [beforeLast, last] = sizes.slice(-2);
  if (last === undefined || beforeLast === undefined) return null;
  const view = (layout: PairLayout, axis: -1 | -2, column = false): ValueRole | null => {
    const own = layoutInVector(layout, from, roles);
    return own === null ? null : { kind: "pairs", layout: own, from, complex: false, axis, rank, column };
  };
  if (isNumberLiteral(last, 2) && !isNumberLiteral(beforeLast, 2))
    return view("interleaved", -1, isNumberLiteral(beforeLast, 1));
  const isRest = isNumberLiteral(last, -1) || isHalf(last, from.scope, roles);
  return isNumberLiteral(beforeLast, 2) && isRest ? view("half", -2) : null;
}

/** The layout that pairs of a vector have before its dimensions were moved; null if they are no pairs then. */
export function layoutInVector(
  layout: PairLayout,
  { expr, scope }: ScopedExpression,
  roles: RoleResolver,
): PairLayout | null {
  const role = roles.resolve(expr, scope);
  return role?.kind === "reordered" ? layoutBefore(role, layout) : layout;
}

/** Interleaved pairs that were moved to halves are interleaved pairs, and the other way round. */
export function layoutBefore(
  { layout, conditional }: Extract<ValueRole, { kind: "reordered" }>,
  now: PairLayout,
): PairLayout | null {
  return layout === now || conditional === true ? null : layout;
}

/** (-1, 2) of x.shape[:-1] + (-1, 2); any other sum or quotient is one size. */
function trailingSizes(size: Extract<Expr, { kind: "binary" }>): readonly Expr[] {
  return size.op === "+" && size.right.kind === "sequence" ? size.right.items : [size];
}

/** x.view(…, d // 2, 2).transpose(-1, -2): the axis of the pairs changes its place. */
function transposedPairs(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const operand = operandOf(call);
  const role = operand === null ? null : roles.resolve(operand, scope);
  if (role?.kind !== "pairs" || role.complex) return null;
  const axes = argumentsAfterOperand(call)
    .flatMap((argument) => (argument.kind === "sequence" ? argument.items : [argument]))
    .map((argument) => roles.evaluator.evaluateNumber(argument, scope));
  return swapsLastAxes(axes, role) ? { ...role, axis: role.axis === -1 ? -2 : -1 } : role;
}

function swapsLastAxes(axes: readonly (number | null)[], { rank }: PairsRole): boolean {
  const [a, b] = axes.slice(-2);
  if (a == null || b == null) return false;
  if (axes.length > 2) return a === b + 1 && (a === axes.length - 1 || a === -1);
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  return (low === -2 && high === -1) || (rank !== null && low === rank - 2 && high === rank - 1);
}

/** A view by pairs made flat again: its order is another one if the axis of the pairs was moved. */
function reorderedFromPairs(operand: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const role = roles.resolve(operand, scope);
  if (role?.kind !== "pairs" || role.complex) return null;
  const isMoved = (role.layout === "interleaved") === (role.axis === -2);
  return isMoved ? { kind: "reordered", layout: role.layout, from: role.from } : null;
}

/** cat((x[..., 0::2], x[..., 1::2])): interleaved pairs become halves. */
function reorderedFromMembers(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const items = joinedItems(call);
  const [first, second] = items.map((item) => asPairMember(roles.resolve(item, scope)));
  if (items.length !== 2 || first == null || second == null || first.part !== 0 || second.part !== 1) return null;
  return first.layout === "interleaved" && second.layout === "interleaved"
    ? { kind: "reordered", layout: "interleaved", from: first.from }
    : null;
}

/** stack((x0, x1), -1), also of chunk(x, 2, -1): pairs of both members. */
function pairsFromStack(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const [items] = positionalArguments(call);
  const axisArgument = keywordArgument(call, "dim", "axis") ?? positionalArguments(call)[1] ?? null;
  const axis = isNumberLiteral(axisArgument, -1) ? -1 : isNumberLiteral(axisArgument, -2) ? -2 : null;
  const parts = items === undefined || axis === null ? null : roles.resolve(items, scope);
  if (axis === null || parts?.kind !== "tuple" || parts.items.length !== 2) return null;
  const [first, second] = parts.items.map((item) => asPairMember(item));
  if (first == null || second == null || first.part !== 0 || second.part !== 1) return null;
  return { kind: "pairs", layout: first.layout, from: first.from, complex: false, axis, rank: null };
}

function membersFromUnbind(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const operand = operandOf(call);
  const role = operand === null ? null : roles.resolve(operand, scope);
  return role?.kind === "pairs" ? membersOfPairs(role, argumentAt(call, 0, "dim", "axis"), `${call.from}`) : null;
}

/** Both members of pairs that are taken apart along an axis; null if it is not the axis of the pairs. */
export function membersOfPairs(pairs: PairsRole, axis: Expr | null, key: string): ValueRole | null {
  const other = pairs.axis === -1 ? -2 : -1;
  if (isNumberLiteral(axis, other)) return null;
  const part = (at: 0 | 1): ValueRole => ({ kind: "member", part: at, layout: pairs.layout, from: pairs.from, key });
  return { kind: "tuple", items: [part(0), part(1)] };
}

function pairsFromComplexView(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const operand = operandOf(call);
  if (operand === null) return null;
  const role = roles.resolve(operand, scope);
  if (role?.kind === "pairs") return { ...role, complex: true };
  return role?.kind === "wave" ? role : null;
}

/** complex(x[..., 0], x[..., 1]) */
function pairsFromComplexParts(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const [real, imaginary] = positionalArguments(call).map((part) => asPairMember(roles.resolve(part, scope)));
  if (real == null || imaginary == null || real.part !== 0 || imaginary.part !== 1) return null;
  return { kind: "pairs", layout: real.layout, from: real.from, complex: true, axis: -1, rank: null };
}

/** "… (d two) -> … d two", "… (d two) -> … (two d)". */
function pairsFromRearrange(call: CallExpr, from: ScopedExpression, roles: RoleResolver): ValueRole | null {
  const pattern = argumentsAfterOperand(call)[0];
  if (pattern?.kind !== "string") return null;
  const two =
    call.args.find((argument) => argument.keyword !== null && isNumberLiteral(argument.value, 2))?.keyword ?? null;
  const [source = "", target = ""] = pattern.value.split("->");
  const match = /\(\s*(\w+)\s+(\w+)\s*\)\s*$/.exec(source) ?? /\(\s*(\w+)\s+(\w+)\s*\)/.exec(source);
  if (two === null || match === null || (match[1] !== two && match[2] !== two)) {
    const joined = /\(\s*\w+\s+\w+\s*\)\s*$/.test(target);
    return joined ? reorderedFromPairs(from.expr, from.scope, roles) : null;
  }
  const layout = layoutInVector(match[2] === two ? "interleaved" : "half", from, roles);
  if (layout === null) return null;
  const moved = new RegExp(`\\(\\s*${match[2]}\\s+${match[1]}\\s*\\)\\s*$`).test(target);
  if (moved) return { kind: "reordered", layout, from };
  const axis = target.trim().endsWith(` ${two}`) || !new RegExp(`\\b${two}\\s+\\w+\\s*$`).test(target) ? -1 : -2;
  return { kind: "pairs", layout, from, complex: false, axis, rank: null };
}

/** `d // 2`, `x.shape[-1] // 2`, or a name for one of them. */
export function isHalf(bound: Expr, scope: Scope, roles: RoleResolver): boolean {
  if (undoHalving(bound) !== bound) return true;
  if (bound.kind !== "name" && bound.kind !== "attribute") return false;
  const definition = roles.findDefinition(bound, scope);
  if (definition !== null && undoHalving(definition.expr) !== definition.expr) return true;
  return /half/i.test(bound.name);
}

export type PairMember = Extract<ValueRole, { kind: "member" }>;

export function asPairMember(role: ValueRole | null): PairMember | null {
  return role?.kind === "member" ? role : null;
}

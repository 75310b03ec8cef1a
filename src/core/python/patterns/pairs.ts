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
import { undoHalving } from "./factors.ts";
import type { RoleResolver } from "./roleResolver.ts";
import { asPairMember } from "./rotation.ts";
import type { ValueRole } from "./valueRole.ts";

const RESHAPE_FUNCTIONS = new Set(["reshape", "view", "unflatten", "rearrange"]);

/** x.reshape(…, -1, 2): interleaved pairs; x.reshape(…, 2, -1): halves. */
export function matchPairs(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee);
  if (name === "unbind" || name === "unstack") return membersFromUnbind(expr, scope, roles);
  if (name === "view_as_complex") return pairsFromComplexView(expr, scope, roles);
  if (name === "complex") return pairsFromComplexParts(expr, scope, roles);
  if (name === "stack") return pairsFromStack(expr, scope, roles);
  if (name === null || !RESHAPE_FUNCTIONS.has(name)) return null;
  const operand = operandOf(expr);
  if (operand === null) return null;
  const from = { expr: operand, scope };
  if (name === "rearrange") return pairsFromRearrange(expr, from);
  const sizes = argumentsAfterOperand(expr).flatMap((size) =>
    size.kind === "sequence" ? size.items : size.kind === "binary" ? trailingSizes(size) : [size],
  );
  const [beforeLast, last] = sizes.slice(-2);
  if (last === undefined || beforeLast === undefined) return null;
  if (isNumberLiteral(last, 2) && !isNumberLiteral(beforeLast, 2))
    return { kind: "pairs", layout: "interleaved", from, complex: false, column: isNumberLiteral(beforeLast, 1) };
  const isRest = isNumberLiteral(last, -1) || undoHalving(last) !== last;
  return isNumberLiteral(beforeLast, 2) && isRest ? { kind: "pairs", layout: "half", from, complex: false } : null;
}

/** (-1, 2) of x.shape[:-1] + (-1, 2); any other sum or quotient is one size. */
function trailingSizes(size: Extract<Expr, { kind: "binary" }>): readonly Expr[] {
  return size.op === "+" && size.right.kind === "sequence" ? size.right.items : [size];
}

/** stack(chunk(x, 2, -1), -1): pairs whose members come from the two halves. */
function pairsFromStack(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const [items] = positionalArguments(call);
  const axis = keywordArgument(call, "dim", "axis") ?? positionalArguments(call)[1] ?? null;
  const parts = items === undefined || !isNumberLiteral(axis, -1) ? null : roles.resolve(items, scope);
  if (parts?.kind !== "tuple" || parts.items.length !== 2) return null;
  const [first, second] = parts.items.map((item) => asPairMember(item));
  if (first == null || second == null || first.part !== 0 || second.part !== 1) return null;
  return { kind: "pairs", layout: first.layout, from: first.from, complex: false };
}

function membersFromUnbind(call: CallExpr, scope: Scope, roles: RoleResolver): ValueRole | null {
  const operand = operandOf(call);
  const role = operand === null ? null : roles.resolve(operand, scope);
  if (role?.kind !== "pairs") return null;
  const part = (at: 0 | 1): ValueRole => ({
    kind: "member",
    part: at,
    layout: role.layout,
    from: role.from,
    key: `${call.from}`,
  });
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
  return { kind: "pairs", layout: real.layout, from: real.from, complex: true };
}

function pairsFromRearrange(call: CallExpr, from: { expr: Expr; scope: Scope }): ValueRole | null {
  const pattern = argumentsAfterOperand(call)[0];
  if (pattern?.kind !== "string") return null;
  const two =
    call.args.find((argument) => argument.keyword !== null && isNumberLiteral(argument.value, 2))?.keyword ?? null;
  const match = /\(\s*(\w+)\s+(\w+)\s*\)\s*->/.exec(pattern.value);
  if (two === null || match === null) return null;
  if (match[2] === two) return { kind: "pairs", layout: "interleaved", from, complex: false };
  return match[1] === two ? { kind: "pairs", layout: "half", from, complex: false } : null;
}

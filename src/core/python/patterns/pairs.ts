import { type Call, type Expr, isNumber, keywordArgument, lastName, positional } from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { operandOf, restOf } from "./calls.ts";
import { simplified } from "./factors.ts";
import type { Role } from "./role.ts";
import type { Roles } from "./roles.ts";
import { member } from "./rotation.ts";

const RESHAPES = new Set(["reshape", "view", "unflatten", "rearrange"]);

/** x.reshape(…, -1, 2): interleaved pairs; x.reshape(…, 2, -1): halves. */
export function pairsOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind !== "call") return null;
  const name = lastName(expr.callee);
  if (name === "unbind" || name === "unstack") return unbound(expr, scope, roles);
  if (name === "view_as_complex") return complex(expr, scope, roles);
  if (name === "complex") return ofParts(expr, scope, roles);
  if (name === "stack") return stacked(expr, scope, roles);
  if (name === null || !RESHAPES.has(name)) return null;
  const operand = operandOf(expr);
  if (operand === null) return null;
  const from = { expr: operand, scope };
  if (name === "rearrange") return rearranged(expr, from);
  const sizes = restOf(expr).flatMap((size) =>
    size.kind === "sequence" ? size.items : size.kind === "binary" ? tail(size) : [size],
  );
  const [beforeLast, last] = sizes.slice(-2);
  if (last === undefined || beforeLast === undefined) return null;
  if (isNumber(last, 2) && !isNumber(beforeLast, 2))
    return { kind: "pairs", layout: "interleaved", from, complex: false, column: isNumber(beforeLast, 1) };
  const rest = isNumber(last, -1) || simplified(last) !== last;
  return isNumber(beforeLast, 2) && rest ? { kind: "pairs", layout: "half", from, complex: false } : null;
}

/** (-1, 2) of x.shape[:-1] + (-1, 2); any other sum or quotient is one size. */
function tail(size: Extract<Expr, { kind: "binary" }>): readonly Expr[] {
  return size.op === "+" && size.right.kind === "sequence" ? size.right.items : [size];
}

/** stack(chunk(x, 2, -1), -1): pairs whose members stood in the two halves. */
function stacked(call: Call, scope: Scope, roles: Roles): Role | null {
  const [items] = positional(call);
  const axis = keywordArgument(call, "dim", "axis") ?? positional(call)[1] ?? null;
  const parts = items === undefined || !isNumber(axis, -1) ? null : roles.of(items, scope);
  if (parts?.kind !== "tuple" || parts.items.length !== 2) return null;
  const [first, second] = parts.items.map((item) => member(item));
  if (first == null || second == null || first.part !== 0 || second.part !== 1) return null;
  return { kind: "pairs", layout: first.layout, from: first.from, complex: false };
}

function unbound(call: Call, scope: Scope, roles: Roles): Role | null {
  const operand = operandOf(call);
  const role = operand === null ? null : roles.of(operand, scope);
  if (role?.kind !== "pairs") return null;
  const part = (at: 0 | 1): Role => ({
    kind: "member",
    part: at,
    layout: role.layout,
    from: role.from,
    key: `${call.from}`,
  });
  return { kind: "tuple", items: [part(0), part(1)] };
}

function complex(call: Call, scope: Scope, roles: Roles): Role | null {
  const operand = operandOf(call);
  if (operand === null) return null;
  const role = roles.of(operand, scope);
  if (role?.kind === "pairs") return { ...role, complex: true };
  return role?.kind === "wave" ? role : null;
}

/** complex(x[..., 0], x[..., 1]) */
function ofParts(call: Call, scope: Scope, roles: Roles): Role | null {
  const [real, imaginary] = positional(call).map((part) => member(roles.of(part, scope)));
  if (real == null || imaginary == null || real.part !== 0 || imaginary.part !== 1) return null;
  return { kind: "pairs", layout: real.layout, from: real.from, complex: true };
}

function rearranged(call: Call, from: { expr: Expr; scope: Scope }): Role | null {
  const pattern = restOf(call)[0];
  if (pattern?.kind !== "string") return null;
  const two = call.args.find((argument) => argument.keyword !== null && isNumber(argument.value, 2))?.keyword ?? null;
  const match = /\(\s*(\w+)\s+(\w+)\s*\)\s*->/.exec(pattern.value);
  if (two === null || match === null) return null;
  if (match[2] === two) return { kind: "pairs", layout: "interleaved", from, complex: false };
  return match[1] === two ? { kind: "pairs", layout: "half", from, complex: false } : null;
}

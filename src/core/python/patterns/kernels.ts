import { type Expr, isNumber, lastName, partsOf, positional } from "../parse/ast.ts";
import { attributesOf, classOf, isSelf, type Scope } from "../symbols/module.ts";
import { operandOf } from "./calls.ts";
import { logOf } from "./frequencies.ts";
import type { Role } from "./role.ts";
import type { Roles } from "./roles.ts";
import { product } from "./rotation.ts";

/**
 * Learned kernels of distances and products of sinusoids: −p·log(1 + a·δ) (KERPLE), log(|c·δ| + 1) / log(|c·L| + 1)
 * (FIRE), table · tableᵀ / (8h/H) (Sandwich).
 */
export function kernelOf(expr: Expr, scope: Scope, roles: Roles): Role | null {
  if (expr.kind !== "binary") return null;
  if (expr.op === "/" && isLogOfDistance(expr.left, scope, roles) && onePlus(expr.right, scope, roles) !== null)
    return { kind: "kernel", family: "fire" };
  if (expr.op === "/" && isGram(expr.left, scope, roles) && counts(expr.right, scope, roles))
    return { kind: "kernel", family: "sandwich" };
  const factors = product(expr);
  if (factors === null) return null;
  const [left, right] = factors;
  const learned =
    (isLogOfDistance(left, scope, roles) && isLearned(right, scope, roles)) ||
    (isLogOfDistance(right, scope, roles) && isLearned(left, scope, roles));
  return learned ? { kind: "kernel", family: "kerple" } : null;
}

/** log(1 + a · distance) with a trained a. */
function isLogOfDistance(expr: Expr, scope: Scope, roles: Roles): boolean {
  const inside = onePlus(expr, scope, roles);
  if (inside === null) return false;
  const factors = product(inside) ?? [];
  return (
    factors.some((factor) => isDistance(factor, scope, roles)) &&
    factors.some((factor) => isLearned(factor, scope, roles))
  );
}

function isDistance(expr: Expr, scope: Scope, roles: Roles): boolean {
  return roles.of(expr, scope)?.kind === "distance";
}

/** x of log(1 + x), log(x + 1), log1p(x), through its absolute value. */
function onePlus(expr: Expr, scope: Scope, roles: Roles): Expr | null {
  const written = roles.definition(expr, scope)?.expr ?? expr;
  const call = written.kind === "call" && lastName(written.callee) === "log1p" ? operandOf(written) : null;
  const sum = call === null ? logOf(written) : null;
  const inside =
    sum?.kind === "binary" && sum.op === "+"
      ? isNumber(sum.left, 1)
        ? sum.right
        : isNumber(sum.right, 1)
          ? sum.left
          : null
      : call;
  const isAbsolute = inside?.kind === "call" && /^(?:abs|absolute)$/.test(lastName(inside.callee) ?? "");
  return isAbsolute ? operandOf(inside) : inside;
}

/** A parameter of the module, by itself, clamped or made positive. */
function isLearned(expr: Expr, scope: Scope, roles: Roles, hops = 0): boolean {
  if (hops > 5) return false;
  const on = (part: Expr): boolean => isLearned(part, scope, roles, hops + 1);
  if (expr.kind === "unary") return on(expr.operand);
  if (expr.kind === "subscript") return on(expr.object);
  if (expr.kind === "call") {
    if (
      /^(?:Parameter|param|get_parameter|add_weight|create_parameter|get_variable)$/.test(lastName(expr.callee) ?? "")
    )
      return true;
    const operand = operandOf(expr);
    return operand !== null && on(operand);
  }
  if (expr.kind === "attribute" && isSelf(expr.object))
    return attributesOf(roles.module, classOf(scope), expr.name).some(
      ({ value, scope: owner }) => value !== null && isLearned(value, owner, roles, hops + 1),
    );
  const definition = roles.definition(expr, scope);
  return definition !== null && isLearned(definition.expr, definition.scope, roles, hops + 1);
}

/** table @ table.T of sines and cosines. */
function isGram(expr: Expr, scope: Scope, roles: Roles): boolean {
  if (expr.kind === "subscript") return isGram(expr.object, scope, roles);
  const written = roles.definition(expr, scope)?.expr ?? expr;
  const operands =
    written.kind === "binary" && written.op === "@"
      ? [written.left, written.right]
      : written.kind === "call" && lastName(written.callee) === "matmul"
        ? positional(written)
        : [];
  return operands.length === 2 && operands.every((operand) => roles.of(operand, scope)?.kind === "table");
}

/** A number for each head: arange(1, heads + 1) · 8 / heads. */
function counts(expr: Expr, scope: Scope, roles: Roles): boolean {
  const at = expr.kind === "subscript" ? expr.object : expr;
  const written = roles.definition(at, scope)?.expr ?? at;
  return roles.of(written, scope)?.kind === "range" || partsOf(written).some((part) => counts(part, scope, roles));
}

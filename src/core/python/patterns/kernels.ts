import { childExpressions, type Expr, isNumberLiteral, lastName, positionalArguments } from "../parse/ast.ts";
import { enclosingClass, findAttributeBindings, isSelf, type Scope } from "../symbols/module.ts";
import { operandOf } from "./calls.ts";
import { logArgument } from "./frequencies.ts";
import { productFactors } from "./products.ts";
import type { RoleResolver } from "./roleResolver.ts";
import type { ValueRole } from "./valueRole.ts";

/**
 * Kernels of distances: −p·log(1 + a·δ) (KERPLE), log(|c·δ| + 1) / log(|c·L| + 1) (FIRE), table · tableᵀ / (8h/H)
 * (Sandwich).
 */
export function matchKernel(expr: Expr, scope: Scope, roles: RoleResolver): ValueRole | null {
  if (expr.kind !== "binary") return null;
  if (
    expr.op === "/" &&
    isLogOfDistance(expr.left, scope, roles) &&
    logOnePlusArgument(expr.right, scope, roles) !== null
  )
    return { kind: "kernel", family: "fire" };
  if (expr.op === "/" && isGramMatrix(expr.left, scope, roles) && isPerHeadNumber(expr.right, scope, roles))
    return { kind: "kernel", family: "sandwich" };
  const factors = productFactors(expr);
  if (factors === null) return null;
  const [left, right] = factors;
  const learned =
    (isLogOfDistance(left, scope, roles) && isLearned(right, scope, roles)) ||
    (isLogOfDistance(right, scope, roles) && isLearned(left, scope, roles));
  return learned ? { kind: "kernel", family: "kerple" } : null;
}

/** log(1 + a · distance) with a trained a. */
function isLogOfDistance(expr: Expr, scope: Scope, roles: RoleResolver): boolean {
  const argument = logOnePlusArgument(expr, scope, roles);
  if (argument === null) return false;
  const factors = productFactors(argument) ?? [];
  return (
    factors.some((factor) => isDistance(factor, scope, roles)) &&
    factors.some((factor) => isLearned(factor, scope, roles))
  );
}

function isDistance(expr: Expr, scope: Scope, roles: RoleResolver): boolean {
  return roles.resolve(expr, scope)?.kind === "distance";
}

/** x or |x| in log(1 + x), log(x + 1), log1p(x). */
function logOnePlusArgument(expr: Expr, scope: Scope, roles: RoleResolver): Expr | null {
  const definition = roles.findDefinition(expr, scope)?.expr ?? expr;
  const log1pArgument =
    definition.kind === "call" && lastName(definition.callee) === "log1p" ? operandOf(definition) : null;
  const logOperand = log1pArgument === null ? logArgument(definition) : null;
  const argument =
    logOperand?.kind === "binary" && logOperand.op === "+"
      ? isNumberLiteral(logOperand.left, 1)
        ? logOperand.right
        : isNumberLiteral(logOperand.right, 1)
          ? logOperand.left
          : null
      : log1pArgument;
  const isAbsolute = argument?.kind === "call" && /^(?:abs|absolute)$/.test(lastName(argument.callee) ?? "");
  return isAbsolute ? operandOf(argument) : argument;
}

/** A learned parameter, also if clamped or made positive. */
function isLearned(expr: Expr, scope: Scope, roles: RoleResolver, hops = 0): boolean {
  if (hops > 5) return false;
  const isPartLearned = (part: Expr): boolean => isLearned(part, scope, roles, hops + 1);
  if (expr.kind === "unary") return isPartLearned(expr.operand);
  if (expr.kind === "subscript") return isPartLearned(expr.object);
  if (expr.kind === "call") {
    if (
      /^(?:Parameter|param|get_parameter|add_weight|create_parameter|get_variable)$/.test(lastName(expr.callee) ?? "")
    )
      return true;
    const operand = operandOf(expr);
    return operand !== null && isPartLearned(operand);
  }
  if (expr.kind === "attribute" && isSelf(expr.object))
    return findAttributeBindings(roles.module, enclosingClass(scope), expr.name).some(
      ({ value, scope: owner }) => value !== null && isLearned(value, owner, roles, hops + 1),
    );
  const definition = roles.findDefinition(expr, scope);
  return definition !== null && isLearned(definition.expr, definition.scope, roles, hops + 1);
}

/** table @ table.T of sines and cosines. */
function isGramMatrix(expr: Expr, scope: Scope, roles: RoleResolver): boolean {
  if (expr.kind === "subscript") return isGramMatrix(expr.object, scope, roles);
  const definition = roles.findDefinition(expr, scope)?.expr ?? expr;
  const operands =
    definition.kind === "binary" && definition.op === "@"
      ? [definition.left, definition.right]
      : definition.kind === "call" && lastName(definition.callee) === "matmul"
        ? positionalArguments(definition)
        : [];
  return operands.length === 2 && operands.every((operand) => roles.resolve(operand, scope)?.kind === "table");
}

/** A number for each head: arange(1, heads + 1) · 8 / heads. */
function isPerHeadNumber(expr: Expr, scope: Scope, roles: RoleResolver): boolean {
  const at = expr.kind === "subscript" ? expr.object : expr;
  const definition = roles.findDefinition(at, scope)?.expr ?? at;
  return (
    roles.resolve(definition, scope)?.kind === "range" ||
    childExpressions(definition).some((part) => isPerHeadNumber(part, scope, roles))
  );
}

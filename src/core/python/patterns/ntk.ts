import { type Expr, isNumberLiteral, lastName, positionalArguments } from "../parse/ast.ts";
import { findBindings, type Scope } from "../symbols/module.ts";
import { productFactors } from "./products.ts";
import type { RoleResolver } from "./roleResolver.ts";
import type { ScopedExpression } from "./valueRole.ts";

/** base · s ** (d / (d − 2)), and what it was computed from. */
export interface NtkScaling {
  readonly base: ScopedExpression;
  /** s, or the factor in s = factor · length / context − (factor − 1); null for s = 1, which scales nothing. */
  readonly factor: ScopedExpression | null;
  /** Names in `base` have the values from before this offset: `base = base * …`. */
  readonly at: number;
}

const POWER_FUNCTIONS = new Set(["pow", "power", "float_power"]);

/** s of s ** (d / (d − 2)); null for any other power. */
export function matchNtkPower(expr: Expr, scope: Scope, roles: RoleResolver): Expr | null {
  const isCall = expr.kind === "call" && POWER_FUNCTIONS.has(lastName(expr.callee) ?? "");
  const [power, exponent] = isCall
    ? positionalArguments(expr)
    : expr.kind === "binary" && expr.op === "**"
      ? [expr.left, expr.right]
      : [];
  if (power === undefined || exponent === undefined) return null;
  const quotient = exponent.kind === "binary" ? exponent : (roles.findDefinition(exponent, scope)?.expr ?? exponent);
  if (quotient.kind !== "binary" || quotient.op !== "/") return null;
  const { left, right } = quotient;
  const isNtk =
    right.kind === "binary" &&
    right.op === "-" &&
    isNumberLiteral(right.right, 2) &&
    roles.hasSameText(right.left, left);
  return isNtk ? power : null;
}

/** The scaling that a base was computed with; null for a base that is not scaled. */
export function findNtkScaling(base: ScopedExpression, roles: RoleResolver): NtkScaling | null {
  const definition = roles.findDefinition(base.expr, base.scope);
  const { expr, scope } = definition ?? base;
  const factors = productFactors(expr);
  if (factors === null) return null;
  for (const [index, candidate] of factors.entries()) {
    const other = factors[1 - index];
    const power = matchNtkPower(candidate, scope, roles);
    if (power === null || other === undefined) continue;
    const factor = findFactor(power, scope, roles);
    const isOne = roles.evaluator.evaluateNumber(factor, scope) === 1;
    return {
      base: { expr: other, scope },
      factor: isOne ? null : { expr: factor, scope },
      at: bindingStart(base, expr) ?? other.from,
    };
  }
  return null;
}

/** factor in factor · length / context − (factor − 1); any other expression unchanged. */
function findFactor(power: Expr, scope: Scope, roles: RoleResolver): Expr {
  const sum = power.kind === "binary" ? power : (roles.findDefinition(power, scope)?.expr ?? power);
  if (sum.kind !== "binary" || sum.op !== "-" || sum.right.kind !== "binary" || sum.right.op !== "-") return power;
  return isNumberLiteral(sum.right.right, 1) ? sum.right.left : power;
}

function bindingStart({ expr, scope }: ScopedExpression, value: Expr): number | null {
  if (expr.kind !== "name") return null;
  return findBindings(scope, expr.name).find((binding) => binding.value === value)?.span.from ?? null;
}

import type { PairLayout } from "../../spec.ts";
import { type Expr, isNumberLiteral, lastName, positionalArguments } from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { isPassThrough, operandOf } from "./calls.ts";
import { isHalf } from "./pairs.ts";
import { productFactors } from "./products.ts";
import type { RoleResolver } from "./roleResolver.ts";

/** Layout of two values that a kernel loads from addresses half a vector, or one element, apart. */
export function matchLoadedPair(first: Expr, second: Expr, scope: Scope, roles: RoleResolver): PairLayout | null {
  const a = findAddress(first, scope, roles);
  const b = findAddress(second, scope, roles);
  if (a === null || b === null) return null;
  const [from, to] = [addressTerms(a), addressTerms(b)];
  return distanceLayout(withoutTerms(from, to, roles), withoutTerms(to, from, roles), scope, roles);
}

/** Compares the terms that two addresses do not share, as written and then with the definitions of their offsets. */
function distanceLayout(
  from: readonly Expr[],
  to: readonly Expr[],
  scope: Scope,
  roles: RoleResolver,
): PairLayout | null {
  const [farFrom, farTo] = [expandTerms(from, scope, roles), expandTerms(to, scope, roles)];
  for (const [near, far] of [
    [from, to],
    [from, farTo],
    [to, farFrom],
    [farFrom, farTo],
  ] as const) {
    const layout = layoutOfDistance(near, far, scope, roles);
    if (layout !== null) return layout;
  }
  return null;
}

/** The address of `tl.load(address, mask=…)`, also if converted. */
function findAddress(expr: Expr, scope: Scope, roles: RoleResolver): Expr | null {
  let value = expr.kind === "name" ? (roles.findDefinition(expr, scope)?.expr ?? expr) : expr;
  for (let hops = 0; hops < 4 && value.kind === "call"; hops++) {
    if (lastName(value.callee) === "load") return positionalArguments(value)[0] ?? null;
    const operand = isPassThrough(value) ? operandOf(value) : null;
    if (operand === null) return null;
    value = operand;
  }
  return null;
}

function addressTerms(expr: Expr): readonly Expr[] {
  return expr.kind === "binary" && expr.op === "+" ? [...addressTerms(expr.left), ...addressTerms(expr.right)] : [expr];
}

/** Terms with the definitions of names that are sums. */
function expandTerms(terms: readonly Expr[], scope: Scope, roles: RoleResolver): readonly Expr[] {
  return terms.flatMap((term) => {
    const definition = term.kind === "name" ? roles.findDefinition(term, scope)?.expr : undefined;
    return definition?.kind === "binary" && definition.op === "+" ? addressTerms(definition) : [term];
  });
}

function layoutOfDistance(
  from: readonly Expr[],
  to: readonly Expr[],
  scope: Scope,
  roles: RoleResolver,
): PairLayout | null {
  const added = withoutTerms(to, from, roles);
  const [distance] = added;
  if (distance === undefined || added.length > 1 || withoutTerms(from, to, roles).length > 0) return null;
  const factors = productFactors(distance) ?? [distance];
  if (factors.some((factor) => isHalf(factor, scope, roles))) return "half";
  return factors.some((factor) => isNumberLiteral(factor, 1)) ? "interleaved" : null;
}

function withoutTerms(terms: readonly Expr[], others: readonly Expr[], roles: RoleResolver): readonly Expr[] {
  return terms.filter((term) => !others.some((other) => roles.hasSameText(term, other)));
}

import {
  type CallExpr,
  childExpressions,
  type Expr,
  isNumberLiteral,
  lastName,
  positionalArguments,
} from "../parse/ast.ts";
import { enclosingClass, findAttributeBindings, isSelf, type Scope } from "../symbols/module.ts";
import { argumentAt, operandOf } from "./calls.ts";
import { productFactors } from "./products.ts";
import type { RoleResolver } from "./roleResolver.ts";
import type { ScopedExpression } from "./valueRole.ts";

/** Which distances get buckets of their own. */
export type BucketDirection =
  /** Both directions, or only keys before the query. */
  | { readonly kind: "fixed"; readonly bidirectional: boolean }
  /** Decided by a flag; `inverted` if it is true for one direction (`causal`). */
  | { readonly kind: "flag"; readonly flag: ScopedExpression; readonly inverted: boolean }
  | { readonly kind: "unknown" };

interface Signs {
  /** (δ > 0) · buckets: one half of the table for each direction. */
  halves: boolean;
  /** |δ| */
  magnitude: boolean;
  /** max(δ, 0), −min(δ, 0) */
  oneSided: boolean;
}

/** Reads the direction from the function that computes the buckets. */
export function findBucketDirection(scope: Scope, roles: RoleResolver): BucketDirection {
  const signs: Signs = { halves: false, magnitude: false, oneSided: false };
  for (const expr of scope.expressions) collectSigns(expr, signs);
  const flag = findFlag(scope, roles);
  if (flag !== null && (signs.halves || signs.oneSided)) return flag;
  if (signs.halves && !signs.oneSided) return { kind: "fixed", bidirectional: true };
  if (signs.oneSided && !signs.halves && !signs.magnitude) return { kind: "fixed", bidirectional: false };
  return { kind: "unknown" };
}

const FLAG = /^_?(?:is_)?(?:bidirectional|causal|unidirectional|decoder)$/;

/** A parameter or attribute by its name, used in the function. */
function findFlag(scope: Scope, roles: RoleResolver): BucketDirection | null {
  const used = scope.expressions.flatMap((expr) => findFlagUse(expr) ?? []);
  const param = scope.params.find(({ name }) => FLAG.test(name));
  const expr: Expr | undefined =
    used[0] ?? (param === undefined ? undefined : { kind: "name", name: param.name, from: param.to, to: param.to });
  if (expr === undefined) return null;
  const isKnown =
    expr.kind !== "attribute" || findAttributeBindings(roles.module, enclosingClass(scope), expr.name).length > 0;
  const inverted = !/bidirectional/.test(lastName(expr) ?? "");
  return isKnown ? { kind: "flag", flag: { expr, scope }, inverted } : { kind: "unknown" };
}

function findFlagUse(expr: Expr): Expr | null {
  if (expr.kind === "name" || (expr.kind === "attribute" && isSelf(expr.object)))
    return FLAG.test(expr.name) ? expr : null;
  for (const part of childExpressions(expr)) {
    const found = findFlagUse(part);
    if (found !== null) return found;
  }
  return null;
}

function collectSigns(expr: Expr, signs: Signs): void {
  const factors = productFactors(expr);
  if (factors?.some(isComparisonWithZero) === true) signs.halves = true;
  if (expr.kind === "call") collectSignsOfCall(expr, signs);
  for (const part of childExpressions(expr)) collectSigns(part, signs);
}

function collectSignsOfCall(call: CallExpr, signs: Signs): void {
  const name = lastName(call.callee) ?? "";
  if (/^(?:abs|absolute)_?$/.test(name)) signs.magnitude = true;
  if (name === "relu") signs.oneSided = true;
  if (/^(?:min|max|minimum|maximum|clamp_min|clamp_max)$/.test(name) && call.args.some(({ value }) => isZero(value)))
    signs.oneSided = true;
  if (/^(?:clamp|clip|clamp_)$/.test(name) && isZero(argumentAt(call, 0, "min", "a_min", "max", "a_max")))
    signs.oneSided = true;
  if (name === "where") {
    const [test, yes, no] = positionalArguments(call);
    if (test !== undefined && isComparisonWithZero(test) && [yes, no].some((branch) => isZero(branch ?? null)))
      signs.halves = true;
  }
}

/** 0, zeros_like(…), zeros(…). */
function isZero(expr: Expr | null): boolean {
  if (expr?.kind === "call")
    return /^(?:zeros(?:_like)?|tensor|constant|array)$/.test(lastName(expr.callee) ?? "") && isZeroCall(expr);
  return isNumberLiteral(expr, 0);
}

function isZeroCall(call: CallExpr): boolean {
  return /^zeros/.test(lastName(call.callee) ?? "") || isNumberLiteral(positionalArguments(call)[0], 0);
}

/** δ > 0, also as `greater(δ, 0)` and cast to a number. */
function isComparisonWithZero(expr: Expr): boolean {
  if (expr.kind === "binary" && /^[<>]=?$/.test(expr.op)) return isZero(expr.left) || isZero(expr.right);
  if (expr.kind !== "call") return false;
  const args = positionalArguments(expr);
  if (/^(?:greater|less|gt|lt|greater_equal|less_equal|ge|le)$/.test(lastName(expr.callee) ?? ""))
    return args.some((argument) => isZero(argument));
  const operand = operandOf(expr);
  return operand !== null &&
    /^(?:to|long|int|astype|cast|type|float|type_as|to_int32|where)$/i.test(lastName(expr.callee) ?? "")
    ? isComparisonWithZero(operand)
    : false;
}

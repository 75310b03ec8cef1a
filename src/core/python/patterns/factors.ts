import { type Expr, isNumberLiteral, lastName } from "../parse/ast.ts";
import { enclosingClass, findBindings, isSelf, type Scope } from "../symbols/module.ts";
import { isPassThrough, operandOf } from "./calls.ts";
import type { RoleResolver } from "./roleResolver.ts";
import type { ScopedExpression } from "./valueRole.ts";

/** A factorised product: sign · Π numerator / Π denominator. */
export interface Factors {
  readonly sign: 1 | -1;
  readonly numerator: readonly ScopedExpression[];
  readonly denominator: readonly ScopedExpression[];
  /** An index was floor-divided by two: `i // 2`. */
  readonly halved: boolean;
}

const NO_FACTORS: Factors = { sign: 1, numerator: [], denominator: [], halved: false };
const MAX_DEFINITION_HOPS = 12;

/** Factors of an expression; names are replaced by their definitions. */
export function factorise(expr: Expr, scope: Scope, roles: RoleResolver, hops = 0): Factors {
  if (hops > MAX_DEFINITION_HOPS) return { ...NO_FACTORS, numerator: [{ expr, scope }] };
  const inner = (part: Expr): Factors => factorise(part, scope, roles, hops + 1);
  if (expr.kind === "unary" && expr.op === "-") return negateFactors(inner(expr.operand));
  if (expr.kind === "binary") {
    if (expr.op === "*") return multiplyFactors(inner(expr.left), inner(expr.right));
    if (expr.op === "/") return multiplyFactors(inner(expr.left), invertFactors(inner(expr.right)));
    if (expr.op === "//" && isNumberLiteral(expr.right, 2)) return { ...inner(expr.left), halved: true };
  }
  if (expr.kind === "subscript") return inner(expr.object);
  if (expr.kind === "call") {
    const operand = operandOf(expr);
    if (operand !== null && (isPassThrough(expr) || lastName(expr.callee) === "negative")) {
      return lastName(expr.callee) === "negative" ? negateFactors(inner(operand)) : inner(operand);
    }
    if (operand !== null && PRODUCT_FUNCTIONS.has(lastName(expr.callee) ?? ""))
      return factoriseCall(expr, operand, inner);
  }
  const definition = findDefinition(expr, scope);
  if (definition !== null && isProduct(definition.expr))
    return factorise(definition.expr, definition.scope, roles, hops + 1);
  return { ...NO_FACTORS, numerator: [{ expr, scope }] };
}

const PRODUCT_FUNCTIONS = new Set(["div", "divide", "true_divide", "mul", "multiply", "floor_divide"]);

function factoriseCall(expr: Extract<Expr, { kind: "call" }>, operand: Expr, inner: (part: Expr) => Factors): Factors {
  const other = expr.args.filter((argument) => argument.keyword === null && argument.value !== operand)[0]?.value;
  if (other === undefined) return inner(operand);
  const name = lastName(expr.callee) ?? "";
  if (name === "floor_divide") return { ...inner(operand), halved: true };
  return multiplyFactors(inner(operand), name.startsWith("mul") ? inner(other) : invertFactors(inner(other)));
}

function negateFactors(factors: Factors): Factors {
  return { ...factors, sign: factors.sign === 1 ? -1 : 1 };
}

function invertFactors(factors: Factors): Factors {
  // Only an index counts as halved, not a divisor: i / (d // 2).
  return { ...factors, numerator: factors.denominator, denominator: factors.numerator, halved: false };
}

function multiplyFactors(a: Factors, b: Factors): Factors {
  return {
    sign: a.sign === b.sign ? 1 : -1,
    numerator: [...a.numerator, ...b.numerator],
    denominator: [...a.denominator, ...b.denominator],
    halved: a.halved || b.halved,
  };
}

/** The expression that defines a name or attribute at this place. */
export function findDefinition(expr: Expr, scope: Scope): ScopedExpression | null {
  if (expr.kind === "name") {
    const bindings = findBindings(scope, expr.name);
    const local = bindings[0]?.scope === scope && scope.kind === "function";
    const before = bindings
      .filter((binding) => !local || (binding.span.from < expr.from && !isWithin(binding.value, expr)))
      .at(-1);
    const usable =
      before !== undefined && (before.kind === "assign" || before.kind === "update") && before.path.length === 0;
    return usable && before.value !== null ? { expr: before.value, scope: before.scope } : null;
  }
  if (expr.kind === "attribute" && isSelf(expr.object)) {
    const owner = enclosingClass(scope);
    const binding = owner?.attributes.get(expr.name)?.at(-1);
    const usable =
      binding !== undefined && binding.kind === "assign" && binding.path.length === 0 && binding.value !== null;
    return usable && binding.value !== null ? { expr: binding.value, scope: binding.scope } : null;
  }
  return null;
}

/** True if the name occurs in its own new value: `w = 1 / w`. */
function isWithin(value: Expr | null, expr: Expr): boolean {
  return value !== null && value.from <= expr.from && expr.to <= value.to;
}

function isProduct(expr: Expr): boolean {
  if (expr.kind === "binary") return expr.op === "*" || expr.op === "/" || expr.op === "//";
  if (expr.kind === "unary") return expr.op === "-";
  if (expr.kind === "subscript") return isProduct(expr.object);
  return (
    expr.kind === "call" &&
    (lastName(expr.callee) === "log" || isPassThrough(expr) || lastName(expr.callee) === "arange")
  );
}

/** d for `d // 2` and `int(d / 2)`; any other expression unchanged. */
export function undoHalving(expr: Expr): Expr {
  if (expr.kind === "call" && (lastName(expr.callee) === "int" || isPassThrough(expr))) {
    const operand = operandOf(expr);
    const inner = operand === null ? expr : undoHalving(operand);
    return inner === operand ? expr : inner;
  }
  const halves = expr.kind === "binary" && (expr.op === "//" || expr.op === "/") && isNumberLiteral(expr.right, 2);
  return halves ? expr.left : expr;
}

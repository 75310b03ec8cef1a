import { type Expr, isNumber, lastName } from "../parse/ast.ts";
import { bindingsOf, classOf, isSelf, type Scope } from "../symbols/module.ts";
import { isTransparent, operandOf } from "./calls.ts";
import type { Ref } from "./role.ts";
import type { Roles } from "./roles.ts";

/** A product taken apart: sign · Π numerator / Π denominator. */
export interface Factors {
  readonly sign: 1 | -1;
  readonly numerator: readonly Ref[];
  readonly denominator: readonly Ref[];
  /** An index was floor-divided by two: i // 2. */
  readonly halved: boolean;
}

const EMPTY: Factors = { sign: 1, numerator: [], denominator: [], halved: false };
const MAX_HOPS = 12;

/** Factors of an expression, through the definitions of the names in it. */
export function factorsOf(expr: Expr, scope: Scope, roles: Roles, hops = 0): Factors {
  if (hops > MAX_HOPS) return { ...EMPTY, numerator: [{ expr, scope }] };
  const inner = (part: Expr): Factors => factorsOf(part, scope, roles, hops + 1);
  if (expr.kind === "unary" && expr.op === "-") return negate(inner(expr.operand));
  if (expr.kind === "binary") {
    if (expr.op === "*") return multiply(inner(expr.left), inner(expr.right));
    if (expr.op === "/") return multiply(inner(expr.left), invert(inner(expr.right)));
    if (expr.op === "//" && isNumber(expr.right, 2)) return { ...inner(expr.left), halved: true };
  }
  if (expr.kind === "subscript") return inner(expr.object);
  if (expr.kind === "call") {
    const operand = operandOf(expr);
    if (operand !== null && (isTransparent(expr) || lastName(expr.callee) === "negative")) {
      return lastName(expr.callee) === "negative" ? negate(inner(operand)) : inner(operand);
    }
    if (operand !== null && DIVISIONS.has(lastName(expr.callee) ?? "")) return called(expr, operand, inner);
  }
  const definition = definitionOf(expr, scope);
  if (definition !== null && isProduct(definition.expr))
    return factorsOf(definition.expr, definition.scope, roles, hops + 1);
  return { ...EMPTY, numerator: [{ expr, scope }] };
}

const DIVISIONS = new Set(["div", "divide", "true_divide", "mul", "multiply", "floor_divide"]);

function called(expr: Extract<Expr, { kind: "call" }>, operand: Expr, inner: (part: Expr) => Factors): Factors {
  const other = expr.args.filter((argument) => argument.keyword === null && argument.value !== operand)[0]?.value;
  if (other === undefined) return inner(operand);
  const name = lastName(expr.callee) ?? "";
  if (name === "floor_divide") return { ...inner(operand), halved: true };
  return multiply(inner(operand), name.startsWith("mul") ? inner(other) : invert(inner(other)));
}

function negate(factors: Factors): Factors {
  return { ...factors, sign: factors.sign === 1 ? -1 : 1 };
}

function invert(factors: Factors): Factors {
  // An index is halved, never what it is divided by: i / (d // 2).
  return { ...factors, numerator: factors.denominator, denominator: factors.numerator, halved: false };
}

function multiply(a: Factors, b: Factors): Factors {
  return {
    sign: a.sign === b.sign ? 1 : -1,
    numerator: [...a.numerator, ...b.numerator],
    denominator: [...a.denominator, ...b.denominator],
    halved: a.halved || b.halved,
  };
}

/** The expression that a name or attribute stands for at this place. */
export function definitionOf(expr: Expr, scope: Scope): Ref | null {
  if (expr.kind === "name") {
    const bindings = bindingsOf(scope, expr.name);
    const local = bindings[0]?.scope === scope && scope.kind === "function";
    const before = bindings
      .filter((binding) => !local || (binding.span.from < expr.from && !contains(binding.value, expr)))
      .at(-1);
    const usable =
      before !== undefined && (before.kind === "assign" || before.kind === "update") && before.path.length === 0;
    return usable && before.value !== null ? { expr: before.value, scope: before.scope } : null;
  }
  if (expr.kind === "attribute" && isSelf(expr.object)) {
    const owner = classOf(scope);
    const binding = owner?.attributes.get(expr.name)?.at(-1);
    const usable =
      binding !== undefined && binding.kind === "assign" && binding.path.length === 0 && binding.value !== null;
    return usable && binding.value !== null ? { expr: binding.value, scope: binding.scope } : null;
  }
  return null;
}

/** The name stands in the very value that would define it: `w = 1 / w`. */
function contains(value: Expr | null, expr: Expr): boolean {
  return value !== null && value.from <= expr.from && expr.to <= value.to;
}

function isProduct(expr: Expr): boolean {
  if (expr.kind === "binary") return expr.op === "*" || expr.op === "/" || expr.op === "//";
  if (expr.kind === "unary") return expr.op === "-";
  if (expr.kind === "subscript") return isProduct(expr.object);
  return (
    expr.kind === "call" &&
    (lastName(expr.callee) === "log" || isTransparent(expr) || lastName(expr.callee) === "arange")
  );
}

/** d for `d // 2`, `int(d / 2)`, `d >> 1`; anything else is returned as it is. */
export function simplified(expr: Expr): Expr {
  if (expr.kind === "call" && (lastName(expr.callee) === "int" || isTransparent(expr))) {
    const operand = operandOf(expr);
    const inner = operand === null ? expr : simplified(operand);
    return inner === operand ? expr : inner;
  }
  const halves = expr.kind === "binary" && (expr.op === "//" || expr.op === "/") && isNumber(expr.right, 2);
  return halves ? expr.left : expr;
}

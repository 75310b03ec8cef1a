import { type CallExpr, type Expr, lastName, positionalArguments } from "../parse/ast.ts";
import type { Scope } from "../symbols/module.ts";
import { isLibraryModule, isPassThrough, operandOf } from "./calls.ts";
import type { RoleResolver } from "./roleResolver.ts";

/** Both operands of a score: the left factor of a product of vectors, and the right one. */
export interface Bilinear {
  readonly left: Expr;
  readonly right: Expr;
}

const PRODUCT_FUNCTIONS = new Set(["matmul", "dot", "bmm", "inner", "vdot", "mm"]);

/** a @ b, matmul(a, b), a.dot(b), einsum("…", a, b), (a * b).sum(); scaled or not. */
export function matchBilinear(expr: Expr, scope: Scope, roles: RoleResolver): Bilinear | null {
  if (expr.kind === "binary" && expr.op === "@") return { left: firstFactor(expr), right: expr.right };
  if (expr.kind === "binary" && (expr.op === "*" || expr.op === "/")) {
    if (roles.isScalar(expr.right, scope)) return matchBilinear(expr.left, scope, roles);
    return expr.op === "*" && roles.isScalar(expr.left, scope) ? matchBilinear(expr.right, scope, roles) : null;
  }
  return expr.kind === "call" ? bilinearOfCall(expr, scope, roles) : null;
}

function bilinearOfCall(call: CallExpr, scope: Scope, roles: RoleResolver): Bilinear | null {
  const name = lastName(call.callee) ?? "";
  const args = positionalArguments(call);
  const [equation, first, second] = args;
  if (name === "einsum" && first !== undefined && second !== undefined && equation?.kind === "string")
    return { left: first, right: second };
  if (PRODUCT_FUNCTIONS.has(name)) {
    const receiver =
      call.callee.kind === "attribute" && !isLibraryModule(call.callee.object) ? call.callee.object : null;
    const [left, right] = receiver === null ? args : [receiver, args[0]];
    return left === undefined || right === undefined ? null : { left, right };
  }
  const operand = operandOf(call);
  if (name === "sum" && operand?.kind === "binary" && operand.op === "*")
    return { left: operand.left, right: operand.right };
  // rel_shift(…) moves the scores of a product, it keeps them.
  const isMoved = args.length >= 1 && (isPassThrough(call) || /shift|skew/i.test(name));
  const moved = isMoved ? (isPassThrough(call) ? operand : (args[0] ?? null)) : null;
  return moved === null ? null : matchBilinear(moved, scope, roles);
}

function firstFactor(expr: Expr): Expr {
  return expr.kind === "binary" && expr.op === "@" ? firstFactor(expr.left) : expr;
}

/** x of x @ W, (x @ W).T, self.project(x), x[i] and of names for them. */
export function findVector(expr: Expr, scope: Scope, roles: RoleResolver, hops = 0): Expr {
  if (hops > 10) return expr;
  const inner = (part: Expr): Expr => findVector(part, scope, roles, hops + 1);
  if (expr.kind === "binary" && expr.op === "@") return inner(expr.left);
  if (expr.kind === "subscript") return inner(expr.object);
  if (expr.kind === "attribute") return expr.name === "T" || expr.name === "mT" ? inner(expr.object) : expr;
  if (expr.kind === "call") {
    const operand = isPassThrough(expr) ? operandOf(expr) : null;
    if (operand !== null) return inner(operand);
    const args = positionalArguments(expr);
    const [only] = args;
    return only !== undefined && args.length === 1 ? inner(only) : expr;
  }
  if (expr.kind !== "name") return expr;
  const definition = findLocalValue(expr, scope, roles);
  return definition?.kind === "call" || definition?.kind === "binary" ? inner(definition) : expr;
}

/** The value of a name of this function, also of one in `a, b = f(x), g(x)`. */
export function findLocalValue(expr: Expr, scope: Scope, roles: RoleResolver): Expr | null {
  if (expr.kind !== "name") return null;
  const definition = roles.findDefinition(expr, scope);
  if (definition !== null) return definition.scope === scope ? definition.expr : null;
  const binding = scope.bindings.get(expr.name)?.findLast(({ span }) => span.from < expr.from);
  const [index, ...deeper] = binding?.path ?? [];
  if (binding?.value?.kind !== "sequence" || index === undefined || deeper.length > 0) return null;
  return binding.value.items[index] ?? null;
}

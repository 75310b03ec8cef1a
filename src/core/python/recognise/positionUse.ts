import { childExpressions, type Expr, isNumberLiteral } from "../parse/ast.ts";
import { isPassThrough, operandOf } from "../patterns/calls.ts";
import { productFactors } from "../patterns/products.ts";
import { isSelf, type Occurrence, type Scope } from "../symbols/module.ts";
import { type AnalysedCode, outermostDefinition } from "./analysedCode.ts";
import { POSITION_TABLE_NAME } from "./names/absolute.ts";
import type { Recognition } from "./recognition.ts";
import { toSnakeCase } from "./snakeCase.ts";

/** Names of vectors that are added to content, and of those that it is multiplied with. */
interface Uses {
  readonly added: Set<string>;
  readonly multiplied: Set<string>;
}

const usesByCode = new WeakMap<AnalysedCode, Map<Scope, Uses>>();

/** Numbers, masks and gains; a table times one of them is still a table that is added. */
const NOT_CONTENT =
  /scale|gain|alpha|beta|gamma|mask|weight|factor|gate|keep|valid|dropout|coef|temperature|lambda|cos|sin/;

/** A table whose rows content is multiplied with, and never added to, is multiplicative. */
export function correctByUse(code: AnalysedCode, recognition: Recognition, occurrence: Occurrence): Recognition {
  const isAdditive = recognition.encoding === "learned_absolute" || recognition.encoding === "sinusoidal";
  if (!isAdditive || recognition.part !== "table" || recognition.importedCode !== undefined) return recognition;
  const owner = outermostDefinition(occurrence.definedScope ?? occurrence.scope);
  if (owner.kind === "module") return recognition;
  const { added, multiplied } = findUses(code, owner);
  const tables =
    occurrence.definedScope === null
      ? [occurrence.name]
      : [...multiplied, ...added].filter((name) => isTableName(name));
  const isMultiplied = tables.some((name) => multiplied.has(name)) && !tables.some((name) => added.has(name));
  return isMultiplied ? { ...recognition, recogniser: "structure/product", encoding: "multiplicative" } : recognition;
}

function isTableName(name: string): boolean {
  return POSITION_TABLE_NAME.test(toSnakeCase(name));
}

function findUses(code: AnalysedCode, owner: Scope): Uses {
  const known = usesByCode.get(code) ?? new Map<Scope, Uses>();
  usesByCode.set(code, known);
  const cached = known.get(owner);
  if (cached !== undefined) return cached;
  const uses: Uses = { added: new Set(), multiplied: new Set() };
  known.set(owner, uses);
  collectScope(code, owner, uses);
  return uses;
}

function collectScope(code: AnalysedCode, scope: Scope, uses: Uses): void {
  for (const expr of scope.expressions) collectUses(code, expr, scope, uses);
  // h *= p is an assignment of h * p.
  for (const binding of [...scope.bindings.values()].flat())
    if (binding.kind === "update" && binding.value !== null) collectUses(code, binding.value, scope, uses);
  for (const child of scope.children) collectScope(code, child, uses);
}

function collectUses(code: AnalysedCode, expr: Expr, scope: Scope, uses: Uses): void {
  if (expr.kind === "binary" && expr.op === "+")
    for (const side of [expr.left, expr.right]) for (const name of vectorNames(code, side, scope)) uses.added.add(name);
  const factors = productFactors(expr);
  for (const [index, side] of factors?.entries() ?? []) {
    const other = factors?.[1 - index];
    if (other === undefined || !isContent(code, other, scope)) continue;
    for (const name of vectorNames(code, side, scope)) uses.multiplied.add(name);
  }
  for (const part of childExpressions(expr)) collectUses(code, part, scope, uses);
}

/** The local name of a vector and that of the table that it was looked up in. */
function vectorNames(code: AnalysedCode, expr: Expr, scope: Scope, hops = 0): readonly string[] {
  if (hops > 6) return [];
  if (expr.kind === "subscript") return vectorNames(code, expr.object, scope, hops + 1);
  if (expr.kind === "attribute")
    return isSelf(expr.object) ? [expr.name] : vectorNames(code, expr.object, scope, hops + 1);
  if (expr.kind === "call") {
    const operand = isPassThrough(expr) ? operandOf(expr) : null;
    if (operand !== null) return vectorNames(code, operand, scope, hops + 1);
    const { callee } = expr;
    return callee.kind === "name" || (callee.kind === "attribute" && isSelf(callee.object)) ? [callee.name] : [];
  }
  if (expr.kind !== "name") return [];
  const definition = code.roles.findDefinition(expr, scope);
  const isLookup = definition !== null && (definition.expr.kind === "call" || definition.expr.kind === "subscript");
  return isLookup ? [expr.name, ...vectorNames(code, definition.expr, definition.scope, hops + 1)] : [expr.name];
}

/** True for the vectors of tokens, and not for numbers and masks. */
function isContent(code: AnalysedCode, expr: Expr, scope: Scope): boolean {
  if (code.roles.isScalar(expr, scope) || isNumberLiteral(expr, 1) || expr.kind === "number") return false;
  const names = vectorNames(code, expr, scope);
  if (names.length === 0 || names.some((name) => NOT_CONTENT.test(toSnakeCase(name)) || isTableName(name)))
    return false;
  return names.some((name) =>
    /^(?:x|h|e|w)$|tok|word|emb|input|content|hidden|char|lookup|patch/.test(toSnakeCase(name)),
  );
}

import { type CallExpr, childExpressions, type Expr, lastName, positionalArguments } from "../parse/ast.ts";
import { isPassThrough, operandOf } from "../patterns/calls.ts";
import type { ValueRole } from "../patterns/valueRole.ts";
import { enclosingClass, findAttributeBindings, isSelf, type Occurrence, type Scope } from "../symbols/module.ts";
import { type AnalysedCode, outermostDefinition } from "./analysedCode.ts";
import type { Recognition } from "./recognition.ts";
import { recogniseRole } from "./structural.ts";

type DistanceRole = Extract<ValueRole, { kind: "distance" | "bucket" }>;

/** By the name of the table. */
type Lookups = ReadonlyMap<string, DistanceRole>;

const lookupsByCode = new WeakMap<AnalysedCode, Map<Scope, Lookups>>();

/** Recognises a trained table by the distances or buckets that select its rows. */
export function recogniseDistanceTable(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  const { expr, name, scope } = occurrence;
  if (expr?.kind !== "attribute" || !isSelf(expr.object)) return null;
  const owner = enclosingClass(scope);
  const isTable = findAttributeBindings(code.module, owner, name).some(
    ({ value }) => value !== null && isCreation(value),
  );
  const role = isTable && owner !== null ? findLookups(code, owner).get(name) : undefined;
  return role === undefined ? null : tableRecognition(code, role, owner ?? scope);
}

/** Recognises the rows that distances or buckets select from a table of this class: `self.table(distances)`. */
export function recogniseDistanceRows(code: AnalysedCode, value: Expr, scope: Scope): Recognition | null {
  const owner = enclosingClass(scope);
  const [first] = lookupOf(value.kind === "call" && isPassThrough(value) ? (operandOf(value) ?? value) : value);
  const role = owner === null || first === undefined ? undefined : findLookups(code, owner).get(first[0]);
  const found = role === undefined || owner === null ? null : recogniseRole(code, role, owner);
  return found === null ? null : { ...found, part: role?.kind === "bucket" ? "bias" : "relative table" };
}

/** Recognises a class by the distances that select rows of its own tables. */
export function recogniseDistanceClass(code: AnalysedCode, owner: Scope): Recognition | null {
  const [role] = findLookups(code, owner).values();
  return role === undefined ? null : tableRecognition(code, role, owner);
}

function tableRecognition(code: AnalysedCode, role: DistanceRole, scope: Scope): Recognition | null {
  const found = recogniseRole(code, role, scope);
  return found === null ? null : { ...found, part: role.kind === "bucket" ? "buckets" : "relative table" };
}

/** Embedding(…), Parameter(…) and their like in other libraries. */
function isCreation(value: Expr): boolean {
  return (
    value.kind === "call" &&
    /^(?:Embed(?:ding)?|Parameter|param|add_weight|get_variable|create_parameter|zeros|randn?|normal)$/.test(
      lastName(value.callee) ?? "",
    )
  );
}

function findLookups(code: AnalysedCode, owner: Scope): Lookups {
  const definition = outermostDefinition(owner);
  const known = lookupsByCode.get(code) ?? new Map<Scope, Lookups>();
  lookupsByCode.set(code, known);
  const cached = known.get(definition);
  if (cached !== undefined) return cached;
  const lookups = new Map<string, DistanceRole>();
  known.set(definition, lookups);
  collectScope(code, definition, lookups);
  return lookups;
}

function collectScope(code: AnalysedCode, scope: Scope, lookups: Map<string, DistanceRole>): void {
  for (const expr of scope.expressions) collectLookups(code, expr, scope, lookups);
  for (const child of scope.children) collectScope(code, child, lookups);
}

function collectLookups(code: AnalysedCode, expr: Expr, scope: Scope, lookups: Map<string, DistanceRole>): void {
  for (const [table, index] of lookupOf(expr)) {
    const role = code.roles.resolve(index, scope);
    const isBounded = role?.kind === "bucket" || (role?.kind === "distance" && role.bound !== null);
    if (isBounded && !lookups.has(table)) lookups.set(table, role);
  }
  for (const part of childExpressions(expr)) collectLookups(code, part, scope, lookups);
}

/** The table and the index of self.table[index], self.table(index), embedding(index, self.table). */
function lookupOf(expr: Expr): readonly (readonly [string, Expr])[] {
  if (expr.kind === "subscript") {
    const name = attributeOfSelf(expr.object);
    return name === null ? [] : expr.indices.map((index) => [name, index] as const);
  }
  if (expr.kind !== "call") return [];
  const [first] = positionalArguments(expr);
  const name = attributeOfSelf(expr.callee);
  if (name !== null && first !== undefined) return [[name, first]];
  return /^(?:embedding|embedding_lookup|gather|take|index_select)$/.test(lastName(expr.callee) ?? "")
    ? lookupByFunction(expr)
    : [];
}

function lookupByFunction(call: CallExpr): readonly (readonly [string, Expr])[] {
  const args = positionalArguments(call);
  return args.flatMap((table) => {
    const name = attributeOfSelf(table);
    return name === null ? [] : args.flatMap((index) => (index === table ? [] : [[name, index] as const]));
  });
}

function attributeOfSelf(expr: Expr): string | null {
  return expr.kind === "attribute" && isSelf(expr.object) ? expr.name : null;
}

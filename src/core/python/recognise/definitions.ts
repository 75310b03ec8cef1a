import { type CallExpr, type Expr, lastName } from "../parse/ast.ts";
import { isPassThrough, joinedItems, joinKind, operandOf } from "../patterns/calls.ts";
import { isBindingBefore } from "../patterns/roleResolver.ts";
import type { ValueRole } from "../patterns/valueRole.ts";
import {
  type Binding,
  enclosingClass,
  findAttributeBindings,
  findBindings,
  isSelf,
  type Occurrence,
  type Scope,
} from "../symbols/module.ts";
import type { AnalysedCode } from "./analysedCode.ts";
import { recogniseDefinition } from "./recogniseDefinition.ts";
import type { Recognition } from "./recognition.ts";
import { recogniseRole } from "./structural.ts";

/** The class or function of this file that a call refers to. */
export function findCalledScope(call: CallExpr, scope: Scope): Scope | null {
  return call.callee.kind === "name" ? (findBindings(scope, call.callee.name).at(-1)?.definedScope ?? null) : null;
}
/** Bindings that a name or attribute may refer to. */
export function findDefinitions(code: AnalysedCode, occurrence: Occurrence): readonly Binding[] {
  const { expr, scope, name } = occurrence;
  if (expr?.kind === "attribute")
    return isSelf(expr.object) ? findAttributeBindings(code.module, enclosingClass(scope), name) : [];
  if (occurrence.kind === "keyword" || occurrence.kind === "attribute") return [];
  return nearestFirst(findBindings(scope, name), occurrence);
}

/** Of a name that is bound thousands of times, those before and after a place. */
const MAX_BINDINGS = 64;

/** The bindings around an offset, at most as many as are looked at; bindings are in the order of the file. */
function bindingsAround(bindings: readonly Binding[], at: number): readonly Binding[] {
  if (bindings.length <= MAX_BINDINGS) return bindings;
  let [low, high] = [0, bindings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bindings[middle]?.span.from ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return bindings.slice(Math.max(0, low - MAX_BINDINGS / 2), low + MAX_BINDINGS / 2);
}

/** The binding at the name comes first, then earlier ones from last to first, then later ones. */
function nearestFirst(all: readonly Binding[], { from, scope }: Occurrence): readonly Binding[] {
  if (all.length < 2 || all[0]?.scope !== scope) return all.slice(0, MAX_BINDINGS);
  const bindings = bindingsAround(all, from);
  const before = bindings.filter((binding) => isBindingBefore(binding, from));
  return [...before.reverse(), ...bindings.filter((binding) => !isBindingBefore(binding, from))];
}

/** Recognises functions, classes and instances of this file by what they compute. */
export function recogniseByDefinition(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  if (occurrence.definedScope !== null) return recogniseDefinition(code, occurrence.definedScope);
  for (const binding of findDefinitions(code, occurrence)) {
    if (binding.definedScope !== null) return recogniseDefinition(code, binding.definedScope);
    const instanceClass =
      binding.value?.kind === "call" && binding.path.length === 0
        ? findCalledScope(binding.value, binding.scope)
        : null;
    const recognition = instanceClass?.kind === "class" ? recogniseDefinition(code, instanceClass) : null;
    if (recognition !== null) return recognition;
  }
  return null;
}

const ENCODING_ROLES = new Set<ValueRole["kind"]>([
  "frequencies",
  "wavelengths",
  "angles",
  "wave",
  "table",
  "quarterRotated",
  "slopes",
  "alibi",
  "bucket",
  "relative",
  "kernel",
  "gate",
  "distance",
  "member",
  "expansion",
]);

/** Recognises a variable or attribute by the role of its value. */
export function recogniseByValue(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  if (occurrence.kind !== "name" && occurrence.kind !== "attribute") return null;
  const bindings = findDefinitions(code, occurrence);
  for (const binding of bindings) {
    const resolved = code.roles.resolveBinding(binding);
    const role = resolved === null ? null : waveOfTuple(resolved);
    if (role === null) continue;
    const isDirect = role.kind !== "rotated" || (isRotationItself(code, binding) && bindings.length === 1);
    if ((ENCODING_ROLES.has(role.kind) || role.kind === "rotated") && isDirect) {
      const recognition = recogniseRole(code, role, binding.scope);
      if (recognition !== null) return recognition;
    }
  }
  return null;
}

/** The first of the cosines and sines that one name gets together: `sincos = (sin(a), cos(a))`. */
function waveOfTuple(role: ValueRole): ValueRole {
  if (role.kind !== "tuple" || role.items.length !== 2) return role;
  const [first] = role.items;
  return first != null && role.items.every((item) => item?.kind === "wave") ? first : role;
}

/** x·cos + …, or its parts put together; a call of a function that rotates gives queries and keys. */
function isRotationItself(code: AnalysedCode, { value, scope }: Binding): boolean {
  return value !== null && computesRotation(code, value, scope);
}

/** `x * cis`, `view_as_real(x * cis)`, `stack((out_r, out_i), -1).flatten(-2)` */
function computesRotation(code: AnalysedCode, value: Expr, scope: Scope, hops = 0): boolean {
  if (value.kind === "binary" || hops > MAX_ROTATION_HOPS) return value.kind === "binary";
  if (value.kind === "name") {
    const definition = code.roles.findDefinition(value, scope);
    return definition !== null && computesRotation(code, definition.expr, definition.scope, hops + 1);
  }
  if (value.kind !== "call" || code.roles.findTarget(value, scope) !== null) return false;
  const isComposed = isPassThrough(value) || lastName(value.callee) === "view_as_real";
  const operand = isComposed ? operandOf(value) : null;
  const parts = joinKind(value) === null ? [operand] : joinedItems(value);
  return parts.some((part) => part !== null && computesRotation(code, part, scope, hops + 1));
}

/** From a rotated vector back to its products. */
const MAX_ROTATION_HOPS = 6;

import type { Call } from "../parse/ast.ts";
import type { Role } from "../patterns/role.ts";
import { isBefore } from "../patterns/roles.ts";
import {
  attributesOf,
  type Binding,
  bindingsOf,
  classOf,
  isSelf,
  type Occurrence,
  type Scope,
} from "../symbols/module.ts";
import type { Code } from "./code.ts";
import { ofUnit } from "./definitionUnits.ts";
import type { Recognition } from "./recogniser.ts";
import { byRole } from "./structural.ts";

/** The class or function of this file that a call names. */
export function calledScope(call: Call, scope: Scope): Scope | null {
  return call.callee.kind === "name" ? (bindingsOf(scope, call.callee.name).at(-1)?.opens ?? null) : null;
}
/** Definitions that a name or attribute may mean. */
export function definitions(code: Code, occurrence: Occurrence): readonly Binding[] {
  const { expr, scope, name } = occurrence;
  if (expr?.kind === "attribute") return isSelf(expr.object) ? attributesOf(code.module, classOf(scope), name) : [];
  if (occurrence.kind === "keyword" || occurrence.kind === "attribute") return [];
  return nearestFirst(bindingsOf(scope, name), occurrence);
}

/** A name may be given several values: that at a place comes first, then those before it from the last to the first. */
function nearestFirst(bindings: readonly Binding[], { from, scope }: Occurrence): readonly Binding[] {
  if (bindings.length < 2 || bindings[0]?.scope !== scope) return bindings;
  const before = bindings.filter((binding) => isBefore(binding, from));
  return [...before.reverse(), ...bindings.filter((binding) => !isBefore(binding, from))];
}

/** Functions, classes and instances of this file that are encodings by what they do. */
export function byDefinition(code: Code, occurrence: Occurrence): Recognition | null {
  if (occurrence.opens !== null) return ofUnit(code, occurrence.opens);
  for (const binding of definitions(code, occurrence)) {
    if (binding.opens !== null) return ofUnit(code, binding.opens);
    const made =
      binding.value?.kind === "call" && binding.path.length === 0 ? calledScope(binding.value, binding.scope) : null;
    const found = made?.kind === "class" ? ofUnit(code, made) : null;
    if (found !== null) return found;
  }
  return null;
}

const DENOTING = new Set<Role["kind"]>([
  "frequencies",
  "wavelengths",
  "angles",
  "wave",
  "table",
  "turned",
  "slopes",
  "alibi",
  "bucket",
  "relative",
  "kernel",
  "gate",
  "distance",
  "member",
]);

/** The value of a variable or attribute. */
export function byValue(code: Code, occurrence: Occurrence): Recognition | null {
  if (occurrence.kind !== "name" && occurrence.kind !== "attribute") return null;
  const bindings = definitions(code, occurrence);
  for (const binding of bindings) {
    const role = code.roles.ofBinding(binding);
    if (role === null) continue;
    const direct = role.kind !== "rotated" || (binding.value?.kind === "binary" && bindings.length === 1);
    if ((DENOTING.has(role.kind) || role.kind === "rotated") && direct) {
      const found = byRole(code, role, binding.scope);
      if (found !== null) return found;
    }
  }
  return null;
}

import {
  attributesOf,
  type Binding,
  bindingsOf,
  classOf,
  functionOf,
  isSelf,
  type Occurrence,
  type Scope,
} from "../model/module.ts";
import { isModule, isTransparent, operandOf } from "../shapes/calls.ts";
import type { Role } from "../shapes/role.ts";
import { type Call, type Expr, keywordArgument, lastName, partsOf, positional } from "../syntax/ast.ts";
import { TABLE_NAMES } from "./absolute.ts";
import { type Code, unitOf } from "./code.ts";
import { isRotaryFile, waveFamily } from "./family.ts";
import { snake } from "./names.ts";
import type { Place, Recogniser, Recognition } from "./recogniser.ts";
import { byRole, completed } from "./structural.ts";
import { RECOGNISERS } from "./table.ts";
import { ofUnit } from "./units.ts";
import { isUnrelated } from "./unrelated.ts";

/** The encoding that an identifier denotes. */
export function resolve(code: Code, occurrence: Occurrence): Recognition | null {
  const place = placeOf(code, occurrence);
  if (silenced(place)) return null;
  const elsewhere = byImport(code, occurrence);
  if (elsewhere !== null) return elsewhere;
  const named = byName(place);
  if (named !== null) return named;
  if (isUnrelated(occurrence.name)) return ofParameter(code, occurrence);
  return (
    byDefinition(code, occurrence) ??
    byValue(code, occurrence) ??
    ofParameter(code, occurrence) ??
    byRotation(code, occurrence)
  );
}

/** A name imported relatively, or an instance made of one: what its own file says. */
function byImport(code: Code, occurrence: Occurrence): Recognition | null {
  const made = definitions(code, occurrence).find(
    (binding) => binding.value?.kind === "call" && binding.path.length === 0,
  );
  const callee = made?.value?.kind === "call" ? lastName(made.value.callee) : null;
  const name = occurrence.kind === "import" || occurrence.kind === "name" ? occurrence.name : null;
  for (const candidate of [name, callee]) {
    const found = candidate === null ? null : code.imported(candidate);
    if (found === null) continue;
    const definition = found.code.module.occurrences.find((other) => other.opens === found.scope);
    const recognised = definition === undefined ? null : resolve(found.code, definition);
    if (recognised !== null) return { ...recognised, code: found.code };
  }
  return null;
}

/** What a rotation of this function multiplies by, whatever it is called. */
function byRotation(code: Code, occurrence: Occurrence): Recognition | null {
  if (occurrence.kind !== "name" && occurrence.kind !== "param") return null;
  const inner = functionOf(occurrence.scope);
  if (inner === null || !code.features(inner).tables.has(occurrence.name)) return null;
  const encoding = waveFamily(code, inner) ?? "rope";
  return completed(code, {
    recogniser: "structure/rotation-table",
    encoding,
    subject: "cos and sin",
    scope: inner,
    confidence: "automatic",
  });
}

/** Scopes that are about turning pictures or about diffusion time, whatever their names share with encodings. */
function silenced({ name, inUnit }: Place): boolean {
  return (
    /^(?:rotate_image|random_rotation|rotation_matrix|rotation_angle|image_rotation)/.test(name) ||
    (inUnit(/ (?:cv2|get_rotation_matrix_2d|warp_affine) /) && !inUnit(/rotary|rope/))
  );
}

export function placeOf(code: Code, occurrence: Occurrence): Place {
  const unit = unitOf(occurrence.opens ?? occurrence.scope);
  const inner = functionOf(occurrence.opens ?? occurrence.scope) ?? unit;
  const { root } = code.module;
  return {
    code,
    occurrence,
    name: snake(occurrence.name),
    unit,
    file: (pattern) => code.has(root, pattern),
    inUnit: (pattern) => code.has(unit, pattern),
    inFunction: (pattern) => code.has(inner, pattern),
  };
}

function byName(place: Place): Recognition | null {
  const { code, occurrence, name } = place;
  if (occurrence.kind === "attribute" && isModuleMember(occurrence) && !SPECIFIC_MEMBERS.test(name)) return null;
  const early = RECOGNISERS.find((candidate) => candidate.beforeTables === true && fits(candidate, place));
  if (early !== undefined) return refined(early, place);
  if (TABLE_NAMES.test(name)) {
    const table = ofTable(code, occurrence, name);
    if (table !== undefined) return table;
  }
  const rule = RECOGNISERS.find((candidate) => fits(candidate, place));
  return rule === undefined ? null : refined(rule, place);
}

/** `mx.fast.rope`, `nn.RoPE`, `F.rotary…`: members of a library that are encodings. */
const SPECIFIC_MEMBERS = /rope|rotary|alibi|position|sinusoid/;

function isModuleMember(occurrence: Occurrence): boolean {
  return occurrence.expr?.kind === "attribute" && isModule(occurrence.expr.object);
}

function fits(rule: Recogniser, place: Place): boolean {
  if (rule.kinds !== undefined && !rule.kinds.includes(place.occurrence.kind)) return false;
  return rule.names.test(place.name) && (rule.when?.(place) ?? true);
}

const WAVE_SUBJECTS = new Set(["inverse frequencies", "cos and sin", "angles"]);

/** A rule's answer, corrected by the function or class that the name stands in. */
function refined(rule: Recogniser, place: Place): Recognition | null {
  const { code, occurrence } = place;
  const scope = readScope(code, occurrence);
  const found: Recognition = {
    recogniser: rule.id,
    encoding: rule.encoding,
    subject: rule.subject,
    scope,
    confidence: "guess",
    ...(rule.ropeType === undefined ? {} : { ropeType: rule.ropeType }),
    ...(rule.layout === undefined ? {} : { layout: rule.layout }),
  };
  const rotary = rule.encoding === "rope";
  if ((rotary || rule.encoding === "sinusoidal") && (WAVE_SUBJECTS.has(rule.subject) || occurrence.opens !== null)) {
    const family = waveFamily(code, scope);
    const ordinary =
      family === null || (occurrence.opens !== null && rule.encoding !== "sinusoidal" && family === "sinusoidal");
    return completed(code, ordinary ? found : { ...found, encoding: family });
  }
  return completed(code, found);
}

/** The scope whose values a name's hover shows: what it defines or calls, else where it stands. */
function readScope(code: Code, occurrence: Occurrence): Scope {
  if (occurrence.opens !== null) return occurrence.opens;
  const bindings = definitions(code, occurrence);
  const opened = bindings.find((binding) => binding.opens !== null)?.opens;
  if (opened != null) return opened;
  for (const binding of bindings) {
    const made = binding.value?.kind === "call" ? calledClass(binding.value, binding.scope) : null;
    if (made !== null) return made;
  }
  const owner = bindings.find((binding) => binding.kind === "assign")?.scope;
  return owner !== undefined && owner.kind !== "module" ? owner : occurrence.scope;
}

function calledClass(call: Call, scope: Scope): Scope | null {
  return call.callee.kind === "name" ? (bindingsOf(scope, call.callee.name).at(-1)?.opens ?? null) : null;
}

/** Definitions that a name or attribute may mean. */
export function definitions(code: Code, occurrence: Occurrence): readonly Binding[] {
  const { expr, scope, name } = occurrence;
  if (expr?.kind === "attribute") return isSelf(expr.object) ? attributesOf(code.module, classOf(scope), name) : [];
  if (occurrence.kind === "keyword" || occurrence.kind === "attribute") return [];
  return bindingsOf(scope, name);
}

/** Functions, classes and instances of this file that are encodings by what they do. */
function byDefinition(code: Code, occurrence: Occurrence): Recognition | null {
  if (occurrence.opens !== null) return ofUnit(code, occurrence.opens);
  for (const binding of definitions(code, occurrence)) {
    if (binding.opens !== null) return ofUnit(code, binding.opens);
    const made =
      binding.value?.kind === "call" && binding.path.length === 0 ? calledClass(binding.value, binding.scope) : null;
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
  "gate",
  "distance",
  "member",
]);

/** The value of a variable or attribute. */
function byValue(code: Code, occurrence: Occurrence): Recognition | null {
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

/** Parameters that a frequency expression of their own function uses: base and dimension. */
function ofParameter(code: Code, occurrence: Occurrence): Recognition | null {
  if (
    occurrence.kind !== "param" &&
    occurrence.kind !== "name" &&
    occurrence.kind !== "keyword" &&
    occurrence.kind !== "attribute"
  )
    return null;
  if (
    !/^(?:\w*base\w*|\w*theta\w*|max_wavelength|max_timescale|temperature|max_period|timescale)$/i.test(occurrence.name)
  )
    return null;
  const scope =
    occurrence.call === null
      ? occurrence.scope
      : (code.roles.target(occurrence.call, occurrence.scope) ?? occurrence.scope);
  const unit = unitOf(scope);
  const used = code
    .features(unit)
    .frequencies.some((found) => found.base !== null && mentions(found.base.expr, occurrence.name));
  const encoding = used ? waveFamily(code, scope) : null;
  return encoding === null
    ? null
    : completed(code, { recogniser: "structure/base", encoding, subject: "base", scope, confidence: "automatic" });
}

function mentions(expr: Expr, name: string): boolean {
  return lastName(expr) === name || partsOf(expr).some((part) => mentions(part, name));
}

/** `pos_embed`, `position_embeddings`, `pe`: whatever they were made by. Undefined: nothing is known. */
function ofTable(code: Code, occurrence: Occurrence, name: string): Recognition | null | undefined {
  for (const binding of tableBindings(code, occurrence)) {
    const found = binding.value === null ? null : ofTableValue(code, binding.value, binding.scope, binding.path.length);
    if (found !== null) return found;
  }
  if (occurrence.kind === "keyword" && occurrence.value !== null) {
    const given = ofTableValue(code, occurrence.value, occurrence.scope, 0);
    if (given !== null) return given;
  }
  if (/^(?:pe|pos|pe_\w+)$/.test(name)) return byValue(code, occurrence);
  return byUse(code, occurrence, name);
}

/** In a rotary file, `position_embeddings` are cos and sin unless something says otherwise. */
function byUse(code: Code, occurrence: Occurrence, name: string): Recognition | null | undefined {
  if (name.includes("rotary")) return undefined;
  const scope = occurrence.scope;
  const unpacked = code.has(code.module.root, / cos /) && code.has(code.module.root, / sin /) && isRotaryFile(code);
  const own = attributesOf(code.module, classOf(scope), occurrence.name).length > 0;
  if (
    /^(?:position_embeddings?|pos_emb(?:eds|eddings)?)$/.test(name) &&
    unpacked &&
    !own &&
    occurrence.kind !== "attribute"
  ) {
    return completed(code, {
      recogniser: "rope/position-embeddings",
      encoding: waveFamily(code, scope) ?? "rope",
      subject: "cos and sin",
      scope,
      confidence: "guess",
    });
  }
  return undefined;
}

function tableBindings(code: Code, occurrence: Occurrence): readonly Binding[] {
  const own = definitions(code, occurrence);
  if (own.length > 0 || occurrence.kind !== "attribute") return own;
  return code.module.scopes.flatMap((scope) =>
    scope.kind === "class" ? (scope.attributes.get(occurrence.name) ?? []) : [],
  );
}

const TABLE_MAKERS = new Set([
  "Embedding",
  "Embed",
  "Parameter",
  "param",
  "add_weight",
  "get_variable",
  "variable",
  "Param",
  "create_parameter",
  "Variable",
  "VocabParallelEmbedding",
]);

function ofTableValue(code: Code, value: Expr, scope: Scope, depth: number): Recognition | null {
  if (depth > 6) return null;
  if (value.kind === "conditional")
    return ofTableValue(code, value.body, scope, depth + 1) ?? ofTableValue(code, value.orElse, scope, depth + 1);
  if (value.kind === "subscript") return ofTableValue(code, value.object, scope, depth + 1);
  const structural = byRole(code, code.roles.of(value, scope), scope);
  if (structural !== null) return structural;
  if (value.kind === "name" || value.kind === "attribute") return ofReference(code, value, scope, depth);
  if (value.kind !== "call") return null;
  return ofMaker(code, value, scope, depth);
}

function ofReference(
  code: Code,
  value: Extract<Expr, { kind: "name" | "attribute" }>,
  scope: Scope,
  depth: number,
): Recognition | null {
  const bindings =
    value.kind === "name"
      ? bindingsOf(scope, value.name)
      : isSelf(value.object)
        ? attributesOf(code.module, classOf(scope), value.name)
        : [];
  for (const binding of bindings) {
    if (binding.value === null || binding.value === value || binding.kind === "update") continue;
    const found = ofTableValue(code, binding.value, binding.scope, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function ofMaker(code: Code, call: Call, scope: Scope, depth: number): Recognition | null {
  const name = lastName(call.callee);
  if (name === null) return null;
  const target = code.roles.target(call, scope) ?? calledClass(call, scope);
  const unit =
    target === null
      ? null
      : ofUnit(code, target.name === "forward" || target.name === "__call__" ? (target.parent ?? target) : target);
  if (unit !== null) return unit;
  const occurrence = code.occurrenceAt(call.callee.to);
  const rule = occurrence === null || occurrence.name !== name ? null : byName(placeOf(code, occurrence));
  if (rule !== null) return rule;
  const flax = name === "param" || name === "add_weight" || name === "get_variable";
  const isTable = TABLE_MAKERS.has(name) && (flax || name !== "param");
  if (isTable && !madeOfWaves(code, call, scope)) {
    return {
      recogniser: "learned/table",
      encoding: "learned_absolute",
      subject: "table",
      scope,
      confidence: "automatic",
    };
  }
  if (call.callee.kind === "attribute" && isSelf(call.callee.object))
    return ofReference(code, call.callee, scope, depth);
  const operand = operandOf(call);
  return operand !== null && (isTransparent(call) || call.callee.kind === "name") && depth < 4
    ? ofTableValue(code, operand, scope, depth + 1)
    : null;
}

/** nn.Parameter(sinusoid table, requires_grad=False) is not learned. */
function madeOfWaves(code: Code, call: Call, scope: Scope): boolean {
  const role = positional(call)[0];
  const frozen = keywordArgument(call, "requires_grad");
  const inner = role === undefined ? null : code.roles.of(role, scope);
  return (
    inner?.kind === "table" ||
    inner?.kind === "wave" ||
    (frozen?.kind === "constant" && frozen.value === false && code.has(unitOf(scope), /sincos|sinus/))
  );
}

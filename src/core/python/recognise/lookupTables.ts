import type { EncodingId } from "../../spec.ts";
import { type Call, dottedName, type Expr, keywordArgument, lastName, positional } from "../parse/ast.ts";
import { isTransparent, operandOf } from "../patterns/calls.ts";
import {
  attributesOf,
  type Binding,
  bindingsOf,
  classOf,
  isSelf,
  type Occurrence,
  type Scope,
} from "../symbols/module.ts";
import { type Code, scopesAround, unitOf } from "./code.ts";
import { byValue, calledScope, definitions } from "./definitions.ts";
import { ofUnit } from "./definitionUnits.ts";
import { isRotaryFile, waveFamily } from "./family.ts";
import type { Recognition } from "./recogniser.ts";
import { byRole, completed } from "./structural.ts";

/** What names say about an identifier: the recognisers by names, which this file is itself called from. */
type Naming = (occurrence: Occurrence) => Recognition | null;

interface Following {
  readonly code: Code;
  readonly naming: Naming;
}

/** `pos_embed`, `position_embeddings`, `pe`: whatever they were made by. Undefined: nothing is known. */
export function ofTable(
  code: Code,
  occurrence: Occurrence,
  name: string,
  naming: Naming,
): Recognition | null | undefined {
  const following = { code, naming };
  for (const binding of tableBindings(code, occurrence)) {
    const found =
      binding.value === null ? null : ofTableValue(following, binding.value, binding.scope, binding.path.length);
    if (found !== null) return learnedApart(code, found, name);
    if (isMadeHere(binding, occurrence)) return null;
  }
  if (occurrence.kind === "keyword" && occurrence.value !== null) {
    const given = ofTableValue(following, occurrence.value, occurrence.scope, 0);
    if (given !== null) return given;
  }
  if (/^(?:pe|pos|pe_\w+)$/.test(name)) return byValue(code, occurrence);
  return byUse(code, occurrence, name);
}

/** What the class or function is that a table of distances, not of positions, belongs to. */
function around(code: Code, scope: Scope): Recognition | null {
  const units = scopesAround(scope).map((outer) => ofUnit(code, outer));
  return units.find((unit) => unit !== null && unit.encoding !== "learned_absolute") ?? null;
}

/** A table of distances is that of the encoding which its class or function is. */
function learnedApart(code: Code, found: Recognition, name: string): Recognition | null {
  if (found.encoding !== "learned_absolute" || !/(?:^|_)rel(?:ative)?_/.test(name)) return found;
  return around(code, found.scope);
}

/** `pos = Learned(…)`, of a class of this file that says nothing: not what the name was given before. */
function isMadeHere({ span, value, scope }: Binding, { from }: Occurrence): boolean {
  return span.from === from && value?.kind === "call" && calledScope(value, scope)?.kind === "class";
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
  "ParallelEmbedding",
  "StableEmbedding",
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

function ofTableValue(following: Following, value: Expr, scope: Scope, depth: number): Recognition | null {
  const { code } = following;
  if (depth > 6) return null;
  if (value.kind === "conditional")
    return (
      ofTableValue(following, value.body, scope, depth + 1) ?? ofTableValue(following, value.orElse, scope, depth + 1)
    );
  if (value.kind === "subscript") return ofTableValue(following, value.object, scope, depth + 1);
  const structural = byRole(code, code.roles.of(value, scope), scope);
  if (structural !== null) return structural;
  if (value.kind === "name" || value.kind === "attribute") return ofReference(following, value, scope, depth);
  if (value.kind !== "call") return null;
  return ofMaker(following, value, scope, depth);
}

function ofReference(
  following: Following,
  value: Extract<Expr, { kind: "name" | "attribute" }>,
  scope: Scope,
  depth: number,
): Recognition | null {
  const { code } = following;
  const bindings =
    value.kind === "name"
      ? bindingsOf(scope, value.name)
      : isSelf(value.object)
        ? attributesOf(code.module, classOf(scope), value.name)
        : [];
  for (const binding of bindings) {
    if (binding.value === null || binding.value === value || binding.kind === "update") continue;
    const found = ofTableValue(following, binding.value, binding.scope, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function ofMaker(following: Following, call: Call, scope: Scope, depth: number): Recognition | null {
  const { code } = following;
  const name = lastName(call.callee);
  if (name === null) return null;
  const target = code.roles.target(call, scope) ?? calledScope(call, scope);
  const unit =
    target === null
      ? null
      : ofUnit(code, target.name === "forward" || target.name === "__call__" ? (target.parent ?? target) : target);
  if (unit !== null) return unit;
  const occurrence = code.occurrenceAt(call.callee.to);
  const rule = occurrence === null || occurrence.name !== name ? null : following.naming(occurrence);
  if (rule !== null) return rule;
  if (makesTable(code, call, scope)) {
    const [rows] = positional(call);
    if (rows !== undefined && /rel|dist|bucket/i.test(code.roles.text(rows))) return around(code, scope);
    return {
      recogniser: "learned/table",
      encoding: madeOfWaves(code, call, scope) ?? "learned_absolute",
      subject: "table",
      scope,
      confidence: "automatic",
    };
  }
  if (call.callee.kind === "attribute" && isSelf(call.callee.object))
    return ofReference(following, call.callee, scope, depth);
  const operand = operandOf(call);
  return operand !== null && (isTransparent(call) || RESIZING.has(name) || call.callee.kind === "name") && depth < 4
    ? ofTableValue(following, operand, scope, depth + 1)
    : null;
}

const RESIZING = new Set(["interpolate", "resize", "resize_bilinear"]);

/** A layer or parameter; in MLX and tinygrad, an array that a module has is one. */
function makesTable(code: Code, call: Call, scope: Scope): boolean {
  const { callee } = call;
  const name = lastName(callee) ?? "";
  const [first] = positional(call);
  const filled = first === undefined ? null : code.roles.of(first, scope);
  if (filled?.kind === "table" || filled?.kind === "wave") return false;
  if (TABLE_MAKERS.has(name) || /Parallel\w*Embedding$/.test(name)) return true;
  const root = callee.kind === "attribute" ? dottedName(callee.object)?.split(".", 1)[0] : null;
  return (
    (root === "mx" || root === "Tensor") &&
    /^(?:zeros|ones|normal|truncated_normal|uniform|scaled_uniform|glorot_uniform|randn?)$/.test(name) &&
    classOf(scope) !== null &&
    code.features(unitOf(scope)).waves.size === 0
  );
}

/** nn.Parameter(…, requires_grad=False) that sines are copied to: the encoding of those. */
function madeOfWaves(code: Code, call: Call, scope: Scope): EncodingId | null {
  const frozen = keywordArgument(call, "requires_grad");
  if (frozen?.kind !== "constant" || frozen.value !== false) return null;
  const unit = unitOf(scope);
  if (code.has(unit, /sin_?cos\w*2d|2d_?sin|sincos/)) return "sincos_2d";
  return code.has(unit, /sinus/) ? "sinusoidal" : null;
}

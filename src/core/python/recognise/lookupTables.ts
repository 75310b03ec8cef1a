import type { EncodingId } from "../../spec.ts";
import { type CallExpr, dottedName, type Expr, keywordArgument, lastName, positionalArguments } from "../parse/ast.ts";
import { isPassThrough, operandOf } from "../patterns/calls.ts";
import {
  type Binding,
  enclosingClass,
  findAttributeBindings,
  findBindings,
  isSelf,
  type Occurrence,
  type Scope,
} from "../symbols/module.ts";
import { type AnalysedCode, enclosingScopes, outermostDefinition } from "./analysedCode.ts";
import { findCalledScope, findDefinitions, recogniseByValue } from "./definitions.ts";
import { findWaveFamily, isRotaryFile } from "./encodingFamily.ts";
import { recogniseDefinition } from "./recogniseDefinition.ts";
import type { Recognition } from "./recognition.ts";
import { recogniseRole, withRopeDetails } from "./structural.ts";

/** The name recognisers, passed in because their module imports this one. */
type RecogniseByName = (occurrence: Occurrence) => Recognition | null;

interface TableSearch {
  readonly code: AnalysedCode;
  readonly recogniseByName: RecogniseByName;
}

/** Recognises `pos_embed`, `position_embeddings`, `pe` by how they were created. Undefined: nothing is known. */
export function recogniseTable(
  code: AnalysedCode,
  occurrence: Occurrence,
  name: string,
  recogniseByName: RecogniseByName,
): Recognition | null | undefined {
  const search = { code, recogniseByName };
  for (const binding of findTableBindings(code, occurrence)) {
    const recognition =
      binding.value === null ? null : recogniseTableValue(search, binding.value, binding.scope, binding.path.length);
    if (recognition !== null) return correctDistanceTable(code, recognition, name);
    if (isInstantiatedHere(binding, occurrence)) return null;
  }
  if (occurrence.kind === "keyword" && occurrence.value !== null) {
    const recognition = recogniseTableValue(search, occurrence.value, occurrence.scope, 0);
    if (recognition !== null) return recognition;
  }
  if (/^(?:pe|pos|pe_\w+)$/.test(name)) return recogniseByValue(code, occurrence);
  return recogniseByUse(code, occurrence, name);
}

/** Recognises the class or function around a table of distances. */
function recogniseEnclosing(code: AnalysedCode, scope: Scope): Recognition | null {
  const recognitions = enclosingScopes(scope).map((outer) => recogniseDefinition(code, outer));
  return recognitions.find((unit) => unit !== null && unit.encoding !== "learned_absolute") ?? null;
}

/** A table of distances belongs to the encoding of its class or function, not to learned absolute positions. */
function correctDistanceTable(code: AnalysedCode, recognition: Recognition, name: string): Recognition | null {
  if (recognition.encoding !== "learned_absolute" || !/(?:^|_)rel(?:ative)?_/.test(name)) return recognition;
  return recogniseEnclosing(code, recognition.scope);
}

/** True for `pos = Learned(…)` with an unrecognised class of this file: earlier values of the name no longer count. */
function isInstantiatedHere({ span, value, scope }: Binding, { from }: Occurrence): boolean {
  return span.from === from && value?.kind === "call" && findCalledScope(value, scope)?.kind === "class";
}

/** In a rotary file, `position_embeddings` are cos and sin unless something shows otherwise. */
function recogniseByUse(code: AnalysedCode, occurrence: Occurrence, name: string): Recognition | null | undefined {
  if (name.includes("rotary")) return undefined;
  const scope = occurrence.scope;
  const hasCosAndSin =
    code.namesMatch(code.module.root, / cos /) && code.namesMatch(code.module.root, / sin /) && isRotaryFile(code);
  const isAttribute = findAttributeBindings(code.module, enclosingClass(scope), occurrence.name).length > 0;
  if (
    /^(?:position_embeddings?|pos_emb(?:eds|eddings)?)$/.test(name) &&
    hasCosAndSin &&
    !isAttribute &&
    occurrence.kind !== "attribute"
  ) {
    return withRopeDetails(code, {
      recogniser: "rope/position-embeddings",
      encoding: findWaveFamily(code, scope) ?? "rope",
      part: "cos and sin",
      scope,
      confidence: "guess",
    });
  }
  return undefined;
}

function findTableBindings(code: AnalysedCode, occurrence: Occurrence): readonly Binding[] {
  const own = findDefinitions(code, occurrence);
  if (own.length > 0 || occurrence.kind !== "attribute") return own;
  return code.module.scopes.flatMap((scope) =>
    scope.kind === "class" ? (scope.attributes.get(occurrence.name) ?? []) : [],
  );
}

const TABLE_CREATORS = new Set([
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
  "get_parameter",
  "param_with_axes",
  "Variable",
  "VocabParallelEmbedding",
]);

function recogniseTableValue(search: TableSearch, value: Expr, scope: Scope, depth: number): Recognition | null {
  const { code } = search;
  if (depth > 6) return null;
  if (value.kind === "conditional")
    return (
      recogniseTableValue(search, value.body, scope, depth + 1) ??
      recogniseTableValue(search, value.orElse, scope, depth + 1)
    );
  if (value.kind === "subscript") return recogniseTableValue(search, value.object, scope, depth + 1);
  const structural = recogniseRole(code, code.roles.resolve(value, scope), scope);
  if (structural !== null) return structural;
  if (value.kind === "name" || value.kind === "attribute") return recogniseReference(search, value, scope, depth);
  if (value.kind !== "call") return null;
  return recogniseCreator(search, value, scope, depth);
}

function recogniseReference(
  search: TableSearch,
  value: Extract<Expr, { kind: "name" | "attribute" }>,
  scope: Scope,
  depth: number,
): Recognition | null {
  const { code } = search;
  const bindings =
    value.kind === "name"
      ? findBindings(scope, value.name)
      : isSelf(value.object)
        ? findAttributeBindings(code.module, enclosingClass(scope), value.name)
        : [];
  for (const binding of bindings) {
    if (binding.value === null || binding.value === value || binding.kind === "update") continue;
    const found = recogniseTableValue(search, binding.value, binding.scope, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function recogniseCreator(search: TableSearch, call: CallExpr, scope: Scope, depth: number): Recognition | null {
  const { code } = search;
  // sinusoidal_init(…)(key, shape): the first call chooses what the second one creates.
  if (call.callee.kind === "call") return recogniseTableValue(search, call.callee, scope, depth + 1);
  const name = lastName(call.callee);
  if (name === null) return null;
  const target = code.roles.findTarget(call, scope) ?? findCalledScope(call, scope);
  const definition =
    target === null
      ? null
      : recogniseDefinition(
          code,
          target.name === "forward" || target.name === "__call__" ? (target.parent ?? target) : target,
        );
  if (definition !== null) return definition;
  const occurrence = code.occurrenceAt(call.callee.to);
  const named = occurrence === null || occurrence.name !== name ? null : search.recogniseByName(occurrence);
  if (named !== null) return named;
  if (createsTable(code, call, scope)) {
    const [rows] = positionalArguments(call);
    if (rows !== undefined && /rel|dist|bucket/i.test(code.roles.sourceText(rows)))
      return recogniseEnclosing(code, scope);
    return {
      recogniser: "learned/table",
      encoding: frozenTableEncoding(code, call, scope) ?? "learned_absolute",
      part: "table",
      scope,
      confidence: "automatic",
    };
  }
  if (call.callee.kind === "attribute" && isSelf(call.callee.object))
    return recogniseReference(search, call.callee, scope, depth);
  const operand = operandOf(call);
  return operand !== null &&
    (isPassThrough(call) || RESIZE_FUNCTIONS.has(name) || call.callee.kind === "name") &&
    depth < 4
    ? recogniseTableValue(search, operand, scope, depth + 1)
    : null;
}

const RESIZE_FUNCTIONS = new Set(["interpolate", "resize", "resize_bilinear"]);

/** A layer or parameter. In MLX and tinygrad, an array attribute of a module is a parameter too. */
function createsTable(code: AnalysedCode, call: CallExpr, scope: Scope): boolean {
  const { callee } = call;
  const name = lastName(callee) ?? "";
  const [first] = positionalArguments(call);
  const filled = first === undefined ? null : code.roles.resolve(first, scope);
  if (filled?.kind === "table" || filled?.kind === "wave") return false;
  if (TABLE_CREATORS.has(name) || /Parallel\w*Embedding$/.test(name)) return true;
  const root = callee.kind === "attribute" ? dottedName(callee.object)?.split(".", 1)[0] : null;
  return (
    (root === "mx" || root === "Tensor") &&
    /^(?:zeros|ones|normal|truncated_normal|uniform|scaled_uniform|glorot_uniform|randn?)$/.test(name) &&
    enclosingClass(scope) !== null &&
    code.features(outermostDefinition(scope)).waves.size === 0
  );
}

/** The encoding of nn.Parameter(…, requires_grad=False) if sines are copied into it. */
function frozenTableEncoding(code: AnalysedCode, call: CallExpr, scope: Scope): EncodingId | null {
  const frozen = keywordArgument(call, "requires_grad");
  if (frozen?.kind !== "constant" || frozen.value !== false) return null;
  const unit = outermostDefinition(scope);
  if (code.namesMatch(unit, /sin_?cos\w*2d|2d_?sin|sincos/)) return "sincos_2d";
  return code.namesMatch(unit, /sinus/) ? "sinusoidal" : null;
}

import { childExpressions, type Expr, lastName } from "../parse/ast.ts";
import { isLibraryModule } from "../patterns/calls.ts";
import type { FrequencyRole } from "../patterns/valueRole.ts";
import { type Binding, enclosingFunction, findBindings, type Occurrence, type Scope } from "../symbols/module.ts";
import { type AnalysedCode, enclosingScopes, outermostDefinition } from "./analysedCode.ts";
import { findCalledScope, findDefinitions, recogniseByDefinition, recogniseByValue } from "./definitions.ts";
import { findWaveFamily } from "./encodingFamily.ts";
import { recogniseTable } from "./lookupTables.ts";
import { POSITION_TABLE_NAME } from "./names/absolute.ts";
import { NAME_RECOGNISERS } from "./names/index.ts";
import { isStopWord } from "./names/stopWords.ts";
import { correctByUse } from "./positionUse.ts";
import type { NameContext, NameRecogniser, Recognition } from "./recognition.ts";
import { recogniseRecursion } from "./recursion.ts";
import { toSnakeCase } from "./snakeCase.ts";
import { recogniseRole, withRopeDetails } from "./structural.ts";
import { recogniseDistanceRows, recogniseDistanceTable } from "./tableLookups.ts";

/** The encoding that an identifier denotes. */
export function recogniseOccurrence(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  const recognition = recogniseAnywhere(code, occurrence);
  return recognition === null ? null : correctByUse(code, withCallLayout(code, recognition, occurrence), occurrence);
}

/** A half-split rotation of dimensions that the caller moved is an interleaved one. */
function withCallLayout(code: AnalysedCode, recognition: Recognition, { name, expr, scope }: Occurrence): Recognition {
  if (recognition.layout == null || recognition.importedCode !== undefined) return recognition;
  const call = code.module.calls.get(name).find((site) => site.call.callee === expr)?.call;
  const role = call === undefined ? null : code.roles.resolve(call, scope);
  const rotated = role?.kind === "tuple" ? (role.items[0] ?? null) : role;
  const isRotated = rotated?.kind === "rotated" || rotated?.kind === "quarterRotated";
  return isRotated && rotated.layout !== null ? { ...recognition, layout: rotated.layout } : recognition;
}

function recogniseAnywhere(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  const context = nameContext(code, occurrence);
  if (isExcluded(context)) return null;
  const imported = recogniseByImport(code, occurrence);
  if (imported !== null) return imported;
  const recursion = recogniseRecursion(code, occurrence);
  if (recursion !== null) return recursion;
  const byName = recogniseByName(context);
  if (byName !== null) return byName;
  if (isStopWord(occurrence.name))
    return recogniseByExpansion(code, occurrence) ?? recogniseBaseParameter(code, occurrence);
  return (
    recogniseDistanceTable(code, occurrence) ??
    recogniseRows(code, occurrence) ??
    recogniseByInstance(code, occurrence) ??
    recogniseByDefinition(code, occurrence) ??
    recogniseByValue(code, occurrence) ??
    recogniseBaseParameter(code, occurrence) ??
    recogniseByRotation(code, occurrence) ??
    recogniseByExpansion(code, occurrence)
  );
}

/** Recognises a name by the rows of a table that it was assigned. */
function recogniseRows(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  const definition = occurrence.kind === "name" ? findDefinitions(code, occurrence)[0] : undefined;
  return definition?.kind === "assign" && definition.value !== null && definition.path.length === 0
    ? recogniseDistanceRows(code, definition.value, definition.scope)
    : null;
}

function isLocalTo(scope: Scope, binding: Binding): boolean {
  return binding.scope === scope && scope.kind === "function";
}

/** Recognises the position vectors of an expansion, and Transformer-XL's u and v. */
function recogniseByExpansion(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  const { kind, scope } = occurrence;
  if (kind !== "name" && kind !== "param" && kind !== "attribute") return null;
  const value = findDefinitions(code, occurrence)[0];
  const own =
    value === undefined || kind === "param" || !isLocalTo(scope, value) ? null : code.roles.resolveBinding(value);
  if (own?.kind === "expansion") return recogniseRole(code, own, scope);
  const name = kind === "attribute" ? `.${occurrence.name}` : occurrence.name;
  const owner = outermostDefinition(scope);
  const role =
    owner.kind === "module" ? undefined : code.features(owner).expansions.find(({ names }) => names.includes(name));
  const found = role === undefined ? null : recogniseRole(code, role, scope);
  return found === null ? null : { ...found, part: found.encoding === "transformer_xl" ? "bias" : found.part };
}

/** Recognises a relatively imported name, or an instance of an imported class, in its own file. */
function recogniseByImport(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  const creation = findDefinitions(code, occurrence).find(
    (binding) => binding.value?.kind === "call" && binding.path.length === 0,
  );
  // Names of results: scores with a bias added, or a rotated vector, are not the encoding itself.
  const isResultName = /^(?:x|h|out|output|attn\d?|attention|attn_\w+|scores?|logits|attention_\w+)$/.test(
    occurrence.name,
  );
  const callee = creation?.value?.kind === "call" && !isResultName ? lastName(creation.value.callee) : null;
  const name = occurrence.kind === "import" || occurrence.kind === "name" ? occurrence.name : null;
  for (const candidate of [name, callee]) {
    const imported = candidate === null ? null : code.resolveImport(candidate);
    if (imported === null) continue;
    const definition = imported.code.definitionOf(imported.scope);
    const recognised = definition === null ? null : recogniseOccurrence(imported.code, definition);
    if (recognised === null) continue;
    // The result of a whole attention function is not an encoding, even if the function is named after one.
    const isResult = candidate === callee && candidate !== name && imported.scope.kind === "function";
    if (!isResult || recognised.part !== "encoding") return { ...recognised, importedCode: imported.code };
  }
  return null;
}

/** Recognises an instance by the name of its class in this file. */
function recogniseByInstance(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  const latest = findDefinitions(code, occurrence)[0];
  const instanceClass =
    latest?.value?.kind === "call" && latest.path.length === 0 ? findCalledScope(latest.value, latest.scope) : null;
  if (instanceClass?.kind !== "class") return null;
  const definition = code.definitionOf(instanceClass);
  const recognition = definition === null ? null : recogniseByName(nameContext(code, definition));
  // An attention layer with a rotation inside is not an encoding, whatever its name.
  const isWholeLayer =
    (recognition?.encoding === "rope" || recognition?.encoding === "shaw") &&
    /(?:attention|attn|block|layer|model|encoder|decoder)$/.test(toSnakeCase(instanceClass.name));
  return isWholeLayer ? null : recognition;
}

/** Recognises the cos and sin that a rotation of this function multiplies by, whatever their names. */
function recogniseByRotation(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
  if (occurrence.kind !== "name" && occurrence.kind !== "param") return null;
  const nearestFunction = enclosingFunction(occurrence.scope);
  if (nearestFunction === null || !code.features(nearestFunction).tableNames.has(occurrence.name)) return null;
  const encoding = findWaveFamily(code, nearestFunction) ?? "rope";
  return withRopeDetails(code, {
    recogniser: "structure/rotation-table",
    encoding,
    part: "cos and sin",
    scope: nearestFunction,
    confidence: "automatic",
  });
}

/** True in code about image rotation or diffusion time, which shares names with encodings. */
function isExcluded({ name, occurrence, definitionHas }: NameContext): boolean {
  if (
    DIFFUSION_TIME.test(name) ||
    enclosingScopes(occurrence.scope).some((scope) => DIFFUSION_TIME.test(toSnakeCase(scope.name)))
  )
    return !/rope|rotary/.test(name);
  if (/^(?:rotate_image|random_rotation|rotation_matrix|rotation_angle|image_rotation)/.test(name)) return true;
  return definitionHas(/ (?:cv2|get_rotation_matrix_2d|warp_affine) /) && !definitionHas(/rotary|rope/);
}

/** Diffusion steps, which are embedded like positions but are not positions. */
const DIFFUSION_TIME =
  /time_?step|^time_(?:embed(?:ding|der|s)?|emb|proj|mlp|cond)$|embed_time|^t_?emb(?:s|eds?|edders?|eddings?)?$/;

function nameContext(code: AnalysedCode, occurrence: Occurrence): NameContext {
  const definition = outermostDefinition(occurrence.definedScope ?? occurrence.scope);
  const nearestFunction = enclosingFunction(occurrence.definedScope ?? occurrence.scope) ?? definition;
  const { root } = code.module;
  return {
    code,
    occurrence,
    name: toSnakeCase(occurrence.name),
    definition,
    fileHas: (pattern) => code.namesMatch(root, pattern),
    definitionHas: (pattern) => code.namesMatch(definition, pattern),
    functionHas: (pattern) => code.namesMatch(nearestFunction, pattern),
  };
}

function recogniseByName(context: NameContext): Recognition | null {
  const { code, occurrence, name } = context;
  if (occurrence.kind === "attribute" && isLibraryMember(occurrence) && !ENCODING_MEMBERS.test(name)) return null;
  const early = NAME_RECOGNISERS.find((candidate) => candidate.beforeTables === true && matches(candidate, context));
  if (early !== undefined) return refine(early, context);
  if (POSITION_TABLE_NAME.test(name)) {
    const table = recogniseTable(code, occurrence, name, (other) => recogniseByName(nameContext(code, other)));
    if (table !== undefined) return table;
  }
  const recogniser = NAME_RECOGNISERS.find((candidate) => matches(candidate, context));
  return recogniser === undefined ? null : refine(recogniser, context);
}

/** `mx.fast.rope`, `nn.RoPE`, `F.rotary…`: library members that are encodings. */
const ENCODING_MEMBERS = /rope|rotary|alibi|position|sinusoid/;

function isLibraryMember(occurrence: Occurrence): boolean {
  return occurrence.expr?.kind === "attribute" && isLibraryModule(occurrence.expr.object);
}

function matches(recogniser: NameRecogniser, context: NameContext): boolean {
  if (recogniser.kinds !== undefined && !recogniser.kinds.includes(context.occurrence.kind)) return false;
  return recogniser.names.test(context.name) && (recogniser.when?.(context) ?? true);
}

const WAVE_PARTS = new Set(["inverse frequencies", "cos and sin", "angles"]);

/** Applies a recogniser, and corrects the encoding by the function or class around the name. */
function refine(recogniser: NameRecogniser, context: NameContext): Recognition | null {
  const { code, occurrence } = context;
  const scope = findParamScope(code, occurrence);
  const recognition: Recognition = {
    recogniser: recogniser.id,
    encoding: recogniser.encoding,
    part: recogniser.part,
    scope,
    confidence: "guess",
    ...(recogniser.ropeType === undefined ? {} : { ropeType: recogniser.ropeType }),
    ...(recogniser.layout === undefined ? {} : { layout: recogniser.layout }),
  };
  const isRope = recogniser.encoding === "rope";
  if (
    (isRope || recogniser.encoding === "sinusoidal") &&
    (WAVE_PARTS.has(recogniser.part) || occurrence.definedScope !== null)
  ) {
    const family = findWaveFamily(code, scope);
    const keepsEncoding =
      family === null ||
      (occurrence.definedScope !== null && recogniser.encoding !== "sinusoidal" && family === "sinusoidal");
    return withRopeDetails(code, keepsEncoding ? recognition : { ...recognition, encoding: family });
  }
  return withRopeDetails(code, recognition);
}

/**
 * The scope whose parameters the hover shows: the one that the name defines or calls, else the one that contains it.
 */
function findParamScope(code: AnalysedCode, occurrence: Occurrence): Scope {
  if (occurrence.definedScope !== null) return occurrence.definedScope;
  const bindings = findDefinitions(code, occurrence);
  const definedScope = bindings.find((binding) => binding.definedScope !== null)?.definedScope;
  if (definedScope != null) return definedScope;
  for (const binding of bindings) {
    const calledScope = binding.value?.kind === "call" ? findCalledScope(binding.value, binding.scope) : null;
    if (calledScope !== null) return calledScope;
  }
  const owner = bindings.find((binding) => binding.kind === "assign")?.scope;
  return owner !== undefined && owner.kind !== "module" ? owner : occurrence.scope;
}

/** Recognises the base that a frequency expression of the same function uses. */
function recogniseBaseParameter(code: AnalysedCode, occurrence: Occurrence): Recognition | null {
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
      : (code.roles.findTarget(occurrence.call, occurrence.scope) ?? occurrence.scope);
  const used = findFrequenciesOfBase(code, occurrence, scope);
  const encoding = used === null ? null : findWaveFamily(code, scope);
  if (used === null || encoding === null) return null;
  return withRopeDetails(code, {
    recogniser: "structure/base",
    encoding,
    part: "base",
    scope,
    confidence: "automatic",
    frequencies: used,
  });
}

/** The frequencies computed from this base; one method may have another base than the next one. */
function findFrequenciesOfBase(code: AnalysedCode, occurrence: Occurrence, scope: Scope): FrequencyRole | null {
  const { name, expr } = occurrence;
  const mentioning = code
    .features(outermostDefinition(scope))
    .frequencies.filter((found) => found.base !== null && mentionsName(found.base.expr, name));
  const [first] = mentioning;
  if (first === undefined || expr === null) return first ?? null;
  const own = mentioning.find(({ base }) => base?.expr.kind === expr.kind && base.scope === occurrence.scope);
  const isLocal = expr.kind === "name" && findBindings(occurrence.scope, name).some(({ kind }) => kind === "assign");
  return own ?? (isLocal ? { ...first, base: { expr, scope: occurrence.scope } } : first);
}

function mentionsName(expr: Expr, name: string): boolean {
  return lastName(expr) === name || childExpressions(expr).some((part) => mentionsName(part, name));
}

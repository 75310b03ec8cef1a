import { type Expr, lastName, partsOf } from "../parse/ast.ts";
import { isModule } from "../patterns/calls.ts";
import { functionOf, type Occurrence, type Scope } from "../symbols/module.ts";
import { TABLE_NAMES } from "./absolute.ts";
import { type Code, scopesAround, unitOf } from "./code.ts";
import { byDefinition, byValue, calledScope, definitions } from "./definitions.ts";
import { waveFamily } from "./family.ts";
import { ofTable } from "./lookupTables.ts";
import { snake } from "./names.ts";
import type { Place, Recogniser, Recognition } from "./recogniser.ts";
import { RECOGNISERS } from "./recognisers.ts";
import { isUnrelated } from "./stopWords.ts";
import { completed } from "./structural.ts";

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
    byMaker(code, occurrence) ??
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
  // Scores that a bias was added to, or a vector that was turned, are not the encoding.
  const result = /^(?:x|h|out|output|attn\d?|attention|attn_\w+|scores?|logits|attention_\w+)$/.test(occurrence.name);
  const callee = made?.value?.kind === "call" && !result ? lastName(made.value.callee) : null;
  const name = occurrence.kind === "import" || occurrence.kind === "name" ? occurrence.name : null;
  for (const candidate of [name, callee]) {
    const found = candidate === null ? null : code.imported(candidate);
    if (found === null) continue;
    const definition = found.code.module.occurrences.find((other) => other.opens === found.scope);
    const recognised = definition === undefined ? null : resolve(found.code, definition);
    if (recognised === null) continue;
    // What a whole attention returns is no encoding, although the function is named for one.
    const isResult = candidate === callee && candidate !== name && found.scope.kind === "function";
    if (!isResult || recognised.subject !== "encoding") return { ...recognised, code: found.code };
  }
  return null;
}

/** The instance that a name holds at its place: what the name of its class, of this file, says. */
function byMaker(code: Code, occurrence: Occurrence): Recognition | null {
  const latest = definitions(code, occurrence)[0];
  const made =
    latest?.value?.kind === "call" && latest.path.length === 0 ? calledScope(latest.value, latest.scope) : null;
  if (made?.kind !== "class") return null;
  const definition = code.module.occurrences.find((other) => other.opens === made);
  const found = definition === undefined ? null : byName(placeOf(code, definition));
  // An attention with a rotation inside is more than its encoding, whatever it is called.
  const more =
    found?.encoding === "rope" && /(?:attention|attn|block|layer|model|encoder|decoder)$/.test(snake(made.name));
  return more ? null : found;
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
function silenced({ name, occurrence, inUnit }: Place): boolean {
  if (TIME.test(name) || scopesAround(occurrence.scope).some((scope) => TIME.test(snake(scope.name))))
    return !/rope|rotary/.test(name);
  if (/^(?:rotate_image|random_rotation|rotation_matrix|rotation_angle|image_rotation)/.test(name)) return true;
  return inUnit(/ (?:cv2|get_rotation_matrix_2d|warp_affine) /) && !inUnit(/rotary|rope/);
}

/** The step of a diffusion, which is embedded as positions are but is none. */
const TIME =
  /time_?step|^time_(?:embed(?:ding|der|s)?|emb|proj|mlp|cond)$|embed_time|^t_?emb(?:s|eds?|edders?|eddings?)?$/;

function placeOf(code: Code, occurrence: Occurrence): Place {
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
    const table = ofTable(code, occurrence, name, (other) => byName(placeOf(code, other)));
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
    const made = binding.value?.kind === "call" ? calledScope(binding.value, binding.scope) : null;
    if (made !== null) return made;
  }
  const owner = bindings.find((binding) => binding.kind === "assign")?.scope;
  return owner !== undefined && owner.kind !== "module" ? owner : occurrence.scope;
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

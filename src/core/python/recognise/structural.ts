import type { EncodingPart } from "../../encodings/encoding.ts";
import { encodingById } from "../../encodings/index.ts";
import type { EncodingId } from "../../spec.ts";
import type { FrequencyRole, ValueRole, ValueRoleKind } from "../patterns/valueRole.ts";
import type { Scope } from "../symbols/module.ts";
import { type AnalysedCode, enclosingScopes } from "./analysedCode.ts";
import { familyOfFrequencies, findRopeType, findWaveFamily, isVisionFile } from "./encodingFamily.ts";
import { findLayout } from "./layouts.ts";
import type { Recognition } from "./recognition.ts";
import { toSnakeCase } from "./snakeCase.ts";

/** Recognises an encoding by the role of an expression. All are listed in one table. */
export interface StructuralRecogniser {
  readonly id: string;
  readonly roles: readonly ValueRoleKind[];
  readonly part: EncodingPart;
  /** The encoding of such a value in this scope; null if it is none. */
  readonly encoding: (code: AnalysedCode, scope: Scope, role: ValueRole) => EncodingId | null;
}

function rotationEncoding(code: AnalysedCode, scope: Scope): EncodingId | null {
  const around = enclosingScopes(scope);
  const rotates = around.some(
    (at) => at.kind === "function" && (code.features(at).rotates || code.features(at).layouts.length > 0),
  );
  return rotates ? (findWaveFamily(code, scope) ?? "rope") : null;
}

function waveEncoding(code: AnalysedCode, scope: Scope, role: ValueRole): EncodingId | null {
  return familyOfFrequencies(code, scope, frequenciesOfRole(role).frequencies ?? null);
}

function distanceEncoding(code: AnalysedCode, scope: Scope, role: ValueRole): EncodingId | null {
  const around = enclosingScopes(scope);
  const anyNamesMatch = (pattern: RegExp): boolean => around.some((at) => code.namesMatch(at, pattern));
  if (
    around.some((at) => code.features(at).bucket?.signed === true) ||
    anyNamesMatch(/ (?:c2p_att|make_log_bucket_position|pos_att_type) /)
  )
    return "deberta";
  if (around.some((at) => code.features(at).bucket !== null)) return "t5_bias";
  if (around.some((at) => code.features(at).slopes !== null) || anyNamesMatch(/alibi| slopes? /)) return "alibi";
  if (anyNamesMatch(/ relative_position_bias_table | relative_coords /)) return "swin_bias";
  if (anyNamesMatch(GRID_TABLE_NAMES)) return "decomposed_rel_pos";
  const isClipped =
    role.kind === "distance" && role.bound !== null
      ? true
      : around.some((at) => code.features(at).distance?.bound != null);
  const isLookedUp = anyNamesMatch(
    / (?:embedding|embed|emb|parameter|einsum|gather|take|embedding_lookup|\w*table\w*|rel\w*_emb\w*) /,
  );
  const isNamed =
    around.some((at) => /relative_?pos/.test(toSnakeCase(at.name))) ||
    anyNamesMatch(/ rel(?:ative)?_?pos(?:ition)?s?_?(?:emb\w*|table|k|v|keys?|values?) /);
  const isMask = !isNamed && anyNamesMatch(/ (?:mask|window_mask|band_mask) /);
  return isClipped && isLookedUp && anyNamesMatch(/rel|dist|pos|shaw|offset|delta/) && !isMask ? "shaw" : null;
}

/** Separate tables for heights and widths: ViTDet, SAM. */
const GRID_TABLE_NAMES = / (?:rel_pos_[hw]|rel_[hw]|relative_(?:height|width)|\w*decomposed\w*) /;

/** Code of attention: elsewhere, x[k] · h[n − k] is a convolution. */
const ATTENTION_NAMES = / (?:x?q|q_\w+|quer\w*|\w*attention\w*|\w*attn\w*|\w*softmax|logits?|w_?q\w*|to_q\w*) /;

function expansionEncoding(code: AnalysedCode, scope: Scope, role: ValueRole): EncodingId | null {
  const isAttention = enclosingScopes(scope).some((at) => code.namesMatch(at, ATTENTION_NAMES));
  return role.kind === "expansion" && isAttention ? role.form : null;
}

/** All structural recognisers. */
export const STRUCTURAL_RECOGNISERS: readonly StructuralRecogniser[] = [
  {
    id: "structure/pair-layout",
    roles: ["quarterRotated"],
    part: "pair layout",
    encoding: () => "rope",
  },
  {
    id: "structure/rotation",
    roles: ["rotated"],
    part: "rotation",
    encoding: (code, scope) => rotationEncoding(code, scope),
  },
  {
    id: "structure/pair-members",
    roles: ["member", "pairs"],
    part: "pair layout",
    encoding: (code, scope) => rotationEncoding(code, scope),
  },
  {
    id: "structure/frequencies",
    roles: ["frequencies", "wavelengths"],
    part: "inverse frequencies",
    encoding: waveEncoding,
  },
  { id: "structure/angles", roles: ["angles"], part: "angles", encoding: waveEncoding },
  { id: "structure/waves", roles: ["wave"], part: "cos and sin", encoding: waveEncoding },
  { id: "structure/table", roles: ["table"], part: "table", encoding: waveEncoding },
  { id: "structure/slopes", roles: ["slopes"], part: "slopes", encoding: () => "alibi" },
  { id: "structure/alibi", roles: ["alibi"], part: "bias", encoding: () => "alibi" },
  {
    id: "structure/buckets",
    roles: ["bucket"],
    part: "buckets",
    encoding: (code, scope, role) =>
      distanceEncoding(code, scope, role) === "deberta" || (role.kind === "bucket" && role.signed)
        ? "deberta"
        : "t5_bias",
  },
  {
    id: "structure/relative-scores",
    roles: ["relative"],
    part: "relative table",
    encoding: (code, scope) => (code.namesMatch(scope, GRID_TABLE_NAMES) ? "decomposed_rel_pos" : "shaw"),
  },
  {
    id: "structure/kernel",
    roles: ["kernel"],
    part: "bias",
    encoding: (_code, _scope, role) => (role.kind === "kernel" ? role.family : null),
  },
  { id: "structure/gate", roles: ["gate"], part: "gate", encoding: () => "cope" },
  { id: "structure/expansion", roles: ["expansion"], part: "encoding", encoding: expansionEncoding },
  { id: "structure/distances", roles: ["distance"], part: "distances", encoding: distanceEncoding },
];

/** Recognises an encoding by the role of a value in its scope. */
export function recogniseRole(code: AnalysedCode, role: ValueRole | null, scope: Scope): Recognition | null {
  if (role === null) return null;
  if (role.kind === "tuple") {
    const first = role.items.find((item) => item !== null) ?? null;
    return first?.kind === "tuple" ? null : recogniseRole(code, first, scope);
  }
  const recogniser = STRUCTURAL_RECOGNISERS.find((candidate) => candidate.roles.includes(role.kind));
  const encoding = recogniser?.encoding(code, scope, role) ?? null;
  if (recogniser === undefined || encoding === null) return null;
  return withRopeDetails(code, {
    recogniser: recogniser.id,
    encoding,
    part: recogniser.part,
    scope,
    confidence: "automatic",
    ...frequenciesOfRole(role),
  });
}

function frequenciesOfRole(role: ValueRole): { frequencies?: FrequencyRole } {
  const frequencyRole =
    role.kind === "frequencies" || role.kind === "wavelengths"
      ? role
      : "of" in role && "base" in role.of
        ? role.of
        : null;
  return frequencyRole === null || frequencyRole.base === null ? {} : { frequencies: frequencyRole };
}

/** Adds the scaling type and the pair layout of rotary encodings, read from the surrounding code. */
export function withRopeDetails(code: AnalysedCode, recognition: Recognition): Recognition {
  if (encodingById(recognition.encoding)?.rotation === undefined) return recognition;
  const isVision =
    recognition.encoding === "rope" && recognition.part !== "pair layout" && isVisionFile(code, recognition.scope);
  return {
    ...recognition,
    encoding: isVision ? "axial_rope" : recognition.encoding,
    ropeType: recognition.ropeType === undefined ? findRopeType(code, recognition.scope) : recognition.ropeType,
    layout: recognition.layout ?? findLayout(code, recognition.scope)?.layout ?? null,
  };
}

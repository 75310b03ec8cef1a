import type { EncodingId } from "../../spec.ts";
import type { Frequencies, Role, RoleKind } from "../patterns/role.ts";
import type { Scope } from "../symbols/module.ts";
import { type Code, scopesAround } from "./code.ts";
import { familyOfRole, isVisionFile, layoutOf, ropeTypeOf, waveFamily } from "./family.ts";
import { snake } from "./names.ts";
import type { Recognition, Subject } from "./recogniser.ts";

/** One way to see an encoding in the structure of an expression. One object each, all in one table. */
export interface StructuralRecogniser {
  readonly id: string;
  readonly roles: readonly RoleKind[];
  readonly subject: Subject;
  /** The encoding of such a value in this scope; null: silence. */
  readonly encoding: (code: Code, scope: Scope, role: Role) => EncodingId | null;
}

function rotating(code: Code, scope: Scope): EncodingId | null {
  const around = scopesAround(scope);
  const rotates = around.some(
    (at) => at.kind === "function" && (code.features(at).rotates || code.features(at).layouts.length > 0),
  );
  return rotates ? (waveFamily(code, scope) ?? "rope") : null;
}

function ofWaves(code: Code, scope: Scope, role: Role): EncodingId | null {
  return familyOfRole(code, scope, frequenciesIn(role).frequencies ?? null);
}

function distances(code: Code, scope: Scope, role: Role): EncodingId | null {
  const around = scopesAround(scope);
  const names = (pattern: RegExp): boolean => around.some((at) => code.has(at, pattern));
  if (
    around.some((at) => code.features(at).bucket?.signed === true) ||
    names(/ (?:c2p_att|make_log_bucket_position|pos_att_type) /)
  )
    return "deberta";
  if (around.some((at) => code.features(at).bucket !== null)) return "t5_bias";
  if (around.some((at) => code.features(at).slopes !== null) || names(/alibi| slopes? /)) return "alibi";
  if (names(/ relative_position_bias_table | relative_coords /)) return "swin_bias";
  const clipped =
    role.kind === "distance" && role.bound !== null
      ? true
      : around.some((at) => code.features(at).distance?.bound != null);
  const looked = names(
    / (?:embedding|embed|emb|parameter|einsum|gather|take|embedding_lookup|\w*table\w*|rel\w*_emb\w*) /,
  );
  const named = around.some((at) => /relative_?pos/.test(snake(at.name)));
  const masks = !named && names(/ (?:mask|window_mask|band_mask) /);
  return clipped && looked && names(/rel|dist|pos|shaw|offset|delta/) && !masks ? "shaw" : null;
}

/** Tables for heights and widths apart: ViTDet, SAM. */
const GRID_TABLES = / (?:rel_pos_[hw]|rel_[hw]|relative_(?:height|width)|\w*decomposed\w*) /;

/** Recognisers by structure. */
export const STRUCTURAL: readonly StructuralRecogniser[] = [
  {
    id: "structure/pair-layout",
    roles: ["turned"],
    subject: "pair layout",
    encoding: () => "rope",
  },
  {
    id: "structure/rotation",
    roles: ["rotated"],
    subject: "rotation",
    encoding: (code, scope) => rotating(code, scope),
  },
  {
    id: "structure/pair-members",
    roles: ["member", "pairs"],
    subject: "pair layout",
    encoding: (code, scope) => rotating(code, scope),
  },
  {
    id: "structure/frequencies",
    roles: ["frequencies", "wavelengths"],
    subject: "inverse frequencies",
    encoding: ofWaves,
  },
  { id: "structure/angles", roles: ["angles"], subject: "angles", encoding: ofWaves },
  { id: "structure/waves", roles: ["wave"], subject: "cos and sin", encoding: ofWaves },
  { id: "structure/table", roles: ["table"], subject: "table", encoding: ofWaves },
  { id: "structure/slopes", roles: ["slopes"], subject: "slopes", encoding: () => "alibi" },
  { id: "structure/alibi", roles: ["alibi"], subject: "bias", encoding: () => "alibi" },
  {
    id: "structure/buckets",
    roles: ["bucket"],
    subject: "buckets",
    encoding: (code, scope, role) =>
      distances(code, scope, role) === "deberta" || (role.kind === "bucket" && role.signed) ? "deberta" : "t5_bias",
  },
  {
    id: "structure/relative-scores",
    roles: ["relative"],
    subject: "relative table",
    encoding: (code, scope) => (code.has(scope, GRID_TABLES) ? "decomposed_rel_pos" : "shaw"),
  },
  {
    id: "structure/kernel",
    roles: ["kernel"],
    subject: "bias",
    encoding: (_code, _scope, role) => (role.kind === "kernel" ? role.family : null),
  },
  { id: "structure/gate", roles: ["gate"], subject: "gate", encoding: () => "cope" },
  { id: "structure/distances", roles: ["distance"], subject: "distances", encoding: distances },
];

/** What the role of a value says, in the scope where it stands. */
export function byRole(code: Code, role: Role | null, scope: Scope): Recognition | null {
  if (role === null) return null;
  if (role.kind === "tuple") {
    const first = role.items.find((item) => item !== null) ?? null;
    return first?.kind === "tuple" ? null : byRole(code, first, scope);
  }
  const recogniser = STRUCTURAL.find((candidate) => candidate.roles.includes(role.kind));
  const encoding = recogniser?.encoding(code, scope, role) ?? null;
  if (recogniser === undefined || encoding === null) return null;
  return completed(code, {
    recogniser: recogniser.id,
    encoding,
    subject: recogniser.subject,
    scope,
    confidence: "automatic",
    ...frequenciesIn(role),
  });
}

function frequenciesIn(role: Role): { frequencies?: Frequencies } {
  const found =
    role.kind === "frequencies" || role.kind === "wavelengths"
      ? role
      : "of" in role && "base" in role.of
        ? role.of
        : null;
  return found === null || found.base === null ? {} : { frequencies: found };
}

const ROTARY: ReadonlySet<EncodingId> = new Set(["rope", "axial_rope", "mrope", "xpos"]);

/** Adds what the code around shows: scaling and pair layout of rotary encodings. */
export function completed(code: Code, found: Recognition): Recognition {
  if (!ROTARY.has(found.encoding)) return found;
  const pictures = found.encoding === "rope" && found.subject !== "pair layout" && isVisionFile(code, found.scope);
  return {
    ...found,
    encoding: pictures ? "axial_rope" : found.encoding,
    ropeType: found.ropeType === undefined ? ropeTypeOf(code, found.scope) : found.ropeType,
    layout: found.layout ?? layoutOf(code, found.scope)?.layout ?? null,
  };
}

import * as l10n from "@vscode/l10n";
import type { Encoding } from "../encodings/encoding.ts";
import { ENCODINGS } from "../encodings/index.ts";
import { findParameter } from "../encodings/support/schema.ts";
import { localize } from "../l10n/l10n.ts";
import type { EncodingId, Params } from "../spec.ts";

export interface EncodingChoice {
  readonly encoding: EncodingId;
  /** Values that select a variant of the encoding; all others are defaults. */
  readonly params: Params;
  readonly name: string;
  /** The two parts of a variant's name: "RoPE" and "YaRN". */
  readonly parts?: { readonly encoding: string; readonly variant: string };
  /** What the name means, and models that use it. */
  readonly description: string;
  readonly summary?: string;
}

export interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly EncodingChoice[];
}

/** Most used first. */
const CHOICE_GROUP_IDS = ["rotation", "absolute", "bias", "relative", "none"] as const;
type ChoiceGroupId = (typeof CHOICE_GROUP_IDS)[number];

function groupLabel(group: ChoiceGroupId): string {
  switch (group) {
    case "absolute":
      return l10n.t("absolute");
    case "rotation":
      return l10n.t("rotation");
    case "relative":
      return l10n.t("relative");
    case "bias":
      return l10n.t("bias");
    case "none":
      return l10n.t("none");
  }
}

/** Groups by effect: rotations act on queries and keys, biases do not depend on the content, relative encodings do. */
function findChoiceGroup({ classification: { kind, actsOn }, effect }: Encoding): ChoiceGroupId {
  if (kind === "none" || kind === "absolute") return kind;
  if (actsOn === "query_key") return "rotation";
  const meetsContent = effect.content_position !== "dropped" || effect.position_content !== "dropped";
  return actsOn === "scores" && !meetsContent ? "bias" : "relative";
}

/** All encodings by group; an encoding with variants lists each of them. */
export function listEncodingChoices(): ChoiceGroup[] {
  return CHOICE_GROUP_IDS.map((group) => ({
    label: groupLabel(group),
    choices: ENCODINGS.filter((encoding) => findChoiceGroup(encoding) === group).flatMap(listChoices),
  })).filter(({ choices }) => choices.length > 0);
}

function listChoices(encoding: Encoding): EncodingChoice[] {
  const { id, explanation } = encoding;
  const name = localize(encoding.name);
  const description = [localize(encoding.gloss), explanation.models.slice(0, 4).join(", ")].filter(Boolean).join(" · ");
  // The picker searches descriptions and details, so all models must be in the text even if they are not visible.
  const summary = [localize(explanation.summary), explanation.models.slice(4).join(", ")].filter(Boolean).join(" · ");
  const plainChoice = { encoding: id, params: {}, name, description, summary };
  const family = findParameter(encoding, "rope_type");
  const variants = (family?.choices ?? []).filter(({ value }) => value !== family?.default);
  return [
    plainChoice,
    ...variants.map(({ value, name: variantName, gloss }) => ({
      encoding: id,
      params: { rope_type: value },
      name: `${name} · ${localize(variantName)}`,
      parts: { encoding: name, variant: localize(variantName) },
      description: gloss === undefined ? "" : localize(gloss),
    })),
  ];
}

import { t } from "@vscode/l10n";
import type { Encoding } from "../../../core/encodings/encoding.ts";
import { ENCODINGS } from "../../../core/encodings/index.ts";
import { findParameter } from "../../../core/encodings/schema.ts";
import { say } from "../../../core/l10n.ts";
import type { EncodingId, Params } from "../../../core/spec.ts";

export interface EncodingChoice {
  readonly encoding: EncodingId;
  /** Over the defaults: which variant of a family. */
  readonly changes: Params;
  readonly title: string;
  readonly models: string;
  readonly summary: string;
}

export interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly EncodingChoice[];
}

const GROUPS = ["absolute", "rotation", "relative", "bias", "none"] as const;
type Group = (typeof GROUPS)[number];

function labelOf(group: Group): string {
  switch (group) {
    case "absolute":
      return t("Absolute: positions join the input");
    case "rotation":
      return t("Rotation: absolute in form, relative in effect");
    case "relative":
      return t("Relative: distances enter query, key or value");
    case "bias":
      return t("Bias: a number is added to the score");
    case "none":
      return t("Without positions");
  }
}

function groupOf({ classification: { kind, acts } }: Encoding): Group {
  if (kind === "none" || kind === "absolute") return kind;
  if (kind === "both") return "rotation";
  return acts === "scores" ? "bias" : "relative";
}

/** What a person can pick, in groups; a family with variants offers each of them. */
export function encodingChoices(): ChoiceGroup[] {
  return GROUPS.map((group) => ({
    label: labelOf(group),
    choices: ENCODINGS.filter((encoding) => groupOf(encoding) === group).flatMap(choicesOf),
  })).filter(({ choices }) => choices.length > 0);
}

function choicesOf(encoding: Encoding): EncodingChoice[] {
  const { id, title, explanation } = encoding;
  const models = explanation.models.slice(0, 4).join(", ");
  const whole = { encoding: id, changes: {}, title: say(title), models, summary: say(explanation.summary) };
  const family = findParameter(encoding, "rope_type");
  const variants = (family?.choices ?? []).filter(({ value }) => value !== family?.default);
  return [
    whole,
    ...variants.map(({ value, label }) => ({
      ...whole,
      changes: { rope_type: value },
      title: `${say(title)} · ${say(label)}`,
      models: "",
    })),
  ];
}

import { t } from "@vscode/l10n";
import { localize } from "../../l10n/l10n.ts";
import type { EncodingId, Params } from "../../spec.ts";
import type { Encoding } from "../encoding.ts";
import { ENCODINGS } from "../index.ts";
import { findParameter } from "./schema.ts";

export interface EncodingChoice {
  readonly encoding: EncodingId;
  /** Over the defaults: which variant of a family. */
  readonly changes: Params;
  readonly name: string;
  /** What the name stands for, and who uses it. */
  readonly description: string;
  readonly summary?: string;
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
      return t("absolute");
    case "rotation":
      return t("rotation");
    case "relative":
      return t("relative");
    case "bias":
      return t("bias");
    case "none":
      return t("none");
  }
}

/** By where it acts: rotations turn queries and keys, biases are added whatever the content, the rest meets content. */
function groupOf({ classification: { kind, acts }, fate }: Encoding): Group {
  if (kind === "none" || kind === "absolute") return kind;
  if (acts === "query_key") return "rotation";
  const meetsContent = fate.content_position !== "dropped" || fate.position_content !== "dropped";
  return acts === "scores" && !meetsContent ? "bias" : "relative";
}

/** What a person can pick, in groups; a family with variants offers each of them. */
export function encodingChoices(): ChoiceGroup[] {
  return GROUPS.map((group) => ({
    label: labelOf(group),
    choices: ENCODINGS.filter((encoding) => groupOf(encoding) === group).flatMap(choicesOf),
  })).filter(({ choices }) => choices.length > 0);
}

function choicesOf(encoding: Encoding): EncodingChoice[] {
  const { id, explanation } = encoding;
  const title = inTwo(localize(encoding.title));
  const description = [title.gloss, explanation.models.slice(0, 4).join(", ")].filter(Boolean).join(" · ");
  // The pick searches descriptions and details: every model finds its encoding, whether or not its name is seen.
  const summary = [localize(explanation.summary), explanation.models.slice(4).join(", ")].filter(Boolean).join(" · ");
  const whole = { encoding: id, changes: {}, name: title.name, description, summary };
  const family = findParameter(encoding, "rope_type");
  const variants = (family?.choices ?? []).filter(({ value }) => value !== family?.default);
  return [
    whole,
    ...variants.map(({ value, label }) => {
      const { name, gloss } = inTwo(localize(label));
      return { encoding: id, changes: { rope_type: value }, name: `${title.name} · ${name}`, description: gloss };
    }),
  ];
}

/** "ALiBi — linear bias": what it is called, and what that means. */
function inTwo(title: string): { name: string; gloss: string } {
  const [name = title, gloss = ""] = title.split(/\s*—+\s*/, 2);
  return { name, gloss };
}

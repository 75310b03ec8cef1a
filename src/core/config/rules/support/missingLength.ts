import type { Localized } from "../../../l10n/l10n.ts";
import { type Finding, finding, type Rule } from "../rule.ts";
import { overBlocks, placeOf } from "./ropeBlocks.ts";
import { knownKeys, nearMiss } from "./ropeKeys.ts";

const KEY = "original_max_position_embeddings";

/** Findings where a type needs the trained length and the file has it nowhere. */
export function missingLength(type: string, message: Localized): Rule["check"] {
  return overBlocks((block): readonly Finding[] => {
    const { attributes } = block.facts;
    if (block.type !== type || block.section.has(KEY) || attributes.get(KEY) !== undefined) return [];
    // A key that is almost this one has its own finding.
    const known = knownKeys(block);
    if (block.section.keys().some((key) => !known.has(key) && nearMiss(key, known) === KEY)) return [];
    const longest = attributes.valueOrDefault("max_position_embeddings")?.value;
    return finding(placeOf(block.section), message, { args: [longest ?? "max_position_embeddings"] });
  });
}

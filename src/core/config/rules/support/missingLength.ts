import type { Localized } from "../../../l10n/l10n.ts";
import { isFiniteNumber } from "../../huggingface/attributes.ts";
import { findingAt, type Rule, type RuleFinding } from "../rule.ts";
import { checkEachBlock, locationOf, type RopeBlock } from "./ropeBlocks.ts";
import { acceptedKeys, findNearMiss } from "./ropeKeys.ts";

const ORIGINAL_LENGTH_KEY = "original_max_position_embeddings";

/** Reports a type that needs the training context if the file does not have it. */
export function checkOriginalLength(type: string, message: Localized): Rule["check"] {
  return checkEachBlock((block): readonly RuleFinding[] => {
    const { attributes } = block.facts;
    if (
      block.type !== type ||
      block.section.has(ORIGINAL_LENGTH_KEY) ||
      attributes.get(ORIGINAL_LENGTH_KEY) !== undefined
    )
      return [];
    // Misspelt keys have their own finding.
    const known = acceptedKeys(block);
    if (block.section.keys().some((key) => !known.has(key) && findNearMiss(key, known) === ORIGINAL_LENGTH_KEY))
      return [];
    const longest = attributes.valueOrDefault("max_position_embeddings")?.value;
    return findingAt(locationOf(block.section), message, {
      args: [longest ?? "max_position_embeddings"],
      choices: proposeLengths(block, longest).map((length) => ({
        title: { en: `Set ${ORIGINAL_LENGTH_KEY} to ${length}`, zh: `将 ${ORIGINAL_LENGTH_KEY} 设为 ${length}` },
        changes: [{ path: [...block.section.path, ORIGINAL_LENGTH_KEY], value: length }],
      })),
    });
  });
}

/** The file's length is either what the factor made of the training context, or the training context itself. */
function proposeLengths(block: RopeBlock, longest: unknown): number[] {
  if (!isFiniteNumber(longest)) return [];
  const before = longest / (block.number("factor") ?? 1);
  return Number.isInteger(before) && before !== longest ? [before, longest] : [longest];
}

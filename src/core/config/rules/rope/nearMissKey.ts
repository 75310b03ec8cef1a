import { ownValue } from "../../../util/ownValue.ts";
import type { Section } from "../../text/section.ts";
import { findingAt, HUGGING_FACE, type Rule, type RuleFinding } from "../rule.ts";
import { checkEachBlock, checkEachRotaryStack } from "../support/ropeBlocks.ts";
import { acceptedKeys, findNearMiss, isNear } from "../support/ropeKeys.ts";

export const ropeNearMissKey: Rule = {
  id: "rope/near-miss-key",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Unknown key, probably misspelt", zh: "未知的键，可能拼写有误" },
  rationale: {
    en: "Misspelt keys are ignored. The best-known case is attn_factor: runtimes differ on it, and transformers reads only attention_factor.",
    zh: "拼写有误的键会被忽略。最有名的是 attn_factor：各运行时处理不一，transformers 只读 attention_factor。",
  },
  reference: "https://github.com/huggingface/transformers/issues/42189",
  check: (facts) => [...checkDictionaries(facts), ...checkTopLevel(facts)],
};

const checkDictionaries = checkEachBlock((block) => {
  const known = acceptedKeys(block);
  return block.section.keys().flatMap((key) => {
    const meant = known.has(key) ? undefined : findNearMiss(key, known);
    return meant === undefined ? [] : misspeltFinding(block.section, key, meant);
  });
});

/** Top-level keys that RoPE models read; names that resemble other valid keys are left out. */
const TOP_LEVEL_KEYS: ReadonlySet<string> = new Set([
  "rope_theta",
  "rope_scaling",
  "rope_parameters",
  "max_position_embeddings",
  "partial_rotary_factor",
  "original_max_position_embeddings",
  "sliding_window",
]);

/** Names of the same values in torchtune, litgpt, Megatron and llama.cpp. */
const KEYS_OF_OTHER_FRAMEWORKS: Readonly<Record<string, string>> = {
  rope_base: "rope_theta",
  rotary_base: "rope_theta",
  rope_freq_base: "rope_theta",
  theta: "rope_theta",
  rope_scale: "rope_scaling",
};

const checkTopLevel = checkEachRotaryStack(({ attributes: { section, type } }) => {
  // Which keys remote code reads is not known in full: step3_text has `max_position_embedding`, and reads it.
  if (section === undefined || section.has("rope_parameters") || type.remoteCode !== undefined) return [];
  return section.keys().flatMap((key) => {
    if (TOP_LEVEL_KEYS.has(key)) return [];
    const other =
      type.hasRopeParameters === true && type.thetaKey === undefined
        ? ownValue(KEYS_OF_OTHER_FRAMEWORKS, key)
        : undefined;
    const near = other ?? [...TOP_LEVEL_KEYS].find((name) => isNear(key, name));
    const meant = near !== undefined && !section.has(near) ? near : undefined;
    return meant === undefined ? [] : misspeltFinding(section, key, meant);
  });
});

function misspeltFinding(section: Section, key: string, meant: string): readonly RuleFinding[] {
  const found = section.get(key);
  if (found === undefined) return [];
  const fix = {
    title: { en: 'Rename "{0}" to "{1}"', zh: "将 “{0}” 改名为 “{1}”" },
    changes: [{ path: found.path, renameTo: meant }],
  };
  return findingAt(
    found,
    { en: '"{0}" is ignored; did you mean "{1}"?', zh: "“{0}” 会被忽略；是否应为 “{1}”？" },
    { args: [key, meant], ...(section.has(meant) ? {} : { fix }) },
  );
}

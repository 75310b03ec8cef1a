import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";

export const ropeDynamicWithCache: Rule = {
  id: "rope/dynamic-with-cache",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "Dynamic NTK is inconsistent with cached keys", zh: "动态 NTK 与缓存的键不一致" },
  rationale: {
    en: "The base grows with the length, but cached keys keep the rotation of the earlier base. Beyond the training context, cached and new keys no longer match.",
    zh: "底数随长度增长，而缓存中的键是按当时的底数旋转的：超过训练上下文后，新旧键不一致。",
  },
  reference: "https://github.com/huggingface/transformers/issues/25104",
  check: checkEachBlock(({ section, type, number, facts: { attributes } }) => {
    const longest = attributes.valueOrDefault("max_position_embeddings")?.value;
    if (type !== "dynamic" || longest === undefined || attributes.get("use_cache")?.value === false) return [];
    return findingAt(
      locationOf(section, section.has("rope_type") ? "rope_type" : "type"),
      {
        en: "beyond {0} tokens the base changes with the length, but cached keys keep the old one (factor {1})",
        zh: "超过 {0} 个词元后底数随长度变化，缓存中的键仍用旧底数（factor {1}）",
      },
      {
        args: [longest, number("factor") ?? "?"],
      },
    );
  }),
};

import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks, placeOf } from "../support/ropeBlocks.ts";

export const ropeDynamicCache: Rule = {
  id: "rope/dynamic-with-cache",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "Dynamic NTK and the key cache", zh: "动态 NTK 与键缓存" },
  rationale: {
    en: "The base grows with the length, but keys in the cache were turned with the base of their time: past the trained length, cached and fresh keys do not agree.",
    zh: "底数随长度变化，而缓存里的键是按当时的底数旋转的：超过训练长度后，新旧键不一致。",
  },
  reference: "https://github.com/huggingface/transformers/issues/25104",
  check: overBlocks(({ section, type, number, facts: { attributes } }) => {
    const longest = attributes.valueOrDefault("max_position_embeddings")?.value;
    if (type !== "dynamic" || longest === undefined || attributes.get("use_cache")?.value === false) return [];
    return finding(
      placeOf(section, section.has("rope_type") ? "rope_type" : "type"),
      {
        en: "beyond {0} tokens the base changes with the length, cached keys keep theirs (factor {1})",
        zh: "超过 {0} 个词元后底数随长度变化，缓存中的键仍用旧底数（factor {1}）",
      },
      {
        args: [longest, number("factor") ?? "?"],
      },
    );
  }),
};

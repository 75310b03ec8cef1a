import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const alibiMptIgnored: Rule = {
  id: "alibi/mpt-ignored",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "MPT in transformers always uses ALiBi", zh: "transformers 中的 MPT 总是使用 ALiBi" },
  rationale: {
    en: "The transformers port ignores alibi, alibi_bias_max and rope in attn_config. It always uses ALiBi with alibi_bias_max 8.",
    zh: "transformers 的移植版忽略 attn_config 中的 alibi、alibi_bias_max 与 rope，总是使用 alibi_bias_max 为 8 的 ALiBi。",
  },
  reference: "transformers/models/mpt/modeling_mpt.py: build_mpt_alibi_tensor",
  check: checkEachStack(({ attributes }) => {
    const section = attributes.section?.section("attn_config");
    return Object.entries(attributes.type.fixedAttentionValues ?? {}).flatMap(([key, only]) => {
      const found = section?.get(key);
      if (found === undefined || found.value === only) return [];
      // MPT-7B-StoryWriter was published with 16.
      const published = key === "alibi_bias_max" ? { checked: false } : {};
      return findingAt(
        found,
        { en: "{0} is ignored: the model always uses {1}", zh: "{0} 会被忽略：模型总是使用 {1}" },
        { args: [key, String(only)], ...published },
      );
    });
  }),
};

import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overStacks } from "../support/ropeBlocks.ts";

const FIXED: readonly (readonly [string, unknown])[] = [
  ["alibi", true],
  ["alibi_bias_max", 8],
  ["rope", false],
];

export const alibiMptIgnored: Rule = {
  id: "alibi/mpt-ignored",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "MPT in transformers always uses ALiBi", zh: "transformers 中的 MPT 总是使用 ALiBi" },
  rationale: {
    en: "The port reads neither attn_config.alibi nor alibi_bias_max nor rope: slopes are those of 8, whatever the file says.",
    zh: "该移植版不读 attn_config 中的 alibi、alibi_bias_max 与 rope：无论文件怎么写，都用上限 8 的斜率。",
  },
  reference: "transformers/models/mpt/modeling_mpt.py: build_mpt_alibi_tensor",
  check: overStacks(({ attributes }) => {
    const section = attributes.typeName === "mpt" ? attributes.section?.section("attn_config") : undefined;
    return FIXED.flatMap(([key, only]) => {
      const found = section?.get(key);
      if (found === undefined || found.value === only) return [];
      // MPT-7B-StoryWriter was published with 16.
      const published = key === "alibi_bias_max" ? { checked: false } : {};
      return finding(
        found,
        { en: "{0} is not read: the model uses {1}", zh: "{0} 不会被读取：模型用的是 {1}" },
        { args: [key, String(only)], ...published },
      );
    });
  }),
};

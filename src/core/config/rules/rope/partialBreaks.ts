import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropePartialBreaks: Rule = {
  id: "rope/partial-breaks",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "partial_rotary_factor makes the model fail", zh: "partial_rotary_factor 会使模型运行失败" },
  rationale: {
    en: "The shared functions for linear, dynamic, yarn, longrope and llama3 apply partial_rotary_factor, but this model's attention does not: the tables are narrower than the head.",
    zh: "linear、dynamic、yarn、longrope、llama3 的公共函数会按 partial_rotary_factor 计算，而该模型的注意力并不支持：表比头窄，形状出错。",
  },
  reference: "https://github.com/huggingface/transformers/issues/48630",
  check: checkEachRotaryStack(({ attributes, specs }) => {
    const scaled = ["linear", "dynamic", "yarn", "longrope", "llama3"];
    const spec = specs.find(({ params }) => scaled.includes(String(params.rope_type)));
    const { rotary_dim: dim, head_dim: head } = spec?.params ?? {};
    const written = spec?.evidence.find(({ param }) => param === "partial_rotary_factor");
    if (
      attributes.type.hasRopeParameters !== true ||
      attributes.type.honoursPartialFactor === true ||
      typeof dim !== "number" ||
      typeof head !== "number" ||
      dim === head
    )
      return [];
    return findingAt(
      written,
      {
        en: "the table covers {0} of {1} dimensions, but {2} rotates the whole head: shape error",
        zh: "表只有 {1} 维中的 {0} 维，而 {2} 旋转整个头：形状错误",
      },
      {
        args: [dim, head, attributes.typeName ?? ""],
      },
    );
  }),
};

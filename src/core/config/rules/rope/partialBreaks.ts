import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overRotary } from "../support/ropeBlocks.ts";

export const ropePartialBreaks: Rule = {
  id: "rope/partial-breaks",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "A fraction that makes the model fail", zh: "会使模型运行失败的旋转比例" },
  rationale: {
    en: "The shared functions for linear, dynamic, yarn, longrope and llama3 honour partial_rotary_factor, this model's attention does not: the tables are shorter than the head.",
    zh: "linear、dynamic、yarn、longrope、llama3 的公共函数会按 partial_rotary_factor 计算，而该模型的注意力并不支持：表比头短，形状出错。",
  },
  reference: "https://github.com/huggingface/transformers/issues/48630",
  check: overRotary(({ attributes, specs }) => {
    const scaled = ["linear", "dynamic", "yarn", "longrope", "llama3"];
    const spec = specs.find(({ params }) => scaled.includes(String(params.rope_type)));
    const { rotary_dim: dim, head_dim: head } = spec?.params ?? {};
    const written = spec?.evidence.find(({ param }) => param === "partial_rotary_factor");
    if (
      attributes.type.v !== 1 ||
      attributes.type.p === 1 ||
      typeof dim !== "number" ||
      typeof head !== "number" ||
      dim === head
    )
      return [];
    return finding(
      written,
      {
        en: "{0} of {1} numbers get a table, but {2} turns the whole head: shape error",
        zh: "表只有 {1} 维中的 {0} 维，而 {2} 旋转整个头：形状错误",
      },
      {
        args: [dim, head, attributes.typeName ?? ""],
      },
    );
  }),
};

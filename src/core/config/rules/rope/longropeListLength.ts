import { isNumbers } from "../../huggingface/attributes.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";

export const ropeLongropeListLength: Rule = {
  id: "rope/longrope-list-length",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "LongRoPE list has the wrong length", zh: "LongRoPE 列表长度不对" },
  rationale: {
    en: "short_factor and long_factor need one number per pair, half of the rotary dimension. With any other length, building the model fails.",
    zh: "short_factor 与 long_factor 每个维度对一个数，共旋转维数的一半。长度不符时构建模型会失败。",
  },
  reference: "https://arxiv.org/abs/2402.13753",
  check: checkEachBlock(({ section, facts: { specs } }) => {
    const spec = specs.find(({ params }) => params.rope_type === "longrope");
    const rotary = spec?.params.rotary_dim;
    if (typeof rotary !== "number") return [];
    return ["short_factor", "long_factor"].flatMap((key) => {
      const found = section.get(key);
      if (!isNumbers(found?.value) || found.value.length === Math.floor(rotary / 2)) return [];
      return findingAt(
        found,
        {
          en: "{0} numbers, expected {1} (half of the rotary dimension {2})",
          zh: "有 {0} 个数，应为 {1} 个：旋转维数 {2} 的一半",
        },
        {
          args: [found.value.length, Math.floor(rotary / 2), rotary],
        },
      );
    });
  }),
};

import { isNumbers } from "../../huggingface/attributes.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";

export const ropeMropeSections: Rule = {
  id: "rope/mrope-sections",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "mrope_section does not match the rotary dimension", zh: "mrope_section 与旋转维数不符" },
  rationale: {
    en: "The sections give the number of pairs rotated by time, row and column. They must sum to half of the rotary dimension: 16 + 24 + 24 = 64 for 128.",
    zh: "各段表示随时间、行、列旋转的维度对数，总和须为旋转维数的一半，例如 16 + 24 + 24 = 64（维数 128）。",
  },
  reference: "https://github.com/huggingface/transformers/issues/33401",
  check: checkEachBlock(({ section, facts: { specs, stack } }) => {
    const found = section.get("mrope_section");
    const rotary = specs.find(({ params }) => typeof params.rotary_dim === "number")?.params.rotary_dim;
    if (stack.encoding !== "mrope" || !isNumbers(found?.value) || typeof rotary !== "number") return [];
    const sum = found.value.reduce((total, part) => total + part, 0);
    if (2 * sum === rotary) return [];
    return findingAt(
      found,
      {
        en: "{0} pairs, expected {1} (half of the rotary dimension {2})",
        zh: "共 {0} 对，应为 {1} 对：旋转维数 {2} 的一半",
      },
      { args: [sum, rotary / 2, rotary] },
    );
  }),
};

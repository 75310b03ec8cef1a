import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { ropeBlocks } from "../support/ropeBlocks.ts";

export const ropeThetaTwice: Rule = {
  id: "rope/theta-twice",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Two different bases", zh: "两个不同的底数" },
  rationale: {
    en: "The base inside the dictionary wins in transformers 5; version 4 and most runtimes read the one at the top.",
    zh: "transformers 5 以字典内的底数为准；第 4 版和多数运行时读取顶层的。",
  },
  reference: "https://github.com/vllm-project/vllm/issues/42624",
  check: (facts) =>
    ropeBlocks(facts).flatMap(({ section, facts: { attributes }, number, label }) => {
      const top = attributes.section?.get("rope_theta");
      const inner = number("rope_theta");
      if (label !== null || typeof top?.value !== "number" || inner === undefined || inner === top.value) return [];
      return finding(
        top,
        { en: "{0} here, {1} in {2}: transformers 5 takes {1}", zh: "此处为 {0}，{2} 中为 {1}：transformers 5 取 {1}" },
        {
          args: [top.value, inner, section.path.join(".")],
          fix: { title: { en: "Write {1} here too", zh: "此处也写 {1}" }, changes: [{ path: top.path, value: inner }] },
        },
      );
    }),
};

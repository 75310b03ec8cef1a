import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { findRopeBlocks } from "../support/ropeBlocks.ts";

export const ropeThetaTwice: Rule = {
  id: "rope/theta-twice",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Two different values of rope_theta", zh: "rope_theta 有两个不同的值" },
  rationale: {
    en: "transformers 5 uses the base inside the dictionary; version 4 and most runtimes use the one at the top level.",
    zh: "transformers 5 以字典内的底数为准；第 4 版和多数运行时读取顶层的。",
  },
  reference: "https://github.com/vllm-project/vllm/issues/42624",
  check: (facts) =>
    findRopeBlocks(facts).flatMap(({ section, facts: { attributes }, number, label }) => {
      const top = attributes.section?.get("rope_theta");
      const inner = number("rope_theta");
      if (label !== undefined || typeof top?.value !== "number" || inner === undefined || inner === top.value)
        return [];
      return findingAt(
        top,
        { en: "{0} here, {1} in {2}: transformers 5 uses {1}", zh: "此处为 {0}，{2} 中为 {1}：transformers 5 取 {1}" },
        {
          args: [top.value, inner, section.path.join(".")],
          fix: {
            title: { en: "Change to {1} here too", zh: "此处也改为 {1}" },
            changes: [{ path: top.path, value: inner }],
          },
        },
      );
    }),
};

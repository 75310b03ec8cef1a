import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";

export const ropeFactorMismatch: Rule = {
  id: "rope/factor-mismatch",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "factor differs from the ratio of the lengths", zh: "factor 不等于长度之比" },
  rationale: {
    en: "transformers uses factor as written and warns if max_position_embeddings / original_max_position_embeddings differs. A ratio of 1 is accepted: it means that max_position_embeddings was left at the training context.",
    zh: "transformers 按写明的 factor 计算，若 max_position_embeddings / original_max_position_embeddings 与之不同则警告。比值为 1 可以接受：表示 max_position_embeddings 仍保持训练上下文。",
  },
  reference: "transformers/modeling_rope_utils.py: _validate_yarn_rope_parameters",
  check: checkEachBlock(({ section, type, number, facts: { attributes, specs } }) => {
    const factor = number("factor");
    const spec = specs.find(({ params }) => params.rope_type === "yarn");
    const original = spec?.params.original_max_position_embeddings;
    const longest = attributes.valueOrDefault("max_position_embeddings")?.value;
    if (type !== "yarn" || factor === undefined || longest === undefined || typeof original !== "number") return [];
    const ratio = longest / original;
    if (ratio === factor || ratio === 1) return [];
    return findingAt(
      section.get("factor"),
      {
        en: "factor is {0}, but {1} / {2} = {3}: transformers uses {0}",
        zh: "factor 为 {0}，而 {1} / {2} = {3}：transformers 使用 {0}",
      },
      { args: [factor, longest, original, Number(ratio.toPrecision(6))] },
    );
  }),
};

import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";

export const ropeLongropeFactor: Rule = {
  id: "rope/longrope-factor",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "LongRoPE without factor", zh: "LongRoPE 缺少 factor" },
  rationale: {
    en: "Without factor, transformers computes the attention factor from max_position_embeddings / original_max_position_embeddings and recommends setting factor.",
    zh: "没有 factor 时，transformers 用 max_position_embeddings / original_max_position_embeddings 计算注意力系数，并建议写明 factor。",
  },
  reference: "transformers/modeling_rope_utils.py: _compute_longrope_parameters",
  check: checkEachBlock(({ section, type, facts: { specs } }) => {
    const spec = specs.find(({ params }) => params.rope_type === "longrope");
    const params = spec?.params;
    if (type !== "longrope" || section.has("factor") || typeof params?.factor !== "number") return [];
    // Without the training context the ratio means nothing, and another rule reports that.
    if (spec?.sources.original_max_position_embeddings !== "config") return [];
    return findingAt(
      locationOf(section, "rope_type"),
      { en: "factor is missing: {0} / {1} = {2} is used", zh: "没有 factor：取 {0} / {1} = {2}" },
      {
        args: [Number(params.max_position_embeddings), Number(params.original_max_position_embeddings), params.factor],
      },
    );
  }),
};

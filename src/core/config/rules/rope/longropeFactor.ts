import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks, placeOf } from "../support/ropeBlocks.ts";

export const ropeLongropeFactor: Rule = {
  id: "rope/longrope-factor",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "LongRoPE's factor follows from the lengths", zh: "LongRoPE 的 factor 由长度推出" },
  rationale: {
    en: "Without factor, transformers takes max_position_embeddings / original_max_position_embeddings for the attention factor, and asks for factor to be written.",
    zh: "没有 factor 时，transformers 用 max_position_embeddings / original_max_position_embeddings 计算注意力因子，并建议写明 factor。",
  },
  reference: "transformers/modeling_rope_utils.py: _compute_longrope_parameters",
  check: overBlocks(({ section, type, facts: { specs } }) => {
    const spec = specs.find(({ params }) => params.rope_type === "longrope");
    const params = spec?.params;
    if (type !== "longrope" || section.has("factor") || typeof params?.factor !== "number") return [];
    // Where the trained length is missing too, another rule says so, and the ratio means nothing.
    if (spec?.sources.original_max_position_embeddings !== "config") return [];
    return finding(
      placeOf(section, "rope_type"),
      { en: "no factor: {0} / {1} = {2} is taken", zh: "没有 factor：取 {0} / {1} = {2}" },
      {
        args: [Number(params.max_position_embeddings), Number(params.original_max_position_embeddings), params.factor],
      },
    );
  }),
};

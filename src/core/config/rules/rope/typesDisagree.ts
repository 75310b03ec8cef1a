import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";

export const ropeTypesDisagree: Rule = {
  id: "rope/types-disagree",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "type and rope_type disagree", zh: "type 与 rope_type 不一致" },
  rationale: {
    en: "transformers silently uses rope_type, MLX uses type: the same file yields two different models.",
    zh: "transformers 取 rope_type 且不作提示，MLX 取 type：同一文件成了两个模型。",
  },
  reference: "mlx_lm/models/rope_utils.py: initialize_rope",
  check: checkEachBlock(({ section, facts }) => {
    const [type, ropeType] = [section.string("type"), section.string("rope_type")];
    if (type === undefined || ropeType === undefined || type === ropeType) return [];
    if (type === "mrope" && ropeType === "default" && facts.stack.encoding === "mrope") return [];
    if (type === "su" && ropeType === "longrope") return [];
    return findingAt(
      section.get("type"),
      {
        en: '"type" is "{0}", but "rope_type" is "{1}": transformers uses "{1}", MLX uses "{0}"',
        zh: "“type” 为 “{0}”，“rope_type” 为 “{1}”：transformers 取后者，MLX 取前者",
      },
      {
        args: [type, ropeType],
        fix: { title: { en: 'Remove "type"', zh: "删除 “type”" }, changes: [{ path: [...section.path, "type"] }] },
      },
    );
  }),
};

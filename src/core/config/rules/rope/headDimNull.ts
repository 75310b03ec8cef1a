import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";

/** The functions of these types multiply by `config.head_dim`; the others compute a quotient first. */
const TYPES_USING_HEAD_DIM: ReadonlySet<string> = new Set(["dynamic", "yarn", "longrope"]);

export const ropeHeadDimNull: Rule = {
  id: "rope/head-dim-null",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Scaling needs head_dim, but it is null", zh: "缩放需要 head_dim，而它为 null" },
  rationale: {
    en: "This class leaves head_dim null, but dynamic, YaRN and LongRoPE multiply by it: TypeError when the model is built.",
    zh: "该类的 head_dim 保持为 null，而 dynamic、YaRN 与 LongRoPE 直接用它相乘：构建模型时抛出 TypeError。",
  },
  reference: 'transformers/modeling_rope_utils.py: getattr(config, "head_dim", …)',
  check: checkEachBlock(({ section, type, facts: { attributes, specs } }) => {
    const written = attributes.fromFile("head_dim");
    const { nullHeadDim } = attributes.type;
    const isNull =
      written === undefined ? nullHeadDim === "unless_set" : nullHeadDim !== undefined && written.value === null;
    const head = specs.find(({ encoding }) => encoding !== "none")?.params.head_dim;
    if (!isNull || !TYPES_USING_HEAD_DIM.has(type) || typeof head !== "number") return [];
    return findingAt(
      written ?? locationOf(section, section.has("rope_type") ? "rope_type" : "type"),
      {
        en: 'head_dim is null, but rope_type "{0}" needs it: TypeError when the model is built',
        zh: "head_dim 为 null，而 rope_type “{0}” 要用它计算：构建模型时抛出 TypeError",
      },
      {
        args: [type, head],
        fix: {
          title: { en: "Set head_dim to {1}", zh: "将 head_dim 设为 {1}" },
          changes: [{ path: [...(attributes.section?.path ?? []), "head_dim"], value: head }],
        },
      },
    );
  }),
};

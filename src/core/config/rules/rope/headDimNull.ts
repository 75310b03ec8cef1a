import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks, placeOf } from "../support/ropeBlocks.ts";

/** Classes of transformers 5.18 that leave an unset head_dim null, and those that leave a written null so. */
const UNSET = /^(?:hunyuan_v1_dense|hunyuan_v1_moe|hunyuan_vl_text|minimax|ministral|mixtral)$/;
const WRITTEN = /^(?:afmoe|glm)$/;

/** The shared functions of these types multiply `config.head_dim`; the others ask for a quotient first. */
const MULTIPLIES: ReadonlySet<string> = new Set(["dynamic", "yarn", "longrope"]);

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
  check: overBlocks(({ section, type, facts: { attributes, specs } }) => {
    const written = attributes.fromFile("head_dim");
    const name = attributes.typeName ?? "";
    const isNull = UNSET.test(name) ? (written?.value ?? null) === null : WRITTEN.test(name) && written?.value === null;
    const head = specs.find(({ encoding }) => encoding !== "none")?.params.head_dim;
    if (!isNull || !MULTIPLIES.has(type) || typeof head !== "number") return [];
    return finding(
      written ?? placeOf(section, section.has("rope_type") ? "rope_type" : "type"),
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

import type { Section } from "../../text/section.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const ropeScalingUnread: Rule = {
  id: "rope/scaling-unread",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "RoPE scaling is ignored by this model", zh: "此模型忽略 RoPE 缩放" },
  rationale: {
    en: "GPT-J, CodeGen, RoFormer, ESM and similar models have the base in their code and no scaling: the dictionary is stored, but the rotation does not change.",
    zh: "GPT-J、CodeGen、RoFormer、ESM 等把底数写在代码里，没有缩放：字典只被保存，旋转不变。",
  },
  reference: "transformers/models/gptj/modeling_gptj.py: create_sinusoidal_positions",
  check: checkEachStack(({ attributes: { section, type, typeName, confidence }, stack }) => {
    if (
      stack.encoding !== "rope" ||
      stack.key !== undefined ||
      type.hasRopeParameters === true ||
      type.remoteCode !== undefined ||
      confidence === "guess"
    )
      return [];
    const keys = type.ignoresRopeScaling === true ? ["rope_scaling"] : ["rope_scaling", "rope_parameters"];
    const found = keys.filter((key) => hasScaling(section?.section(key))).flatMap((key) => section?.get(key) ?? []);
    return found.flatMap((own) =>
      findingAt(
        own,
        { en: "ignored by {0}: nothing is scaled", zh: "{0} 会忽略：缩放不起作用" },
        {
          args: [typeName ?? ""],
        },
      ),
    );
  }),
};

function hasScaling(dictionary: Section | undefined): boolean {
  const type = dictionary?.string("rope_type") ?? dictionary?.string("type") ?? "default";
  return type !== "default" || dictionary?.has("factor") === true;
}

import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks, placeOf } from "../support/ropeBlocks.ts";

export const ropePhi3Yarn: Rule = {
  id: "rope/phi3-yarn",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Phi-3 turns YaRN into LongRoPE", zh: "Phi-3 会把 YaRN 变成 LongRoPE" },
  rationale: {
    en: "The class renames yarn to longrope, an alias of its first releases: YaRN itself cannot be had, and longrope needs lists.",
    zh: "该类把 yarn 改名为 longrope（早期版本的别名）：无法真正使用 YaRN，而 longrope 需要列表。",
  },
  reference: "transformers/models/phi3/configuration_phi3.py: convert_rope_params_to_dict",
  check: overBlocks(({ section, type, facts: { attributes } }) => {
    if (attributes.type.s !== "phi3" || type !== "yarn") return [];
    const key = section.has("rope_type") ? "rope_type" : "type";
    return finding(
      placeOf(section, key),
      { en: "yarn is read as longrope by {0}", zh: "{0} 会把 yarn 当作 longrope" },
      { args: [attributes.typeName ?? ""] },
    );
  }),
};

import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";

export const ropePhi3Yarn: Rule = {
  id: "rope/phi3-yarn",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Phi-3 reads YaRN as LongRoPE", zh: "Phi-3 把 YaRN 当作 LongRoPE" },
  rationale: {
    en: "The class renames yarn, an alias in its first releases, to longrope. YaRN itself is not available, and longrope requires lists.",
    zh: "该类把 yarn 改名为 longrope（早期版本的别名）：无法真正使用 YaRN，而 longrope 需要列表。",
  },
  reference: "transformers/models/phi3/configuration_phi3.py: convert_rope_params_to_dict",
  check: checkEachBlock(({ section, type, facts: { attributes } }) => {
    if (type !== "yarn" || attributes.type.ropeTypeAliases?.[type] === undefined) return [];
    const key = section.has("rope_type") ? "rope_type" : "type";
    return findingAt(
      locationOf(section, key),
      { en: "{0} reads yarn as longrope", zh: "{0} 会把 yarn 当作 longrope" },
      { args: [attributes.typeName ?? ""] },
    );
  }),
};

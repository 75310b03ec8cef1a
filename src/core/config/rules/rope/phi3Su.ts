import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock, locationOf } from "../support/ropeBlocks.ts";

export const ropePhi3Su: Rule = {
  id: "rope/phi3-su",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: 'rope_type "su" fails in Phi-3', zh: "Phi-3 的 rope_type “su” 会出错" },
  rationale: {
    en: "su, an old name of longrope, is translated only after the training context has been moved into the dictionary, so a length at the top level is not found: KeyError.",
    zh: "su 是 longrope 的旧名，在训练上下文移入字典之后才被改名，因此找不到写在顶层的长度：抛出 KeyError。",
  },
  reference: "transformers/models/phi3/configuration_phi3.py: convert_rope_params_to_dict",
  check: checkEachBlock(({ section, type, facts: { attributes } }) => {
    const isRenamed = attributes.type.ropeTypeAliases?.["su"] !== undefined;
    if (!isRenamed || type !== "su" || section.has("original_max_position_embeddings")) return [];
    const key = section.has("rope_type") ? "rope_type" : "type";
    return findingAt(
      locationOf(section, key),
      {
        en: 'transformers 5.18 raises KeyError for "su": write "longrope"',
        zh: "transformers 5.18 遇到 “su” 会抛出 KeyError：请写 “longrope”",
      },
      {
        fix: {
          title: { en: 'Change to "longrope"', zh: "改为 “longrope”" },
          changes: [{ path: [...section.path, key], value: "longrope" }],
        },
      },
    );
  }),
};

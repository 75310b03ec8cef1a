import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks, placeOf } from "../support/ropeBlocks.ts";

export const ropePhi3Su: Rule = {
  id: "rope/phi3-su",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Phi-3's old name of LongRoPE", zh: "Phi-3 中 LongRoPE 的旧名" },
  rationale: {
    en: "su is renamed only after the trained length was moved into the dictionary, so that a length at the top is not found: KeyError.",
    zh: "su 在训练长度移入字典之后才被改名，因此找不到写在顶层的长度：抛出 KeyError。",
  },
  reference: "transformers/models/phi3/configuration_phi3.py: convert_rope_params_to_dict",
  check: overBlocks(({ section, type, facts: { attributes } }) => {
    if (attributes.type.s !== "phi3" || type !== "su" || section.has("original_max_position_embeddings")) return [];
    const key = section.has("rope_type") ? "rope_type" : "type";
    return finding(
      placeOf(section, key),
      {
        en: 'transformers 5.18 raises KeyError for "su": write "longrope"',
        zh: "transformers 5.18 遇到 “su” 会抛出 KeyError：请写 “longrope”",
      },
      {
        fix: {
          title: { en: 'Write "longrope"', zh: "改为 “longrope”" },
          changes: [{ path: [...section.path, key], value: "longrope" }],
        },
      },
    );
  }),
};

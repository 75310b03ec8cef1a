import { overBlocks, placeOf } from "./ropeBlocks.ts";
import { TYPE_KEYS } from "./ropeKeys.ts";
import { finding, HUGGING_FACE, type Rule } from "./rule.ts";

export const ropeMissingKeys: Rule = {
  id: "rope/missing-keys",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "A RoPE type needs keys that are not there", zh: "该 RoPE 类型缺少必需的键" },
  rationale: {
    en: "transformers raises KeyError while it loads the configuration. Lengths are filled in, so they are not in question here.",
    zh: "transformers 加载配置时会抛出 KeyError。长度类的键会自动补全，不在此列。",
  },
  reference: "transformers/modeling_rope_utils.py: RotaryEmbeddingConfigMixin._check_received_keys",
  check: overBlocks(({ section, type }) => {
    const required = TYPE_KEYS[type]?.required ?? [];
    const missing = required.filter((key) => key !== "original_max_position_embeddings" && !section.has(key));
    if (missing.length === 0) return [];
    return finding(
      placeOf(section, "rope_type"),
      {
        en: 'rope_type "{0}" needs {1}: transformers raises KeyError',
        zh: "rope_type 为 “{0}” 时必须有 {1}：transformers 会抛出 KeyError",
      },
      { args: [type, missing.join(", ")] },
    );
  }),
};

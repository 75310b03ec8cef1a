import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const layersTypesUnread: Rule = {
  id: "layers/types-unread",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "layer_types has no effect on this model", zh: "layer_types 对此模型不起作用" },
  rationale: {
    en: "Mistral gives every layer the same mask, set by sliding_window alone. Alternating layers need the class ministral.",
    zh: "Mistral 仅凭 sliding_window 给所有层同样的掩码；要让层交替，须用 ministral 类。",
  },
  reference: "transformers/models/mistral/configuration_mistral.py",
  check: checkEachStack(({ attributes }) => {
    const found = attributes.fromFile("layer_types");
    if (attributes.type.ignoresLayerTypes !== true) return [];
    if (!Array.isArray(found?.value) || new Set(found.value).size < 2) return [];
    return findingAt(
      found,
      {
        en: "{0} ignores layer_types: every layer has sliding_window {1}",
        zh: "{0} 忽略 layer_types：每层的 sliding_window 都是 {1}",
      },
      {
        args: [attributes.typeName ?? "", attributes.valueOrDefault("sliding_window")?.value ?? "null"],
      },
    );
  }),
};

import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overStacks } from "../support/ropeBlocks.ts";

export const layersTypesUnread: Rule = {
  id: "layers/types-unread",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "layer_types on a model that has one kind of layer", zh: "模型只有一种层，却写了 layer_types" },
  rationale: {
    en: "Mistral gives every layer the same mask, by sliding_window alone; alternating layers are the class ministral.",
    zh: "Mistral 仅凭 sliding_window 给所有层同样的掩码；交替的层属于 ministral 类。",
  },
  reference: "transformers/models/mistral/configuration_mistral.py",
  check: overStacks(({ attributes }) => {
    const found = attributes.fromFile("layer_types");
    if (attributes.typeName !== "mistral" && attributes.typeName !== "ministral3") return [];
    if (!Array.isArray(found?.value) || new Set(found.value).size < 2) return [];
    return finding(
      found,
      {
        en: "{0} does not read layer_types: every layer has sliding_window {1}",
        zh: "{0} 不读 layer_types：每层的 sliding_window 都是 {1}",
      },
      {
        args: [attributes.typeName, attributes.valueOrDefault("sliding_window")?.value ?? "null"],
      },
    );
  }),
};

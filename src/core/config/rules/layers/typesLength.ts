import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overStacks } from "../support/ropeBlocks.ts";

export const layersTypesLength: Rule = {
  id: "layers/types-length",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "layer_types has another length than the model", zh: "layer_types 的长度与层数不符" },
  rationale: {
    en: "There must be one entry for each of num_hidden_layers: transformers raises ValueError.",
    zh: "num_hidden_layers 的每一层都要有一项：否则 transformers 抛出 ValueError。",
  },
  reference: "transformers/configuration_utils.py: validate_layer_type",
  check: overStacks(({ attributes }) => {
    const found = attributes.fromFile("layer_types");
    const count = found === undefined ? undefined : attributes.valueOrDefault("num_hidden_layers")?.value;
    if (!Array.isArray(found?.value) || count === undefined || found.value.length === count) return [];
    return finding(
      found,
      { en: "{0} entries for {1} layers", zh: "{1} 层却有 {0} 项" },
      { args: [found.value.length, count] },
    );
  }),
};

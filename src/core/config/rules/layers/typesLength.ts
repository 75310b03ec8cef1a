import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const layersTypesLength: Rule = {
  id: "layers/types-length",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "layer_types has the wrong length", zh: "layer_types 的长度与层数不符" },
  rationale: {
    en: "layer_types needs one entry for each of the num_hidden_layers layers; otherwise transformers raises ValueError.",
    zh: "layer_types 须为 num_hidden_layers 层各写一项，否则 transformers 抛出 ValueError。",
  },
  reference: "transformers/configuration_utils.py: validate_layer_type",
  check: checkEachStack(({ attributes }) => {
    const found = attributes.fromFile("layer_types");
    const count = found === undefined ? undefined : attributes.valueOrDefault("num_hidden_layers")?.value;
    if (!Array.isArray(found?.value) || count === undefined || found.value.length === count) return [];
    return findingAt(
      found,
      { en: "{0} entries, but {1} layers", zh: "有 {0} 项，而模型有 {1} 层" },
      { args: [found.value.length, count] },
    );
  }),
};

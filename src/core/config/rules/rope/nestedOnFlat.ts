import { isRecord } from "../../../util/isRecord.ts";
import { resolveLayerTypes } from "../../huggingface/layers.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropeNestedOnFlat: Rule = {
  id: "rope/nested-on-flat",
  severity: "error",
  formats: HUGGING_FACE,
  title: {
    en: "RoPE parameters are nested by layer type, but the model has a single RoPE",
    zh: "模型只有一套 RoPE，却按层类型给出参数",
  },
  rationale: {
    en: "Nested dictionaries count only under names that occur in layer_types, and only in classes with a RoPE for each. Under other names, transformers warns about unrecognised keys and uses the default base; in other classes, building the model fails.",
    zh: "嵌套字典只有在键名出现于 layer_types、且该类为每种层各设一套 RoPE 时才有效。其他键名只会引起无法识别的警告并使用默认底数；在其他类中构建模型会失败。",
  },
  reference: "transformers/modeling_rope_utils.py: nested_rope_parameter_keys",
  check: checkEachRotaryStack(({ attributes, specs }) => {
    const written = attributes.section?.section("rope_parameters");
    const count = specs[0]?.params.num_layers;
    if (written === undefined || typeof count !== "number" || attributes.type.ropeByLayerType !== undefined) return [];
    const nested = written.keys().filter((key) => isRecord(written.get(key)?.value));
    const labels = new Set(resolveLayerTypes(attributes, Math.min(count, 1000)) ?? []);
    const taken = nested.find((key) => labels.has(key));
    if (taken !== undefined)
      return findingAt(
        written.get(taken),
        {
          en: '{0}: this model has a single RoPE for all layers; building it raises KeyError "rope_type"',
          zh: "{0}：该模型所有层共用一套 RoPE；构建时抛出 KeyError “rope_type”",
        },
        { args: [taken] },
      );
    if (nested.length === 0) return [];
    return findingAt(
      written.get(nested[0] ?? ""),
      { en: "{0}: no layer has this type, so the base is {1}", zh: "{0}：没有这种类型的层，底数为 {1}" },
      {
        args: [nested.join(", "), Number(specs[0]?.params.rope_theta)],
      },
    );
  }),
};

import { isRecord } from "../../isRecord.ts";
import { layerTypes } from "../layers.ts";
import { overRotary } from "./ropeBlocks.ts";
import { finding, HUGGING_FACE, type Rule } from "./rule.ts";

export const ropeNestedOnFlat: Rule = {
  id: "rope/nested-on-flat",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Parameters by layer type on a model without layer types", zh: "模型没有层类型，却按层类型给出参数" },
  rationale: {
    en: "Nested dictionaries count only under names that stand in layer_types. Elsewhere transformers warns about unrecognised keys and uses the default base.",
    zh: "嵌套字典只有在键名出现于 layer_types 时才有效；否则 transformers 只警告无法识别的键，并使用默认底数。",
  },
  reference: "transformers/modeling_rope_utils.py: nested_rope_parameter_keys",
  check: overRotary(({ attributes, specs }) => {
    const written = attributes.section?.section("rope_parameters");
    const count = specs[0]?.params.num_layers;
    if (written === undefined || typeof count !== "number" || FIXED.has(attributes.type.s ?? "")) return [];
    const nested = written.keys().filter((key) => isRecord(written.get(key)?.value));
    const labels = new Set(layerTypes(attributes, Math.min(count, 1000)) ?? []);
    if (nested.length === 0 || nested.some((key) => labels.has(key))) return [];
    return finding(
      written.get(nested[0] ?? ""),
      { en: "{0}: no layer is of this type, the base is {1}", zh: "{0}：没有这种类型的层，底数为 {1}" },
      {
        args: [nested.join(", "), Number(specs[0]?.params.rope_theta)],
      },
    );
  }),
};

/** Classes that know their labels whatever the layers are. */
const FIXED: ReadonlySet<string> = new Set([
  "gemma3",
  "olmo3",
  "modernbert",
  "as_written",
  "deepseek_v4",
  "neomme",
  "step3p5",
]);

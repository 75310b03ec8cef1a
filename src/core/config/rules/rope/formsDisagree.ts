import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropeFormsDisagree: Rule = {
  id: "rope/forms-disagree",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "rope_scaling and rope_parameters disagree", zh: "rope_scaling 与 rope_parameters 不一致" },
  rationale: {
    en: "A non-empty rope_scaling silently replaces all of rope_parameters, including keys that only rope_parameters has.",
    zh: "非空的 rope_scaling 会不加提示地整体取代 rope_parameters，包括只写在后者中的键。",
  },
  reference: "transformers/modeling_rope_utils.py: RotaryEmbeddingConfigMixin.convert_rope_params_to_dict",
  check: checkEachRotaryStack(({ attributes }) => {
    const scaling = attributes.section?.section("rope_scaling");
    const written = attributes.section?.section("rope_parameters");
    if (scaling === undefined || written === undefined || scaling.keys().length === 0) return [];
    const lost = written
      .keys()
      .filter((key) => key !== "rope_theta" && !same(scaling.get(key)?.value, written.get(key)?.value));
    if (lost.length === 0) return [];
    return findingAt(
      { path: written.path, range: written.range() },
      {
        en: "rope_scaling replaces this dictionary; ignored: {0}",
        zh: "rope_scaling 会取代这个字典；被忽略的键：{0}",
      },
      { args: [lost.join(", ")] },
    );
  }),
};

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

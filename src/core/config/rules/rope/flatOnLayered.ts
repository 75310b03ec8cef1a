import { isRecord } from "../../../util/isRecord.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack, ignoresFlatParameters } from "../support/ropeBlocks.ts";

export const ropeFlatOnLayered: Rule = {
  id: "rope/flat-on-layered",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "RoPE parameters are not nested by layer type", zh: "RoPE 参数没有按层类型嵌套" },
  rationale: {
    en: "This class reads rope_parameters.full_attention and rope_parameters.sliding_attention. Flat keys are stored but silently ignored in favour of the defaults.",
    zh: "该类读取 rope_parameters.full_attention 与 rope_parameters.sliding_attention；平铺的键只被保存而不起作用，且不加提示地使用默认值。",
  },
  reference: "transformers/models/gemma3/configuration_gemma3.py: convert_rope_params_to_dict",
  check: checkEachRotaryStack(({ attributes: { type, section } }) => {
    const written = section?.section("rope_parameters");
    if (!ignoresFlatParameters(type) || written === undefined || written.keys().length === 0) return [];
    if (written.keys().some((key) => isRecord(written.get(key)?.value) || /attention$/.test(key))) return [];
    return findingAt(
      { path: written.path, range: written.range() },
      {
        en: "ignored here: {0}; move to full_attention or sliding_attention",
        zh: "此处会被忽略：{0}；请写到 full_attention 或 sliding_attention 之下",
      },
      {
        args: [written.keys().join(", ")],
      },
    );
  }),
};

import { isRecord } from "../../../util/isRecord.ts";
import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overRotary } from "../support/ropeBlocks.ts";

/** Classes with dictionaries of their own for each layer type. */
export const LAYERED: ReadonlySet<string> = new Set(["gemma3", "olmo3", "modernbert", "as_written"]);

export const ropeFlatOnLayered: Rule = {
  id: "rope/flat-on-layered",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "One dictionary where each layer type needs its own", zh: "应按层类型分别给出参数，却只有一个字典" },
  rationale: {
    en: "This class reads rope_parameters.full_attention and rope_parameters.sliding_attention; flat keys are kept as junk and the defaults are used, without a word.",
    zh: "该类读取 rope_parameters.full_attention 与 rope_parameters.sliding_attention；平铺的键只被保存而不起作用，默默使用默认值。",
  },
  reference: "transformers/models/gemma3/configuration_gemma3.py: convert_rope_params_to_dict",
  check: overRotary(({ attributes: { type, section } }) => {
    const written = section?.section("rope_parameters");
    if (!LAYERED.has(type.s ?? "") || written === undefined || written.keys().length === 0) return [];
    if (written.keys().some((key) => isRecord(written.get(key)?.value) || /attention$/.test(key))) return [];
    return finding(
      { path: written.path, range: written.range() },
      {
        en: "{0} here is ignored: put it under full_attention or sliding_attention",
        zh: "此处的 {0} 会被忽略：请写到 full_attention 或 sliding_attention 之下",
      },
      {
        args: [written.keys().join(", ")],
      },
    );
  }),
};

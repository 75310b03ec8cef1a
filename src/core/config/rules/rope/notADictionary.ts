import { isRecord } from "../../../util/isRecord.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropeNotADictionary: Rule = {
  id: "rope/not-a-dictionary",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "rope_scaling is not a dictionary", zh: "rope_scaling 不是字典" },
  rationale: {
    en: 'Some training frameworks accept a string such as "linear" here; transformers requires a dictionary and fails to load the file.',
    zh: "有的训练框架在此接受 “linear” 之类的字符串；transformers 需要字典，否则加载失败。",
  },
  reference: "https://github.com/huggingface/transformers/pull/24653",
  check: checkEachRotaryStack(({ attributes: { section } }) =>
    ["rope_scaling", "rope_parameters"].flatMap((key) => {
      const found = section?.get(key);
      if (found === undefined || found.value === null || isRecord(found.value)) return [];
      // Values that are false in Python count as no rope_scaling.
      if (key === "rope_scaling" && (!found.value || (Array.isArray(found.value) && found.value.length === 0)))
        return [];
      const word = typeof found.value === "string" && ["linear", "dynamic"].includes(found.value);
      return findingAt(
        found,
        word
          ? {
              en: '{0} must be a dictionary: {"rope_type": …, "factor": …}',
              zh: '{0} 必须是字典：{"rope_type": …, "factor": …}',
            }
          : { en: "{0} must be a dictionary", zh: "{0} 必须是字典" },
        { args: [key] },
      );
    }),
  ),
};

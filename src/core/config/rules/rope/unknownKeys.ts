import { ownValue } from "../../../util/ownValue.ts";
import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overBlocks } from "../support/ropeBlocks.ts";
import { knownKeys, nearMiss, TYPE_KEYS } from "../support/ropeKeys.ts";

export const ropeUnknownKeys: Rule = {
  id: "rope/unknown-keys",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "A key that this RoPE type does not read", zh: "该 RoPE 类型不读取的键" },
  rationale: {
    en: "transformers warns about unrecognised keys and goes on without them: what they say has no effect.",
    zh: "transformers 只警告无法识别的键，然后忽略它：其内容不起作用。",
  },
  reference: "transformers/modeling_rope_utils.py: RotaryEmbeddingConfigMixin._check_received_keys",
  check: overBlocks((block) => {
    const known = knownKeys(block);
    if (ownValue(TYPE_KEYS, block.type) === undefined) return [];
    const unknown = block.section.keys().filter((key) => !known.has(key) && nearMiss(key, known) === undefined);
    return unknown.flatMap((key) =>
      finding(
        block.section.get(key),
        { en: '"{0}" is not read for rope_type "{1}"', zh: "rope_type 为 “{1}” 时不读取 “{0}”" },
        { args: [key, block.type] },
      ),
    );
  }),
};

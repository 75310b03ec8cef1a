import { ownValue } from "../../../util/ownValue.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";
import { acceptedKeys, findNearMiss, ROPE_TYPE_KEYS } from "../support/ropeKeys.ts";

export const ropeUnknownKeys: Rule = {
  id: "rope/unknown-keys",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Key is not used by this RoPE type", zh: "该 RoPE 类型不使用的键" },
  rationale: {
    en: "transformers warns about unrecognised keys and ignores them.",
    zh: "transformers 会警告无法识别的键，并忽略它们。",
  },
  reference: "transformers/modeling_rope_utils.py: RotaryEmbeddingConfigMixin._check_received_keys",
  check: checkEachBlock((block) => {
    const known = acceptedKeys(block);
    if (ownValue(ROPE_TYPE_KEYS, block.type) === undefined) return [];
    const unknown = block.section.keys().filter((key) => !known.has(key) && findNearMiss(key, known) === undefined);
    return unknown.flatMap((key) =>
      findingAt(
        block.section.get(key),
        { en: '"{0}" is not used by rope_type "{1}"', zh: "rope_type 为 “{1}” 时不使用 “{0}”" },
        { args: [key, block.type] },
      ),
    );
  }),
};

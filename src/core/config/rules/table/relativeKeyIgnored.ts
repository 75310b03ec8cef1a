import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const tableRelativeKeyIgnored: Rule = {
  id: "table/relative-key-ignored",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Relative positions were removed in transformers 5", zh: "transformers 5 已移除的相对位置" },
  rationale: {
    en: "transformers 5 dropped position_embedding_type from the BERT family. The key is kept, but the model uses its absolute table with weights trained for relative positions.",
    zh: "BERT 系列的 position_embedding_type 已被移除：键仍保留，但模型用绝对位置表运行，而权重是按相对位置训练的。",
  },
  reference: "transformers/models/bert/modeling_bert.py",
  check: checkEachStack(({ attributes, stack }) => {
    const found = attributes.fromFile("position_embedding_type");
    if (stack.encoding !== "learned_absolute" || attributes.type.defaults?.position_embedding_type !== undefined)
      return [];
    if (found?.value !== "relative_key" && found?.value !== "relative_key_query") return [];
    return findingAt(
      found,
      { en: '"{0}" is ignored: {1} uses its absolute table', zh: "“{0}” 会被忽略：{1} 使用绝对位置表" },
      { args: [found.value, attributes.typeName ?? ""] },
    );
  }),
};

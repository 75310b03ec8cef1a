import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { findFiniteTable } from "../support/finiteTable.ts";

/** tokenizers without a limit have about 1e30. */
const MIN_UNLIMITED_LENGTH = 1e12;

export const tableTokenizerLonger: Rule = {
  id: "table/tokenizer-longer",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Tokenizer limit exceeds the position table", zh: "分词器允许的长度超过位置表" },
  rationale: {
    en: "Texts between the two lengths are not truncated, and the table lookup fails: an index error on the CPU, a device-side assert on the GPU.",
    zh: "长度介于两者之间的文本不会被截断，查表时会失败：CPU 上索引越界，GPU 上触发断言。",
  },
  reference: "https://github.com/huggingface/transformers/issues/14243",
  check: ({ specs, siblings, root }) => {
    const spec = findFiniteTable(specs);
    const usable = spec?.params.usable_positions;
    const length = spec === undefined ? undefined : siblings.tokenizer()?.get("model_max_length")?.value;
    if (typeof length !== "number" || length > MIN_UNLIMITED_LENGTH || typeof usable !== "number" || length <= usable)
      return [];
    const place = spec?.evidence.find(({ param }) => param === "max_position_embeddings") ?? {
      path: root.path,
      range: root.range(),
    };
    return findingAt(
      place,
      {
        en: "the table holds {0} tokens, but tokenizer_config.json has model_max_length {1}",
        zh: "位置表只容纳 {0} 个词元，而 tokenizer_config.json 的 model_max_length 为 {1}",
      },
      { args: [usable, length], checked: spec?.confidence === "checked" },
    );
  },
};

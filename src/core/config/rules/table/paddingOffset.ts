import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const tablePaddingOffset: Rule = {
  id: "table/padding-offset",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "RoBERTa never uses the first rows of its table", zh: "RoBERTa 的前几行用不上" },
  rationale: {
    en: "Positions start at pad_token_id + 1, so 514 rows hold 512 tokens. If the number of rows is a power of two, the table probably ends before the intended length.",
    zh: "位置从 pad_token_id + 1 开始，因此 514 行只能容纳 512 个词元。行数恰为 2 的幂时，表往往会在预期长度之前用尽。",
  },
  reference: "https://github.com/huggingface/transformers/issues/1363",
  check: checkEachStack(({ attributes, specs, stack }) => {
    const rows = attributes.fromFile("max_position_embeddings");
    const usable = specs[0]?.params.usable_positions;
    if (stack.paddingRows !== "counted" || typeof rows?.value !== "number" || typeof usable !== "number") return [];
    if (!Number.isInteger(Math.log2(rows.value))) return [];
    return findingAt(
      rows,
      {
        en: "{0} rows hold {1} tokens: the first {2} are never used",
        zh: "{0} 行只能容纳 {1} 个词元：前 {2} 行从不使用",
      },
      { args: [rows.value, usable, rows.value - usable] },
    );
  }),
};

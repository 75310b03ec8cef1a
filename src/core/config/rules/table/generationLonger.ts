import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { findFiniteTable } from "../support/finiteTable.ts";

export const tableGenerationLonger: Rule = {
  id: "table/generation-longer",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Generation length exceeds the position table", zh: "生成长度超过位置表" },
  rationale: {
    en: "max_length in generation_config.json exceeds the position table, so long generations end in an index error.",
    zh: "generation_config.json 的 max_length 超过位置表：长文本生成时索引越界。",
  },
  reference: "https://github.com/huggingface/transformers/issues/8077",
  check: ({ specs, siblings, root }) => {
    const spec = findFiniteTable(specs);
    const usable = spec?.params.usable_positions;
    const length = spec === undefined ? undefined : siblings.generation()?.get("max_length")?.value;
    if (typeof length !== "number" || typeof usable !== "number" || length <= usable) return [];
    const place = spec?.evidence.find(({ param }) => param === "max_position_embeddings") ?? {
      path: root.path,
      range: root.range(),
    };
    return findingAt(
      place,
      {
        en: "the table holds {0} tokens, but generation_config.json has max_length {1}",
        zh: "位置表只容纳 {0} 个词元，而 generation_config.json 的 max_length 为 {1}",
      },
      { args: [usable, length] },
    );
  },
};

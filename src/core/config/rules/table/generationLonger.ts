import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { endingTable } from "./tokenizerLonger.ts";

export const tableGenerationLonger: Rule = {
  id: "table/generation-longer",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Generation runs past the table", zh: "生成长度超过位置表" },
  rationale: {
    en: "generation_config.json asks for more tokens than the table has rows: generation ends in an index error.",
    zh: "generation_config.json 要求的长度超过位置表的行数：生成时索引越界。",
  },
  reference: "https://github.com/huggingface/transformers/issues/8077",
  check: ({ specs, siblings, root }) => {
    const spec = endingTable(specs);
    const usable = spec?.params.usable_positions;
    const length = spec === undefined ? undefined : siblings.generation()?.get("max_length")?.value;
    if (typeof length !== "number" || typeof usable !== "number" || length <= usable) return [];
    const place = spec?.evidence.find(({ param }) => param === "max_position_embeddings") ?? {
      path: root.path,
      range: root.range(),
    };
    return finding(
      place,
      {
        en: "the table serves {0} tokens, generation_config.json asks for {1}",
        zh: "位置表只容纳 {0} 个词元，generation_config.json 要求 {1} 个",
      },
      { args: [usable, length] },
    );
  },
};

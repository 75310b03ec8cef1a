import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overStacks } from "../support/ropeBlocks.ts";

export const headsKeyValue: Rule = {
  id: "heads/key-value",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Key heads do not divide the query heads", zh: "键值头数不能整除查询头数" },
  rationale: {
    en: "Each key head serves the same number of query heads; with a remainder shapes do not match.",
    zh: "每个键值头服务相同数目的查询头；有余数时形状不匹配。",
  },
  reference: "https://arxiv.org/abs/2305.13245",
  check: overStacks(({ attributes, specs }) => {
    const heads = specs[0]?.params.num_heads;
    const found = attributes.fromFile("num_key_value_heads");
    if (typeof heads !== "number" || typeof found?.value !== "number" || found.value <= 0 || heads % found.value === 0)
      return [];
    return finding(
      found,
      { en: "{0} key heads do not divide {1} heads", zh: "{0} 个键值头不能整除 {1} 个头" },
      { args: [found.value, heads] },
    );
  }),
};

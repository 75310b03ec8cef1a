import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const headsKeyValue: Rule = {
  id: "heads/key-value",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "Query heads are not divisible by key-value heads", zh: "查询头数不能被键值头数整除" },
  rationale: {
    en: "Each key-value head serves the same number of query heads; with a remainder, the shapes do not match.",
    zh: "每个键值头服务相同数目的查询头；有余数时形状不匹配。",
  },
  reference: "https://arxiv.org/abs/2305.13245",
  check: checkEachStack(({ attributes, specs }) => {
    const heads = specs[0]?.params.num_heads;
    const found = attributes.fromFile("num_key_value_heads");
    if (typeof heads !== "number" || typeof found?.value !== "number" || found.value <= 0 || heads % found.value === 0)
      return [];
    return findingAt(
      found,
      { en: "{1} query heads are not divisible by {0} key-value heads", zh: "{1} 个查询头不能被 {0} 个键值头整除" },
      { args: [found.value, heads] },
    );
  }),
};

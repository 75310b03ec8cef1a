import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const alibiBfloat16: Rule = {
  id: "alibi/bfloat16",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "Falcon's ALiBi is rounded to bfloat16", zh: "Falcon 的 ALiBi 被舍入到 bfloat16" },
  rationale: {
    en: "Falcon stores slope × position in bfloat16, which has 8 significant bits, so neighbouring positions beyond 256 can share a bias.",
    zh: "斜率与位置之积以 bfloat16 保存，只有 8 位有效位：位置超过 256 后，相邻位置可能偏置相同。",
  },
  reference: "transformers/models/falcon/modeling_falcon.py: build_alibi_tensor",
  check: checkEachStack(({ attributes, stack }) => {
    const found = attributes.fromFile("torch_dtype") ?? attributes.fromFile("dtype");
    if (stack.encoding !== "alibi" || attributes.type.alibiInBfloat16 !== true || found?.value !== "bfloat16")
      return [];
    return findingAt(found, {
      en: "beyond position 256, neighbouring positions can share a bias",
      zh: "位置超过 256 后，相邻位置可能偏置相同",
    });
  }),
};

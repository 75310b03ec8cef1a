import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overStacks } from "../support/ropeBlocks.ts";

export const alibiHalfPrecision: Rule = {
  id: "alibi/bfloat16",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "Falcon's ALiBi is rounded to bfloat16", zh: "Falcon 的 ALiBi 被舍入到 bfloat16" },
  rationale: {
    en: "Slope times position is held in bfloat16, which has 8 significant bits: beyond position 256 neighbours share a bias.",
    zh: "斜率与位置之积以 bfloat16 保存，只有 8 位有效位：位置超过 256 后相邻位置的偏置相同。",
  },
  reference: "transformers/models/falcon/modeling_falcon.py: build_alibi_tensor",
  check: overStacks(({ attributes, stack }) => {
    const found = attributes.fromFile("torch_dtype") ?? attributes.fromFile("dtype");
    if (stack.i !== "alibi" || attributes.typeName !== "falcon" || found?.value !== "bfloat16") return [];
    return finding(found, {
      en: "biases beyond position 256 are no longer all distinct",
      zh: "位置超过 256 后偏置不再各不相同",
    });
  }),
};

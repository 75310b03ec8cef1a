import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overStacks } from "../support/ropeBlocks.ts";

export const alibiRopeUnused: Rule = {
  id: "alibi/rope-unused",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "RoPE keys on a model with ALiBi", zh: "使用 ALiBi 的模型带有 RoPE 键" },
  rationale: {
    en: "Falcon has either ALiBi or RoPE; with alibi true its base and scaling are not looked at.",
    zh: "Falcon 只用 ALiBi 或 RoPE 之一；alibi 为真时不看底数与缩放。",
  },
  reference: "transformers/models/falcon/modeling_falcon.py",
  check: overStacks(({ attributes, stack }) => {
    if (stack.i !== "alibi") return [];
    const keys = ["rope_scaling", "rope_parameters", "rope_theta"];
    const found = keys.map((key) => attributes.fromFile(key)).find((own) => own !== undefined && own.value !== null);
    return finding(found, { en: "not used: the model has ALiBi", zh: "不会使用：模型用的是 ALiBi" });
  }),
};

import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const alibiRopeUnused: Rule = {
  id: "alibi/rope-unused",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "RoPE keys have no effect with ALiBi", zh: "使用 ALiBi 时 RoPE 键不起作用" },
  rationale: {
    en: "Falcon uses either ALiBi or RoPE. If alibi is true, the RoPE base and scaling are ignored.",
    zh: "Falcon 只用 ALiBi 或 RoPE 之一；alibi 为 true 时忽略 RoPE 的底数与缩放。",
  },
  reference: "transformers/models/falcon/modeling_falcon.py",
  check: checkEachStack(({ attributes, stack }) => {
    if (stack.encoding !== "alibi") return [];
    const keys = ["rope_scaling", "rope_parameters", "rope_theta"];
    const found = keys.map((key) => attributes.fromFile(key)).find((own) => own !== undefined && own.value !== null);
    return findingAt(found, { en: "ignored: the model uses ALiBi", zh: "会被忽略：模型使用 ALiBi" });
  }),
};

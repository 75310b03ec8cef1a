import { isNumbers } from "../../huggingface/attributes.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const layersNoRopeLayers: Rule = {
  id: "layers/no-rope-layers",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "Meaning of no_rope_layers", zh: "no_rope_layers 的含义" },
  rationale: {
    en: "The name suggests the opposite: 1 means that the layer uses RoPE, 0 that it has no position encoding. Megatron's no_rope_freq has the opposite convention.",
    zh: "名称与取值相反：1 表示该层使用 RoPE，0 表示没有位置编码。Megatron 的 no_rope_freq 约定相反。",
  },
  reference: "https://github.com/huggingface/transformers/issues/43756",
  check: checkEachStack(({ attributes }) => {
    const found = attributes.fromFile("no_rope_layers");
    if (attributes.type.ropeLayers !== "no_rope_layers" || !isNumbers(found?.value) || found.value.length === 0)
      return [];
    const without = found.value.flatMap((flag, i) => (flag === 0 ? [i] : []));
    const [used, nope] = [found.value.length - without.length, without.length];
    return findingAt(
      found,
      {
        en: "1 means RoPE: {0} layers with RoPE, {1} without ({2})",
        zh: "1 表示使用 RoPE：{0} 层有 RoPE，{1} 层没有（{2}）",
      },
      {
        args: [used, nope, without.slice(0, 24).join(", ") || "–"],
      },
    );
  }),
};

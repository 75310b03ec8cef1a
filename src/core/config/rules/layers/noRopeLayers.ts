import { isNumbers } from "../../huggingface/attributes.ts";
import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overStacks } from "../support/ropeBlocks.ts";

export const layersNopeWords: Rule = {
  id: "layers/no-rope-layers",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "no_rope_layers in words", zh: "用文字说明 no_rope_layers" },
  rationale: {
    en: "The name says the opposite of the values: 1 is a layer that uses RoPE, 0 one that has no position encoding. Megatron's no_rope_freq has the other sign.",
    zh: "名称与取值相反：1 表示该层使用 RoPE，0 表示没有位置编码。Megatron 的 no_rope_freq 符号相反。",
  },
  reference: "https://github.com/huggingface/transformers/issues/43756",
  check: overStacks(({ attributes }) => {
    const found = attributes.fromFile("no_rope_layers");
    if (attributes.type.N !== "no_rope_layers" || !isNumbers(found?.value) || found.value.length === 0) return [];
    const without = found.value.flatMap((flag, i) => (flag === 0 ? [i] : []));
    const [used, nope] = [found.value.length - without.length, without.length];
    return finding(
      found,
      {
        en: "1 = uses RoPE: {0} layers with RoPE, {1} without ({2})",
        zh: "1 = 使用 RoPE：{0} 层有 RoPE，{1} 层没有（{2}）",
      },
      {
        args: [used, nope, without.slice(0, 24).join(", ") || "–"],
      },
    );
  }),
};

import { encodingById } from "../../../encodings/index.ts";
import type { EncodingSpec } from "../../../spec.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";

/** Parameters that a conversion must carry over. */
const COMPARED_PARAMS = ["rope_theta", "rotary_dim", "num_heads", "num_kv_heads", "num_layers"] as const;

export const ggufDisagrees: Rule = {
  id: "gguf/disagrees",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "GGUF in the same folder disagrees with this file", zh: "同目录的 GGUF 与本文件不一致" },
  rationale: {
    en: "A base or rotary dimension lost in conversion makes the model produce fluent nonsense after the first tokens, and no runtime reports it.",
    zh: "转换时丢失的底数或旋转维数会让模型在开头几个词元之后胡言乱语，而没有任何运行时会提示。",
  },
  reference: "https://github.com/ggml-org/llama.cpp/issues/11008",
  check: ({ specs, siblings }) => {
    const config = findFullContextSpec(specs);
    if (config === undefined) return [];
    return siblings.gguf.flatMap(({ name, specs: others }) => {
      const other = findFullContextSpec(others);
      return COMPARED_PARAMS.flatMap((param) => {
        const [here, there] = [config.params[param], other?.params[param]];
        if (typeof here !== "number" || typeof there !== "number" || agreeInFloat32(here, there)) return [];
        const place = config.evidence.find((item) => item.param === param) ?? config.evidence[0];
        return findingAt(
          place,
          { en: "{0} is {1} here but {2} in {3}", zh: "{0} 此处为 {1}，{3} 中为 {2}" },
          { args: [param, here, there, name], checked: config.confidence === "checked" },
        );
      });
    });
  },
};

/** The language model's RoPE layers without a window. */
function findFullContextSpec(specs: readonly EncodingSpec[]): EncodingSpec | undefined {
  const rotary = specs.filter(
    ({ encoding, where }) => where === "text" && encodingById(encoding)?.rotation?.scalable === true,
  );
  return rotary.find(({ params }) => params.sliding_window === null) ?? rotary[0];
}

/** GGUF stores single precision. */
function agreeInFloat32(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-6 * Math.abs(a);
}

import type { NormSpec } from "../modelSpec.ts";
import { describeDecoder, type LayerContext } from "./decoder.ts";
import { type Family, headNorm, rmsNorm } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

/** Gemma's norms multiply by 1 + weight. */
function gemmaNorm(config: FamilyConfig, name: string, size: number): NormSpec {
  return { ...rmsNorm(name, size, config.number("rms_norm_eps", 1e-6)), weight: "plus_one" };
}

const attentionBias = (config: FamilyConfig) => ({
  qkv: config.flag("attention_bias", false),
  output: config.flag("attention_bias", false),
});

const embeddingScale = (config: FamilyConfig) => Math.sqrt(config.size("hidden_size"));

/** Norms before and after both branches. */
function normsAround({ config, prefix, hidden }: LayerContext) {
  const own = (name: string) => gemmaNorm(config, `${prefix}.${name}`, hidden);
  return {
    attention: own("input_layernorm"),
    attentionOutput: own("post_attention_layernorm"),
    mlp: own("pre_feedforward_layernorm"),
    mlpOutput: own("post_feedforward_layernorm"),
  };
}

const scaling = ({ config }: LayerContext) => config.number("query_pre_attn_scalar", 256) ** -0.5;

const activation = { key: "hidden_activation", fallback: "gelu_pytorch_tanh" };

/** Gemma 1. */
const gemma: Family = {
  modelTypes: ["gemma"],
  describe: (config) =>
    describeDecoder(config, {
      modelTypes: [],
      vocabulary: 256_000,
      intermediate: 24_576,
      norms: ({ prefix, hidden }) => ({
        attention: gemmaNorm(config, `${prefix}.input_layernorm`, hidden),
        mlp: gemmaNorm(config, `${prefix}.post_attention_layernorm`, hidden),
      }),
      biases: attentionBias,
      embeddingScale,
      // Published files say `gelu` or `gelu_pytorch_tanh` under `hidden_act`; the class always takes the latter.
      activation,
    }),
};

/** Gemma 2: soft caps, windows in every other layer. */
const gemma2: Family = {
  modelTypes: ["gemma2"],
  describe: (config) =>
    describeDecoder(config, {
      modelTypes: [],
      vocabulary: 256_000,
      intermediate: 9216,
      norms: normsAround,
      biases: attentionBias,
      embeddingScale,
      scaling,
      softcap: () => config.optionalNumber("attn_logit_softcapping"),
      activation,
    }),
};

/** Gemma 3: norms of queries and keys, two bases. */
const gemma3: Family = {
  modelTypes: ["gemma3_text", "gemma3"],
  describe: (config) =>
    describeDecoder(config, {
      modelTypes: [],
      vocabulary: 262_208,
      intermediate: 9216,
      norms: normsAround,
      biases: attentionBias,
      queryKeyNorms: ({ prefix, headDim }) => ({
        queryNorm: headNorm(gemmaNorm(config, `${prefix}.self_attn.q_norm`, headDim)),
        keyNorm: headNorm(gemmaNorm(config, `${prefix}.self_attn.k_norm`, headDim)),
      }),
      embeddingScale,
      scaling,
      softcap: () => config.optionalNumber("attn_logit_softcapping"),
      activation,
    }),
};

export const gemmas: readonly Family[] = [gemma, gemma2, gemma3];

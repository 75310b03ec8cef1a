import type { MlpSpec } from "../modelSpec.ts";
import { describeExperts } from "../unsupported.ts";
import {
  type DecoderTraits,
  describeDecoder,
  fusedGatedMlp,
  type LayerContext,
  type LayerNorms,
  plainMlp,
} from "./decoder.ts";
import { type Family, headNorm, layerNorm, linear, rmsNorm } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

/** Llama and the decoders that differ from it in a few traits, each as transformers' class of the name has it. */

const rmsEps = (config: FamilyConfig) => config.number("rms_norm_eps", 1e-6);

function rmsBefore({ config, prefix, hidden }: LayerContext): LayerNorms {
  return {
    attention: rmsNorm(`${prefix}.input_layernorm`, hidden, rmsEps(config)),
    mlp: rmsNorm(`${prefix}.post_attention_layernorm`, hidden, rmsEps(config)),
  };
}

function headRmsNorms({ config, prefix, headDim }: LayerContext) {
  const own = (name: string) => headNorm(rmsNorm(`${prefix}.self_attn.${name}`, headDim, rmsEps(config)));
  return { queryNorm: own("q_norm"), keyNorm: own("k_norm") };
}

function experts({ config }: LayerContext): MlpSpec {
  return { kind: "unsupported", reason: describeExperts(config.modelType) };
}

const attentionBias = (config: FamilyConfig) => config.flag("attention_bias", false);

const DECODERS: readonly DecoderTraits[] = [
  {
    modelTypes: ["llama"],
    intermediate: 11_008,
    norms: rmsBefore,
    biases: (config) => ({
      qkv: attentionBias(config),
      output: attentionBias(config),
      mlp: config.flag("mlp_bias", false),
    }),
  },
  { modelTypes: ["mistral", "ministral"], intermediate: 14_336, norms: rmsBefore },
  {
    modelTypes: ["qwen2"],
    vocabulary: 151_936,
    intermediate: 22_016,
    norms: rmsBefore,
    biases: () => ({ qkv: true }),
  },
  {
    modelTypes: ["qwen3"],
    vocabulary: 151_936,
    intermediate: 22_016,
    norms: rmsBefore,
    biases: (config) => ({ qkv: attentionBias(config), output: attentionBias(config) }),
    queryKeyNorms: headRmsNorms,
  },
  {
    modelTypes: ["smollm3"],
    vocabulary: 128_256,
    intermediate: 11_008,
    norms: rmsBefore,
    biases: (config) => ({
      qkv: attentionBias(config),
      output: attentionBias(config),
      mlp: config.flag("mlp_bias", false),
    }),
  },
  {
    modelTypes: ["phi3"],
    vocabulary: 32_064,
    intermediate: 8192,
    norms: (context) => ({
      ...rmsBefore(context),
      attention: rmsNorm(
        `${context.prefix}.input_layernorm`,
        context.hidden,
        context.config.number("rms_norm_eps", 1e-5),
      ),
      mlp: rmsNorm(
        `${context.prefix}.post_attention_layernorm`,
        context.hidden,
        context.config.number("rms_norm_eps", 1e-5),
      ),
    }),
    fusedQkv: "qkv_proj",
    mlp: fusedGatedMlp,
  },
  {
    modelTypes: ["granite"],
    intermediate: 11_008,
    norms: rmsBefore,
    biases: (config) => ({
      qkv: attentionBias(config),
      output: attentionBias(config),
      mlp: config.flag("mlp_bias", false),
    }),
    embeddingScale: (config) => config.number("embedding_multiplier", 1),
    scaling: ({ config }) => config.number("attention_multiplier", 1),
    residualScale: (config) => config.number("residual_multiplier", 1),
  },
  {
    // Norms of the branches' outputs only; queries and keys are normed as whole vectors.
    modelTypes: ["olmo2", "olmo3"],
    vocabulary: 50_304,
    intermediate: 11_008,
    norms: ({ config, prefix, hidden }) => ({
      attentionOutput: rmsNorm(`${prefix}.post_attention_layernorm`, hidden, config.number("rms_norm_eps", 1e-5)),
      mlpOutput: rmsNorm(`${prefix}.post_feedforward_layernorm`, hidden, config.number("rms_norm_eps", 1e-5)),
    }),
    biases: (config) => ({ qkv: attentionBias(config), output: attentionBias(config) }),
    queryKeyNorms: ({ config, prefix, headDim, heads, keyHeads }) => {
      const own = (name: string, count: number) =>
        headNorm(rmsNorm(`${prefix}.self_attn.${name}`, count * headDim, config.number("rms_norm_eps", 1e-5)), "all");
      return { queryNorm: own("q_norm", heads), keyNorm: own("k_norm", keyHeads) };
    },
  },
  {
    // LayerNorms without weights; queries, keys and values may be clipped.
    modelTypes: ["olmo"],
    vocabulary: 50_304,
    intermediate: 11_008,
    norms: ({ prefix, hidden }) => {
      const own = (name: string) => ({
        ...layerNorm(`${prefix}.${name}`, hidden, 1e-5, false),
        weight: "none" as const,
      });
      return { attention: own("input_layernorm"), mlp: own("post_attention_layernorm") };
    },
    biases: (config) => ({ qkv: attentionBias(config), output: attentionBias(config) }),
    clip: (config) => config.optionalNumber("clip_qkv"),
  },
  {
    modelTypes: ["stablelm"],
    vocabulary: 50_304,
    intermediate: 6912,
    norms: ({ config, prefix, hidden }) => {
      const eps = config.number("layer_norm_eps", 1e-5);
      const attention = layerNorm(`${prefix}.input_layernorm`, hidden, eps);
      // With parallel branches the MLP takes the attention's norm.
      if (config.flag("use_parallel_residual", false)) return { attention };
      return { attention, mlp: layerNorm(`${prefix}.post_attention_layernorm`, hidden, eps) };
    },
    biases: (config) => ({ qkv: config.flag("use_qkv_bias", false) }),
    queryKeyNorms: ({ config, prefix, headDim }) => {
      if (!config.flag("qk_layernorm", false)) return {};
      const own = (name: string) =>
        headNorm(
          layerNorm(`${prefix}.self_attn.${name}.norms`, headDim, config.number("layer_norm_eps", 1e-5), false),
          "listed",
        );
      return { queryNorm: own("q_layernorm"), keyNorm: own("k_layernorm") };
    },
    parallel: (config) => config.flag("use_parallel_residual", false),
  },
  {
    modelTypes: ["starcoder2"],
    vocabulary: 49_152,
    intermediate: 12_288,
    norms: ({ config, prefix, hidden }) => ({
      attention: layerNorm(`${prefix}.input_layernorm`, hidden, config.number("norm_epsilon", 1e-5)),
      mlp: layerNorm(`${prefix}.post_attention_layernorm`, hidden, config.number("norm_epsilon", 1e-5)),
    }),
    biases: (config) => ({
      qkv: config.flag("use_bias", true),
      output: config.flag("use_bias", true),
      mlp: config.flag("use_bias", true),
    }),
    mlp: ({ config, prefix, hidden, inner }, bias) =>
      plainMlp(
        linear(`${prefix}.mlp.c_fc`, hidden, inner, bias),
        linear(`${prefix}.mlp.c_proj`, inner, hidden, bias),
        config.activation("hidden_act", "gelu_pytorch_tanh"),
      ),
  },
  {
    // Attention and MLP in parallel after one LayerNorm without bias.
    modelTypes: ["cohere", "cohere2"],
    vocabulary: 256_000,
    intermediate: 22_528,
    norms: ({ config, prefix, hidden }) => ({
      attention: layerNorm(`${prefix}.input_layernorm`, hidden, config.number("layer_norm_eps", 1e-5), false),
    }),
    biases: (config) => ({ qkv: attentionBias(config), output: attentionBias(config) }),
    queryKeyNorms: ({ config, prefix, headDim }) => {
      if (!config.flag("use_qk_norm", false)) return {};
      const own = (name: string) =>
        headNorm(
          layerNorm(`${prefix}.self_attn.${name}`, headDim, config.number("layer_norm_eps", 1e-5), false),
          "each_head",
        );
      return { queryNorm: own("q_norm"), keyNorm: own("k_norm") };
    },
    parallel: () => true,
  },
  {
    modelTypes: ["phi"],
    vocabulary: 51_200,
    intermediate: 8192,
    norms: ({ config, prefix, hidden }) => ({
      attention: layerNorm(`${prefix}.input_layernorm`, hidden, config.number("layer_norm_eps", 1e-5)),
    }),
    biases: () => ({ qkv: true, output: true, mlp: true }),
    queryKeyNorms: ({ config, prefix, headDim }) => {
      if (!config.flag("qk_layernorm", false)) return {};
      const own = (name: string) =>
        headNorm(layerNorm(`${prefix}.self_attn.${name}`, headDim, config.number("layer_norm_eps", 1e-5)));
      return { queryNorm: own("q_layernorm"), keyNorm: own("k_layernorm") };
    },
    output: "dense",
    mlp: ({ config, prefix, hidden, inner }, bias) =>
      plainMlp(
        linear(`${prefix}.mlp.fc1`, hidden, inner, bias),
        linear(`${prefix}.mlp.fc2`, inner, hidden, bias),
        config.activation("hidden_act", "gelu_new"),
      ),
    parallel: () => true,
  },
  {
    modelTypes: ["glm", "glm4"],
    vocabulary: 151_552,
    intermediate: 13_696,
    norms: ({ config, prefix, hidden }) => {
      const own = (name: string) => rmsNorm(`${prefix}.${name}`, hidden, config.number("rms_norm_eps", 1.5625e-7));
      const before = { attention: own("input_layernorm"), mlp: own("post_attention_layernorm") };
      if (config.modelType === "glm") return before;
      return { ...before, attentionOutput: own("post_self_attn_layernorm"), mlpOutput: own("post_mlp_layernorm") };
    },
    biases: (config) => ({ qkv: attentionBias(config) }),
    mlp: fusedGatedMlp,
  },
  // Mixtures of experts: their first attention does not depend on the experts.
  { modelTypes: ["mixtral"], intermediate: 14_336, norms: rmsBefore, mlp: experts },
  {
    modelTypes: ["qwen2_moe"],
    vocabulary: 151_936,
    norms: rmsBefore,
    biases: (config) => ({ qkv: config.flag("qkv_bias", true) }),
    mlp: experts,
  },
  {
    modelTypes: ["qwen3_moe"],
    vocabulary: 151_936,
    norms: rmsBefore,
    biases: (config) => ({ qkv: attentionBias(config), output: attentionBias(config) }),
    queryKeyNorms: headRmsNorms,
    mlp: experts,
  },
];

export const decoders: readonly Family[] = DECODERS.map((traits) => ({
  modelTypes: traits.modelTypes,
  describe: (config) => describeDecoder(config, traits),
}));

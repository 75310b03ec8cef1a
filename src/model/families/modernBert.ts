import type { BlockSpec, NormSpec } from "../modelSpec.ts";
import { encodingField, type Family, linear, readHeadSizes } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

function norm(config: FamilyConfig, name: string): NormSpec {
  return {
    name,
    kind: "layer",
    size: config.size("hidden_size"),
    eps: config.number("norm_eps", 1e-5),
    weight: "stored",
    bias: config.flag("norm_bias", false),
  };
}

function describeBlock(config: FamilyConfig, layer: number): BlockSpec {
  const prefix = `layers.${layer}`;
  const hidden = config.size("hidden_size");
  const inner = config.sizeOr("intermediate_size", 1152);
  const { heads, headDim } = readHeadSizes(config);
  const encoding = config.encodingOf("text", layer);
  // Half of `local_attention`, in each direction.
  const reach = encoding?.params.sliding_window;
  const attentionBias = config.flag("attention_bias", false);
  const mlpBias = config.flag("mlp_bias", false);
  return {
    attention: {
      heads,
      keyHeads: heads,
      headDim,
      projection: {
        kind: "fused",
        linear: linear(`${prefix}.attn.Wqkv`, hidden, 3 * hidden, attentionBias),
        order: "blocks",
      },
      output: linear(`${prefix}.attn.Wo`, hidden, hidden, attentionBias),
      scaling: 1 / Math.sqrt(headDim),
      mask: { causal: false, ...(typeof reach === "number" ? { reach } : {}) },
      ...encodingField(encoding),
    },
    // The embedding is normed already.
    attentionNorms: layer === 0 ? {} : { before: norm(config, `${prefix}.attn_norm`) },
    mlp: {
      kind: "fused_gated",
      gateUp: linear(`${prefix}.mlp.Wi`, hidden, 2 * inner, mlpBias),
      down: linear(`${prefix}.mlp.Wo`, inner, hidden, mlpBias),
      activation: config.activation("hidden_activation", "gelu"),
    },
    mlpNorms: { before: norm(config, `${prefix}.mlp_norm`) },
    residual: "sequential",
    residualScale: 1,
  };
}

/** ModernBERT: an encoder with rotation, full attention in every third layer. */
export const modernBert: Family = {
  modelTypes: ["modernbert"],
  describe: (config) => ({
    modelType: config.modelType,
    stacks: [
      {
        where: "text",
        embedding: {
          tokens: ["embeddings.tok_embeddings.weight"],
          vocabulary: config.sizeOr("vocab_size", 50_368),
          size: config.size("hidden_size"),
          scale: 1,
          norm: norm(config, "embeddings.norm"),
        },
        layers: config.resolved("text", "num_layers"),
        block: (layer) => describeBlock(config, layer),
      },
    ],
  }),
};

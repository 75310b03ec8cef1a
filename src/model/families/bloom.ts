import type { BlockSpec } from "../modelSpec.ts";
import { causalMask, encodingField, type Family, layerNorm, linear, readHeadSizes } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

/** The key in old files is `n_embed`. */
const hiddenSize = (config: FamilyConfig) => config.size("n_embed", "hidden_size");

function describeBlock(config: FamilyConfig, layer: number): BlockSpec {
  const prefix = `h.${layer}`;
  const hidden = hiddenSize(config);
  const eps = config.number("layer_norm_epsilon", 1e-5);
  const { heads, headDim } = readHeadSizes(config);
  const encoding = config.encodingOf("text", layer);
  return {
    attention: {
      heads,
      keyHeads: heads,
      headDim,
      projection: {
        kind: "fused",
        linear: linear(`${prefix}.self_attention.query_key_value`, hidden, 3 * hidden, true),
        order: "by_key_head",
      },
      output: linear(`${prefix}.self_attention.dense`, hidden, hidden, true),
      scaling: 1 / Math.sqrt(headDim),
      mask: causalMask(encoding),
      ...encodingField(encoding),
    },
    attentionNorms: { before: layerNorm(`${prefix}.input_layernorm`, hidden, eps) },
    mlp: {
      kind: "plain",
      up: linear(`${prefix}.mlp.dense_h_to_4h`, hidden, 4 * hidden, true),
      down: linear(`${prefix}.mlp.dense_4h_to_h`, 4 * hidden, hidden, true),
      activation: "gelu_tanh",
    },
    mlpNorms: { before: layerNorm(`${prefix}.post_attention_layernorm`, hidden, eps) },
    residual: "sequential",
    residualScale: 1,
    ...(config.flag("apply_residual_connection_post_layernorm", false) ? { residualFromNorm: true } : {}),
  };
}

/** Bloom: ALiBi, norm after the embedding. */
export const bloom: Family = {
  modelTypes: ["bloom"],
  describe: (config) => {
    const hidden = hiddenSize(config);
    return {
      modelType: config.modelType,
      stacks: [
        {
          where: "text",
          embedding: {
            tokens: ["word_embeddings.weight"],
            vocabulary: config.sizeOr("vocab_size", 250_880),
            size: hidden,
            scale: 1,
            norm: layerNorm("word_embeddings_layernorm", hidden, config.number("layer_norm_epsilon", 1e-5)),
          },
          layers: config.resolved("text", "num_layers"),
          block: (layer) => describeBlock(config, layer),
        },
      ],
    };
  },
};

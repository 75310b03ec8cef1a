import type { BlockSpec } from "../modelSpec.ts";
import { causalMask, encodingField, type Family, layerNorm, linear, readHeadSizes } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

function describeBlock(config: FamilyConfig, layer: number): BlockSpec {
  const prefix = `layers.${layer}`;
  const hidden = config.size("hidden_size");
  const inner = config.sizeOr("intermediate_size", 24_576);
  const eps = config.number("layer_norm_eps", 1e-5);
  const bias = config.flag("attention_bias", true);
  const { heads, headDim } = readHeadSizes(config);
  const encoding = config.encodingOf("text", layer);
  return {
    attention: {
      heads,
      keyHeads: heads,
      headDim,
      projection: {
        kind: "fused",
        linear: linear(`${prefix}.attention.query_key_value`, hidden, 3 * hidden, bias),
        order: "by_key_head",
      },
      output: linear(`${prefix}.attention.dense`, hidden, hidden, bias),
      scaling: 1 / Math.sqrt(headDim),
      mask: causalMask(encoding),
      ...encodingField(encoding),
    },
    attentionNorms: { before: layerNorm(`${prefix}.input_layernorm`, hidden, eps) },
    mlp: {
      kind: "plain",
      up: linear(`${prefix}.mlp.dense_h_to_4h`, hidden, inner, true),
      down: linear(`${prefix}.mlp.dense_4h_to_h`, inner, hidden, true),
      activation: config.activation("hidden_act", "gelu"),
    },
    mlpNorms: { before: layerNorm(`${prefix}.post_attention_layernorm`, hidden, eps) },
    residual: config.flag("use_parallel_residual", true) ? "parallel" : "sequential",
    residualScale: 1,
  };
}

/** GPT-NeoX and Pythia: parallel branches, each with its own norm; a head's query, key and value side by side. */
export const gptNeox: Family = {
  modelTypes: ["gpt_neox"],
  describe: (config) => ({
    modelType: config.modelType,
    stacks: [
      {
        where: "text",
        embedding: {
          tokens: ["embed_in.weight"],
          vocabulary: config.sizeOr("vocab_size", 50_432),
          size: config.size("hidden_size"),
          scale: 1,
        },
        layers: config.resolved("text", "num_layers"),
        block: (layer) => describeBlock(config, layer),
      },
    ],
  }),
};

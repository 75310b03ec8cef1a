import type { BlockSpec } from "../modelSpec.ts";
import { causalMask, encodingField, type Family, layerNorm, linear, readHeadSizes } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

function describeBlock(config: FamilyConfig, layer: number): BlockSpec {
  const prefix = `blocks.${layer}`;
  const hidden = config.size("hidden_size");
  const inner = 4 * hidden;
  const eps = config.number("layer_norm_epsilon", 1e-5);
  const { heads, headDim } = readHeadSizes(config);
  const encoding = config.encodingOf("text", layer);
  const clip = config.nestedNumber("attn_config", "clip_qkv");
  return {
    attention: {
      heads,
      keyHeads: heads,
      headDim,
      projection: { kind: "fused", linear: linear(`${prefix}.attn.Wqkv`, hidden, 3 * hidden), order: "blocks" },
      output: linear(`${prefix}.attn.out_proj`, hidden, hidden),
      ...(clip === undefined || clip === 0 ? {} : { clip }),
      scaling: config.nestedNumber("attn_config", "softmax_scale") ?? 1 / Math.sqrt(headDim),
      mask: causalMask(encoding),
      ...encodingField(encoding),
    },
    attentionNorms: { before: layerNorm(`${prefix}.norm_1`, hidden, eps, false) },
    mlp: {
      kind: "plain",
      up: linear(`${prefix}.ffn.up_proj`, hidden, inner),
      down: linear(`${prefix}.ffn.down_proj`, inner, hidden),
      activation: "gelu",
    },
    mlpNorms: { before: layerNorm(`${prefix}.norm_2`, hidden, eps, false) },
    residual: "sequential",
    residualScale: 1,
  };
}

/** MPT: ALiBi, no biases. */
export const mpt: Family = {
  modelTypes: ["mpt"],
  describe: (config) => ({
    modelType: config.modelType,
    stacks: [
      {
        where: "text",
        embedding: {
          tokens: ["wte.weight"],
          vocabulary: config.sizeOr("vocab_size", 50_368),
          size: config.size("hidden_size"),
          scale: 1,
        },
        layers: config.resolved("text", "num_layers"),
        block: (layer) => describeBlock(config, layer),
      },
    ],
  }),
};

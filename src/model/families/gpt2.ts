import type { BlockSpec, LinearSpec } from "../modelSpec.ts";
import { causalMask, type Family, layerNorm, readHeadSizes } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

/** Weights are stored [inputs][outputs]. */
function conv1d(name: string, inputs: number, outputs: number): LinearSpec {
  return { name, inputs, outputs, bias: true, inputsFirst: true };
}

function describeBlock(config: FamilyConfig, layer: number): BlockSpec {
  const prefix = `h.${layer}`;
  const hidden = config.size("hidden_size");
  const inner = config.optionalNumber("n_inner") ?? 4 * hidden;
  const eps = config.number("layer_norm_epsilon", 1e-5);
  const { heads, headDim } = readHeadSizes(config);
  const byLayer = config.flag("scale_attn_by_inverse_layer_idx", false) ? layer + 1 : 1;
  const byHead = config.flag("scale_attn_weights", true) ? Math.sqrt(headDim) : 1;
  return {
    attention: {
      heads,
      keyHeads: heads,
      headDim,
      projection: { kind: "fused", linear: conv1d(`${prefix}.attn.c_attn`, hidden, 3 * hidden), order: "blocks" },
      output: conv1d(`${prefix}.attn.c_proj`, hidden, hidden),
      scaling: 1 / (byHead * byLayer),
      mask: causalMask(config.encodingOf("text", layer)),
    },
    attentionNorms: { before: layerNorm(`${prefix}.ln_1`, hidden, eps) },
    mlp: {
      kind: "plain",
      up: conv1d(`${prefix}.mlp.c_fc`, hidden, inner),
      down: conv1d(`${prefix}.mlp.c_proj`, inner, hidden),
      activation: config.activation("activation_function", "gelu_new"),
    },
    mlpNorms: { before: layerNorm(`${prefix}.ln_2`, hidden, eps) },
    residual: "sequential",
    residualScale: 1,
  };
}

/** GPT-2: learned positions, norm before each branch, one projection for queries, keys and values. */
export const gpt2: Family = {
  modelTypes: ["gpt2"],
  describe: (config) => ({
    modelType: config.modelType,
    stacks: [
      {
        where: "text",
        embedding: {
          tokens: ["wte.weight"],
          vocabulary: config.sizeOr("vocab_size", 50_257),
          size: config.size("hidden_size"),
          scale: 1,
          positions: { name: "wpe.weight", rows: config.size("max_position_embeddings"), offset: 0 },
        },
        layers: config.resolved("text", "num_layers"),
        block: (layer) => describeBlock(config, layer),
      },
    ],
  }),
};

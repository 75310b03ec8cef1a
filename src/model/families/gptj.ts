import type { BlockSpec } from "../modelSpec.ts";
import { causalMask, encodingField, type Family, layerNorm, linear, readHeadSizes } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

function describeBlock(config: FamilyConfig, layer: number): BlockSpec {
  const prefix = `h.${layer}`;
  const hidden = config.size("hidden_size");
  const inner = config.optionalNumber("n_inner") ?? 4 * hidden;
  const { heads, headDim } = readHeadSizes(config);
  const encoding = config.encodingOf("text", layer);
  const project = (name: string) => linear(`${prefix}.attn.${name}`, hidden, hidden);
  return {
    attention: {
      heads,
      keyHeads: heads,
      headDim,
      projection: { kind: "separate", query: project("q_proj"), key: project("k_proj"), value: project("v_proj") },
      output: project("out_proj"),
      scaling: 1 / Math.sqrt(headDim),
      mask: causalMask(encoding),
      ...encodingField(encoding),
    },
    attentionNorms: { before: layerNorm(`${prefix}.ln_1`, hidden, config.number("layer_norm_epsilon", 1e-5)) },
    mlp: {
      kind: "plain",
      up: linear(`${prefix}.mlp.fc_in`, hidden, inner, true),
      down: linear(`${prefix}.mlp.fc_out`, inner, hidden, true),
      activation: config.activation("activation_function", "gelu_new"),
    },
    mlpNorms: {},
    residual: "parallel",
    residualScale: 1,
  };
}

/** GPT-J: attention and MLP in parallel after one norm, interleaved rotation of part of the head. */
export const gptj: Family = {
  modelTypes: ["gptj"],
  describe: (config) => ({
    modelType: config.modelType,
    stacks: [
      {
        where: "text",
        embedding: {
          tokens: ["wte.weight"],
          vocabulary: config.sizeOr("vocab_size", 50_400),
          size: config.size("hidden_size"),
          scale: 1,
        },
        layers: config.resolved("text", "num_layers"),
        block: (layer) => describeBlock(config, layer),
      },
    ],
  }),
};

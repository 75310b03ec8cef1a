import type { BlockSpec, BranchNorms, NormSpec } from "../modelSpec.ts";
import { causalMask, type Family, layerNorm, linear, readHeadSizes } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

/** OPT's norms have torch's default eps. */
const EPS = 1e-5;

function describeBlock(config: FamilyConfig, layer: number): BlockSpec {
  const prefix = `layers.${layer}`;
  const hidden = config.size("hidden_size");
  const inner = config.sizeOr("ffn_dim", 3072);
  const bias = config.flag("enable_bias", true);
  const { heads, headDim } = readHeadSizes(config);
  const project = (name: string) => linear(`${prefix}.self_attn.${name}`, hidden, hidden, bias);
  const hasWeights = config.flag("layer_norm_elementwise_affine", true);
  const norm = (name: string): NormSpec => ({
    ...layerNorm(`${prefix}.${name}`, hidden, EPS, hasWeights),
    weight: hasWeights ? "stored" : "none",
  });
  // OPT-350m norms the sums, the others the inputs of the branches.
  const before = config.flag("do_layer_norm_before", true);
  const place = (own: NormSpec): BranchNorms => (before ? { before: own } : { sum: own });
  return {
    attention: {
      heads,
      keyHeads: heads,
      headDim,
      projection: { kind: "separate", query: project("q_proj"), key: project("k_proj"), value: project("v_proj") },
      output: project("out_proj"),
      scaling: 1 / Math.sqrt(headDim),
      mask: causalMask(config.encodingOf("text", layer)),
    },
    attentionNorms: place(norm("self_attn_layer_norm")),
    mlp: {
      kind: "plain",
      up: linear(`${prefix}.fc1`, hidden, inner, bias),
      down: linear(`${prefix}.fc2`, inner, hidden, bias),
      activation: config.activation("activation_function", "relu"),
    },
    mlpNorms: place(norm("final_layer_norm")),
    residual: "sequential",
    residualScale: 1,
  };
}

/** OPT: learned positions from row 2 on. */
export const opt: Family = {
  modelTypes: ["opt"],
  describe: (config) => {
    const hidden = config.size("hidden_size");
    const size = config.sizeOr("word_embed_proj_dim", hidden);
    const offset = 2;
    return {
      modelType: config.modelType,
      stacks: [
        {
          where: "text",
          embedding: {
            tokens: ["embed_tokens.weight"],
            vocabulary: config.sizeOr("vocab_size", 50_272),
            size,
            scale: 1,
            positions: {
              name: "embed_positions.weight",
              rows: config.size("max_position_embeddings") + offset,
              offset,
              size: hidden,
            },
            ...(size === hidden ? {} : { project: linear("project_in", size, hidden) }),
          },
          layers: config.resolved("text", "num_layers"),
          block: (layer) => describeBlock(config, layer),
        },
      ],
    };
  },
};

import type { BlockSpec, BranchNorms, FusedOrder, NormSpec } from "../modelSpec.ts";
import { causalMask, encodingField, type Family, layerNorm, linear, readHeadSizes } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

/** Falcon-40B's layout of heads and norms. */
const isNew = (config: FamilyConfig) => config.flag("new_decoder_architecture", false);

/** The models of one key head keep queries, key and value in blocks; with as many, that is by key head, too. */
function fusedOrder(config: FamilyConfig): FusedOrder {
  return !isNew(config) && config.flag("multi_query", true) ? "blocks" : "by_key_head";
}

interface Norms {
  readonly attention: BranchNorms;
  readonly mlp: BranchNorms;
}

function describeNorms(config: FamilyConfig, prefix: string, parallel: boolean): Norms {
  const own = (name: string): NormSpec =>
    layerNorm(`${prefix}.${name}`, config.size("hidden_size"), config.number("layer_norm_epsilon", 1e-5));
  if (!parallel)
    return { attention: { before: own("input_layernorm") }, mlp: { before: own("post_attention_layernorm") } };
  const count = config.optionalNumber("num_ln_in_parallel_attn") ?? (isNew(config) ? 2 : 1);
  if (isNew(config) && count === 2) return { attention: { before: own("ln_attn") }, mlp: { before: own("ln_mlp") } };
  return { attention: { before: own("input_layernorm") }, mlp: {} };
}

function describeBlock(config: FamilyConfig, layer: number): BlockSpec {
  const prefix = `h.${layer}`;
  const hidden = config.size("hidden_size");
  const inner = config.sizeOr("ffn_hidden_size", 4 * hidden);
  const bias = config.flag("bias", false);
  const { heads, keyHeads, headDim } = readHeadSizes(config);
  const encoding = config.encodingOf("text", layer);
  const parallel = isNew(config) || config.flag("parallel_attn", true);
  const norms = describeNorms(config, prefix, parallel);
  const attention = `${prefix}.self_attention`;
  return {
    attention: {
      heads,
      keyHeads,
      headDim,
      projection: {
        kind: "fused",
        linear: linear(`${attention}.query_key_value`, hidden, (heads + 2 * keyHeads) * headDim, bias),
        order: fusedOrder(config),
      },
      output: linear(`${attention}.dense`, hidden, hidden, bias),
      scaling: 1 / Math.sqrt(headDim),
      mask: causalMask(encoding),
      ...encodingField(encoding),
    },
    attentionNorms: norms.attention,
    mlp: {
      kind: "plain",
      up: linear(`${prefix}.mlp.dense_h_to_4h`, hidden, inner, bias),
      down: linear(`${prefix}.mlp.dense_4h_to_h`, inner, hidden, bias),
      activation: config.activation("activation", "gelu"),
    },
    mlpNorms: norms.mlp,
    residual: parallel ? "parallel" : "sequential",
    residualScale: 1,
  };
}

/** Falcon: 7B with one key head, 40B and later with groups, RW with ALiBi. */
export const falcon: Family = {
  modelTypes: ["falcon", "RefinedWeb", "RefinedWebModel"],
  describe: (config) => ({
    modelType: config.modelType,
    stacks: [
      {
        where: "text",
        embedding: {
          tokens: ["word_embeddings.weight"],
          vocabulary: config.sizeOr("vocab_size", 65_024),
          size: config.size("hidden_size"),
          scale: 1,
        },
        layers: config.resolved("text", "num_layers"),
        block: (layer) => describeBlock(config, layer),
      },
    ],
  }),
};

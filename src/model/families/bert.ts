import * as l10n from "@vscode/l10n";
import { UserError } from "../../core/util/errors.ts";
import type { BlockSpec } from "../modelSpec.ts";
import { type Family, layerNorm, linear, readHeadSizes, windowMask } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

function describeBlock(config: FamilyConfig, layer: number): BlockSpec {
  const prefix = `encoder.layer.${layer}`;
  const hidden = config.size("hidden_size");
  const inner = config.sizeOr("intermediate_size", 3072);
  const eps = config.number("layer_norm_eps", 1e-12);
  const { heads, headDim } = readHeadSizes(config);
  const project = (name: string) => linear(`${prefix}.attention.self.${name}`, hidden, heads * headDim, true);
  return {
    attention: {
      heads,
      keyHeads: heads,
      headDim,
      projection: { kind: "separate", query: project("query"), key: project("key"), value: project("value") },
      output: linear(`${prefix}.attention.output.dense`, hidden, hidden, true),
      scaling: 1 / Math.sqrt(headDim),
      mask: windowMask(config.encodingOf("text", layer), config.flag("is_decoder", false)),
    },
    attentionNorms: { sum: layerNorm(`${prefix}.attention.output.LayerNorm`, hidden, eps) },
    mlp: {
      kind: "plain",
      up: linear(`${prefix}.intermediate.dense`, hidden, inner, true),
      down: linear(`${prefix}.output.dense`, inner, hidden, true),
      activation: config.activation("hidden_act", "gelu"),
    },
    mlpNorms: { sum: layerNorm(`${prefix}.output.LayerNorm`, hidden, eps) },
    residual: "sequential",
    residualScale: 1,
  };
}

/** First row of the table of positions: RoBERTa's models count from the row after the padding token's. */
function firstPosition(config: FamilyConfig): number {
  const padding = config.encodingOf("text", 0)?.params.padding_idx;
  return typeof padding === "number" ? padding + 1 : 0;
}

/** BERT and RoBERTa: learned positions and token types, norm after each branch is added. */
export const bert: Family = {
  modelTypes: ["bert", "roberta", "xlm-roberta", "camembert"],
  describe: (config) => {
    const positions = config.encodingOf("text", 0)?.encoding;
    // `position_embedding_type` of old files.
    if (positions !== "learned_absolute") throw new UserError(l10n.t("{0} is not supported yet", positions ?? "none"));
    const hidden = config.size("hidden_size");
    return {
      modelType: config.modelType,
      stacks: [
        {
          where: "text",
          embedding: {
            tokens: ["embeddings.word_embeddings.weight"],
            vocabulary: config.sizeOr("vocab_size", 30_522),
            size: hidden,
            scale: 1,
            positions: {
              name: "embeddings.position_embeddings.weight",
              rows: config.size("max_position_embeddings"),
              offset: firstPosition(config),
            },
            types: { name: "embeddings.token_type_embeddings.weight", rows: config.sizeOr("type_vocab_size", 2) },
            norm: layerNorm("embeddings.LayerNorm", hidden, config.number("layer_norm_eps", 1e-12)),
          },
          layers: config.resolved("text", "num_layers"),
          block: (layer) => describeBlock(config, layer),
        },
      ],
    };
  },
};

import * as l10n from "@vscode/l10n";
import { bucketedDistance } from "../../core/encodings/deberta/deberta.ts";
import { debertaTableSpan, hasPositionTerm } from "../../core/encodings/deberta/weights.ts";
import type { EncodingSpec } from "../../core/spec.ts";
import { checkedParams } from "../forward/parameters.ts";
import type { BlockSpec, DisentangledSpec, EmbeddingSpec, LinearSpec, MlpSpec } from "../modelSpec.ts";
import { type Family, layerNorm, linear, readHeadSizes, windowMask } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

const normEps = (config: FamilyConfig) => config.number("layer_norm_eps", 1e-7);

interface Projections {
  readonly query: LinearSpec;
  readonly key: LinearSpec;
  readonly positionQuery: LinearSpec;
  readonly positionKey: LinearSpec;
}

/** c2p and p2c, with the content's projections if they are shared. */
function describeDisentangled(
  config: FamilyConfig,
  spec: EncodingSpec,
  scaleOf: (terms: number) => number,
  projections: Projections,
): DisentangledSpec {
  const params = checkedParams({ ...spec, params: { ...spec.params, version: 2 } });
  const span = debertaTableSpan(params);
  const shared = config.flag("share_att_key", false);
  const { query, key, positionQuery, positionKey } = projections;
  const norms = config.text("norm_rel_ebd", "none").toLowerCase();
  return {
    table: "encoder.rel_embeddings",
    rows: 2 * span,
    ...(norms.includes("layer_norm") ? { norm: layerNorm("encoder.LayerNorm", query.inputs, normEps(config)) } : {}),
    ...(hasPositionTerm(params, "c2p") ? { key: shared ? key : positionKey } : {}),
    ...(hasPositionTerm(params, "p2c") ? { query: shared ? query : positionQuery } : {}),
    row: (delta) => Math.min(Math.max(bucketedDistance(params, delta) + span, 0), 2 * span - 1),
    scale: scaleOf(countTerms(spec)),
  };
}

/** 1, and one for each position term. */
function countTerms(spec: EncodingSpec | undefined): number {
  if (spec === undefined) return 1;
  const params = checkedParams(spec);
  return 1 + Number(hasPositionTerm(params, "c2p")) + Number(hasPositionTerm(params, "p2c"));
}

function describeMlp(config: FamilyConfig, prefix: string, hidden: number): MlpSpec {
  // A convolution follows the first layer of the xlarge models.
  if (config.number("conv_kernel_size", 0) > 0)
    return { kind: "unsupported", reason: l10n.t("{0} is not supported yet", "DeBERTa, conv_kernel_size") };
  const inner = config.sizeOr("intermediate_size", 6144);
  return {
    kind: "plain",
    up: linear(`${prefix}.intermediate.dense`, hidden, inner, true),
    down: linear(`${prefix}.output.dense`, inner, hidden, true),
    activation: config.activation("hidden_act", "gelu"),
  };
}

function describeBlock(config: FamilyConfig, layer: number): BlockSpec {
  const prefix = `encoder.layer.${layer}`;
  const hidden = config.size("hidden_size");
  const { heads, headDim } = readHeadSizes(config);
  const project = (name: string) => linear(`${prefix}.attention.self.${name}`, hidden, heads * headDim, true);
  const [query, key] = [project("query_proj"), project("key_proj")];
  const spec = config.specOf("text", "deberta");
  const scaleOf = (terms: number) => 1 / Math.sqrt(headDim * terms);
  const projections = { query, key, positionQuery: project("pos_query_proj"), positionKey: project("pos_key_proj") };
  return {
    attention: {
      heads,
      keyHeads: heads,
      headDim,
      projection: { kind: "separate", query, key, value: project("value_proj") },
      output: linear(`${prefix}.attention.output.dense`, hidden, hidden, true),
      scaling: scaleOf(countTerms(spec)),
      mask: windowMask(spec, false),
      ...(spec === undefined ? {} : { disentangled: describeDisentangled(config, spec, scaleOf, projections) }),
    },
    attentionNorms: { sum: layerNorm(`${prefix}.attention.output.LayerNorm`, hidden, normEps(config)) },
    mlp: describeMlp(config, prefix, hidden),
    mlpNorms: { sum: layerNorm(`${prefix}.output.LayerNorm`, hidden, normEps(config)) },
    residual: "sequential",
    residualScale: 1,
  };
}

function describeEmbedding(config: FamilyConfig): EmbeddingSpec {
  const hidden = config.size("hidden_size");
  const size = config.sizeOr("embedding_size", hidden);
  const types = config.number("type_vocab_size", 0);
  return {
    tokens: ["embeddings.word_embeddings.weight"],
    vocabulary: config.sizeOr("vocab_size", 128_100),
    size,
    scale: 1,
    ...(config.flag("position_biased_input", true)
      ? {
          positions: {
            name: "embeddings.position_embeddings.weight",
            rows: config.size("max_position_embeddings"),
            offset: 0,
          },
        }
      : {}),
    ...(types > 0 ? { types: { name: "embeddings.token_type_embeddings.weight", rows: types } } : {}),
    ...(size === hidden ? {} : { project: linear("embeddings.embed_proj", size, hidden) }),
    norm: layerNorm("embeddings.LayerNorm", hidden, normEps(config)),
  };
}

/** DeBERTa v2 and v3: content and position attend to each other. */
export const deberta: Family = {
  modelTypes: ["deberta-v2"],
  describe: (config) => ({
    modelType: config.modelType,
    stacks: [
      {
        where: "text",
        embedding: describeEmbedding(config),
        layers: config.resolved("text", "num_layers"),
        block: (layer) => describeBlock(config, layer),
      },
    ],
  }),
};

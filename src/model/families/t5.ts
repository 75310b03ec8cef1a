import type { AttentionSpec, BlockSpec, MlpSpec, StackSpec } from "../modelSpec.ts";
import { encodingField, type Family, linear, readHeadSizes, rmsNorm, windowMask } from "./family.ts";
import { type FamilyConfig, findActivation } from "./familyConfig.ts";

type Side = "encoder" | "decoder";

const normEps = (config: FamilyConfig) => config.number("layer_norm_epsilon", 1e-6);

function describeAttention(config: FamilyConfig, side: Side, name: string, hidden: number): AttentionSpec {
  const { heads, keyHeads, headDim } = readHeadSizes(config, side);
  const project = (part: string) => linear(`${name}.${part}`, hidden, heads * headDim);
  return {
    heads,
    keyHeads,
    headDim,
    projection: { kind: "separate", query: project("q"), key: project("k"), value: project("v") },
    output: linear(`${name}.o`, heads * headDim, hidden),
    scaling: 1,
    mask: { causal: false },
  };
}

/** `feed_forward_proj`: `relu`, or `gated-gelu` for two input matrices; gated-gelu is the tanh form. */
function describeMlp(config: FamilyConfig, name: string, hidden: number): MlpSpec {
  const inner = config.sizeOr("d_ff", 2048);
  const written = config.text("feed_forward_proj", "relu");
  const activation = findActivation(written === "gated-gelu" ? "gelu_new" : written.replace(/^gated-/, ""));
  const down = linear(`${name}.DenseReluDense.wo`, inner, hidden);
  if (!written.startsWith("gated-"))
    return { kind: "plain", up: linear(`${name}.DenseReluDense.wi`, hidden, inner), down, activation };
  return {
    kind: "gated",
    gate: linear(`${name}.DenseReluDense.wi_0`, hidden, inner),
    up: linear(`${name}.DenseReluDense.wi_1`, hidden, inner),
    down,
    activation,
  };
}

function describeBlock(config: FamilyConfig, side: Side, layer: number): BlockSpec {
  const hidden = config.size("hidden_size");
  const prefix = `${side}.block.${layer}.layer`;
  const norm = (index: number) => ({ before: rmsNorm(`${prefix}.${index}.layer_norm`, hidden, normEps(config)) });
  const encoding = config.encodingOf(side, layer);
  const rows = encoding?.params.num_buckets;
  // One table for all layers; umT5 has one in each.
  const tableLayer = config.modelType === "umt5" ? layer : 0;
  const self: AttentionSpec = {
    ...describeAttention(config, side, `${prefix}.0.SelfAttention`, hidden),
    mask: windowMask(encoding, side === "decoder"),
    ...encodingField(encoding),
    ...(typeof rows === "number"
      ? { biasTable: { name: `${side}.block.${tableLayer}.layer.0.SelfAttention.relative_attention_bias`, rows } }
      : {}),
  };
  const isDecoder = side === "decoder";
  const mlpIndex = isDecoder ? 2 : 1;
  return {
    attention: self,
    attentionNorms: norm(0),
    ...(isDecoder
      ? { cross: { attention: describeAttention(config, side, `${prefix}.1.EncDecAttention`, hidden), norms: norm(1) } }
      : {}),
    mlp: describeMlp(config, `${prefix}.${mlpIndex}`, hidden),
    mlpNorms: norm(mlpIndex),
    residual: "sequential",
    residualScale: 1,
  };
}

function describeStack(config: FamilyConfig, side: Side): StackSpec {
  const hidden = config.size("hidden_size");
  return {
    where: side,
    embedding: {
      tokens: ["shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"],
      vocabulary: config.sizeOr("vocab_size", 32_128),
      size: hidden,
      scale: 1,
    },
    layers: config.resolved(side, "num_layers"),
    block: (layer) => describeBlock(config, side, layer),
    finalNorm: rmsNorm(`${side}.final_layer_norm`, hidden, normEps(config)),
  };
}

/** T5: encoder and decoder with bucketed biases, products not scaled. */
export const t5: Family = {
  modelTypes: ["t5", "mt5", "umt5"],
  describe: (config) => ({
    modelType: config.modelType,
    stacks: [describeStack(config, "encoder"), describeStack(config, "decoder")],
    decoderStart: config.number("decoder_start_token_id", 0),
  }),
};

import type { EncodingSpec } from "../../core/spec.ts";
import type { Activation, BlockSpec, HeadNormSpec, LinearSpec, MlpSpec, ModelSpec, NormSpec } from "../modelSpec.ts";
import { causalMask, encodingField, type HeadSizes, linear, readHeadSizes } from "./family.ts";
import type { FamilyConfig } from "./familyConfig.ts";

/** What a layer's description may depend on. */
export interface LayerContext extends HeadSizes {
  readonly config: FamilyConfig;
  readonly layer: number;
  /** `layers.3` */
  readonly prefix: string;
  readonly hidden: number;
  readonly inner: number;
  readonly encoding: EncodingSpec | undefined;
}

/** Where the norms of a layer are, and what they are called. */
export interface LayerNorms {
  readonly attention?: NormSpec;
  readonly attentionOutput?: NormSpec;
  readonly mlp?: NormSpec;
  readonly mlpOutput?: NormSpec;
}

/** How a decoder of the Llama kind differs from the others; what is absent is as in Llama. */
export interface DecoderTraits {
  readonly modelTypes: readonly string[];
  /** Defaults of the class for what the file may leave out. */
  readonly vocabulary?: number;
  readonly intermediate?: number;
  readonly norms: (context: LayerContext) => LayerNorms;
  readonly biases?: (config: FamilyConfig) => {
    readonly qkv?: boolean;
    readonly output?: boolean;
    readonly mlp?: boolean;
  };
  readonly queryKeyNorms?: (context: LayerContext) => {
    readonly queryNorm?: HeadNormSpec;
    readonly keyNorm?: HeadNormSpec;
  };
  /** Queries, keys and values in one matrix, in this order. */
  readonly fusedQkv?: string;
  /** Name of the output projection. */
  readonly output?: string;
  readonly mlp?: (context: LayerContext, bias: boolean) => MlpSpec;
  readonly activation?: { readonly key: string; readonly fallback: string };
  readonly embeddingScale?: (config: FamilyConfig) => number;
  readonly scaling?: (context: LayerContext) => number;
  readonly softcap?: (config: FamilyConfig) => number | undefined;
  readonly clip?: (config: FamilyConfig) => number | undefined;
  readonly residualScale?: (config: FamilyConfig) => number;
  readonly parallel?: (config: FamilyConfig) => boolean;
}

const ATTENTION = "self_attn";

function gatedMlp({ config, prefix, hidden, inner }: LayerContext, traits: DecoderTraits, bias: boolean): MlpSpec {
  const { key = "hidden_act", fallback = "silu" } = traits.activation ?? {};
  return {
    kind: "gated",
    gate: linear(`${prefix}.mlp.gate_proj`, hidden, inner, bias),
    up: linear(`${prefix}.mlp.up_proj`, hidden, inner, bias),
    down: linear(`${prefix}.mlp.down_proj`, inner, hidden, bias),
    activation: config.activation(key, fallback),
  };
}

/** Gate and up projection in one matrix (Phi-3, GLM). */
export function fusedGatedMlp({ config, prefix, hidden, inner }: LayerContext): MlpSpec {
  return {
    kind: "fused_gated",
    gateUp: linear(`${prefix}.mlp.gate_up_proj`, hidden, 2 * inner),
    down: linear(`${prefix}.mlp.down_proj`, inner, hidden),
    activation: config.activation("hidden_act", "silu"),
  };
}

/** Two matrices with an activation between them. */
export function plainMlp(up: LinearSpec, down: LinearSpec, activation: Activation): MlpSpec {
  return { kind: "plain", up, down, activation };
}

function describeBlock(context: LayerContext, traits: DecoderTraits): BlockSpec {
  const { config, prefix, hidden, heads, keyHeads, headDim, encoding } = context;
  const { qkv = false, output = false, mlp: mlpBias = false } = traits.biases?.(config) ?? {};
  const project = (name: string, count: number) =>
    linear(`${prefix}.${ATTENTION}.${name}`, hidden, count * headDim, qkv);
  const norms = traits.norms(context);
  const softcap = traits.softcap?.(config);
  const clip = traits.clip?.(config);
  return {
    attention: {
      heads,
      keyHeads,
      headDim,
      projection:
        traits.fusedQkv === undefined
          ? {
              kind: "separate",
              query: project("q_proj", heads),
              key: project("k_proj", keyHeads),
              value: project("v_proj", keyHeads),
            }
          : { kind: "fused", linear: project(traits.fusedQkv, heads + 2 * keyHeads), order: "blocks" },
      output: linear(`${prefix}.${ATTENTION}.${traits.output ?? "o_proj"}`, heads * headDim, hidden, output),
      ...traits.queryKeyNorms?.(context),
      scaling: traits.scaling?.(context) ?? 1 / Math.sqrt(headDim),
      ...(softcap === undefined ? {} : { softcap }),
      ...(clip === undefined ? {} : { clip }),
      mask: causalMask(encoding),
      ...encodingField(encoding),
    },
    attentionNorms: {
      ...(norms.attention === undefined ? {} : { before: norms.attention }),
      ...(norms.attentionOutput === undefined ? {} : { output: norms.attentionOutput }),
    },
    mlp: traits.mlp?.(context, mlpBias) ?? gatedMlp(context, traits, mlpBias),
    mlpNorms: {
      ...(norms.mlp === undefined ? {} : { before: norms.mlp }),
      ...(norms.mlpOutput === undefined ? {} : { output: norms.mlpOutput }),
    },
    residual: traits.parallel?.(config) ? "parallel" : "sequential",
    residualScale: traits.residualScale?.(config) ?? 1,
  };
}

/** Describes a decoder whose tensors have Llama's names: `embed_tokens`, `layers.N.self_attn.q_proj`, … */
export function describeDecoder(config: FamilyConfig, traits: DecoderTraits): ModelSpec {
  const hidden = config.size("hidden_size");
  const sizes = readHeadSizes(config);
  const inner = config.sizeOr("intermediate_size", traits.intermediate ?? 4 * hidden);
  return {
    modelType: config.modelType,
    stacks: [
      {
        where: "text",
        embedding: {
          tokens: ["embed_tokens.weight"],
          vocabulary: config.sizeOr("vocab_size", traits.vocabulary ?? 32_000),
          size: hidden,
          scale: traits.embeddingScale?.(config) ?? 1,
        },
        layers: config.resolved("text", "num_layers"),
        block: (layer) => {
          const encoding = config.encodingOf("text", layer);
          return describeBlock({ ...sizes, config, layer, prefix: `layers.${layer}`, hidden, inner, encoding }, traits);
        },
      },
    ],
  };
}

import { SpecBuilder } from "../specBuilder.ts";
import { type ConfigAttributes, isFiniteNumber, isNumbers, type Sourced } from "./attributes.ts";
import type { StackType } from "./modelTypes.ts";

/** Half of an encoder-decoder; undefined for a single stack. */
export type EncoderDecoder = "encoder" | "decoder" | undefined;

const HEAD_KEYS_BY_HALF: Readonly<Record<string, readonly string[]>> = {
  encoder: ["encoder_attention_heads", "encoder_num_attention_heads", "num_encoder_attention_heads"],
  decoder: ["decoder_attention_heads", "decoder_num_attention_heads", "num_decoder_attention_heads"],
};
const LAYER_KEYS_BY_HALF: Readonly<Record<string, readonly string[]>> = {
  encoder: ["encoder_layers", "num_encoder_layers", "encoder_num_hidden_layers"],
  decoder: ["decoder_layers", "num_decoder_layers", "decoder_num_hidden_layers"],
};
const HEAD_KEYS = [
  "num_attention_heads",
  "n_head",
  "n_heads",
  "num_heads",
  "attention_heads",
  "encoder_attention_heads",
  "decoder_attention_heads",
];
const LAYER_KEYS = [
  "num_hidden_layers",
  "n_layer",
  "n_layers",
  "num_layers",
  "depth",
  "layers",
  "encoder_layers",
  "decoder_layers",
];
const WIDTH_KEYS = ["n_embed", "hidden_size", "d_model", "n_embd", "embed_dim", "emb_dim", "dim"];

/** Heads, layers and sizes, which every attention has. */
export function readCommonParams(attributes: ConfigAttributes, stack: StackType, side: EncoderDecoder): SpecBuilder {
  const builder = new SpecBuilder();
  builder.set("num_heads", readHeads(attributes, side));
  builder.set("num_layers", readLayerCount(attributes, side));
  builder.set("head_dim", readHeadDim(attributes, stack, side));
  builder.set("num_kv_heads", readKeyValueHeads(attributes, side));
  const lengthKey = stack.parameterKeys?.max_position_embeddings ?? "max_position_embeddings";
  if (stack.encoding !== "alibi") builder.set("max_position_embeddings", attributes.valueOrDefault(lengthKey));
  return builder;
}

function readHeads(attributes: ConfigAttributes, side: EncoderDecoder): Sourced | undefined {
  const perStage = attributes.numbers("num_attention_heads") ?? attributes.numbers("num_heads");
  if (perStage !== undefined) return perStage;
  return (
    (side === undefined ? undefined : attributes.scalarSize(...(HEAD_KEYS_BY_HALF[side] ?? []))) ??
    attributes.scalarSize(...HEAD_KEYS)
  );
}

function readLayerCount(attributes: ConfigAttributes, side: EncoderDecoder): Sourced | undefined {
  const own = side === undefined ? undefined : attributes.scalarSize(...(LAYER_KEYS_BY_HALF[side] ?? []));
  const found = own ?? attributes.scalarSize(...LAYER_KEYS);
  const { attentionsPerLayer, repeatsLayersInCycles } = attributes.type;
  if (attentionsPerLayer !== undefined && found !== undefined)
    return { value: attentionsPerLayer * found.value, source: "derived" };
  if (repeatsLayersInCycles === true && found !== undefined) return countLayerRuns(attributes, found);
  if (found !== undefined) return found;
  const depths = attributes.get("depths")?.value;
  return isNumbers(depths) ? { value: depths.length, source: "derived" } : undefined;
}

function countLayerRuns(attributes: ConfigAttributes, found: Sourced<number>): Sourced {
  if (attributes.valueOrDefault("num_layers_per_stack") !== undefined) return found;
  const inner = (attributes.valueOrDefault("L_cycles")?.value ?? 0) + 1;
  return { value: found.value * (attributes.valueOrDefault("H_cycles")?.value ?? 1) * inner, source: "derived" };
}

/** Size of a head, or of its rotated part in latent attention (`qk_rope_head_dim`). */
function readHeadDim(attributes: ConfigAttributes, stack: StackType, side: EncoderDecoder): Sourced | undefined {
  if (stack.parameterKeys?.rotary_dim === "qk_rope_head_dim") return attributes.valueOrDefault("qk_rope_head_dim");
  const written = writtenHeadDim(attributes);
  // GLM-5 Next has 0 if no part rotates.
  if (written !== undefined) return written.value === 0 ? undefined : written;
  const heads = readHeads(attributes, side)?.value;
  const width = readWidth(attributes);
  if (typeof heads !== "number" || heads <= 0 || width === undefined) return undefined;
  const attentionWidth = (attributes.type.attentionWidthFactor ?? 1) * width.value;
  return { value: Math.floor(attentionWidth / heads), source: "derived" };
}

function writtenHeadDim(attributes: ConfigAttributes): Sourced | undefined {
  if (attributes.type.ignoresHeadDim === true) return undefined;
  return (
    attributes.valueOrDefault("head_dim") ?? attributes.valueOrDefault("kv_channels", "attention_head_dim", "d_kv")
  );
}

function readWidth(attributes: ConfigAttributes): Sourced<number> | undefined {
  const { widthKey } = attributes.type;
  return widthKey === undefined ? attributes.scalarSize(...WIDTH_KEYS) : attributes.scalarSize(widthKey);
}

function readKeyValueHeads(attributes: ConfigAttributes, side: EncoderDecoder): Sourced | undefined {
  const heads = readHeads(attributes, side);
  const own =
    readMultiQueryHeads(attributes) ??
    (side === undefined ? undefined : attributes.valueOrDefault(`${side}_num_key_value_heads`)) ??
    writtenKeyValueHeads(attributes);
  if (own !== undefined) return own;
  return typeof heads?.value === "number" ? { value: heads.value, source: "derived" } : undefined;
}

function writtenKeyValueHeads(attributes: ConfigAttributes): Sourced | undefined {
  const { nestedKeyValueHeads: nested } = attributes.type;
  if (nested !== undefined)
    return readNestedNumber(attributes, ...nested.path) ?? { value: nested.default, source: "default" };
  const groups = attributes.flag("multi_query_attention")
    ? attributes.valueOrDefault("multi_query_group_num")
    : undefined;
  return groups ?? attributes.valueOrDefault("num_key_value_heads");
}

/** Some classes use flags for the number of key-value heads. */
function readMultiQueryHeads(attributes: ConfigAttributes): Sourced | undefined {
  const { multiQuery } = attributes.type;
  if (multiQuery === undefined) return undefined;
  const { flag, key, groupedFlag, groupedKey } = multiQuery;
  const own = key === undefined ? undefined : attributes.valueOrDefault(key);
  if (own !== undefined) return own;
  if (groupedFlag !== undefined && groupedKey !== undefined && attributes.flag(groupedFlag))
    return attributes.valueOrDefault(groupedKey);
  return attributes.flag(flag) ? { value: 1, source: "derived" } : undefined;
}

function readNestedNumber(attributes: ConfigAttributes, section: string, key: string): Sourced | undefined {
  const found = attributes.section?.section(section)?.get(key);
  return found === undefined || !isFiniteNumber(found.value) ? undefined : { ...found, source: "config" };
}

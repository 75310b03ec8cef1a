import { SpecBuilder } from "../specBuilder.ts";
import { type Attributes, isFiniteNumber, isNumbers, type Sourced } from "./attributes.ts";
import type { StackType } from "./modelTypes.ts";

/** Which half of an encoder-decoder is meant; null for a single stack. */
export type Side = "encoder" | "decoder" | null;

const HEADS: Readonly<Record<string, readonly string[]>> = {
  encoder: ["encoder_attention_heads", "encoder_num_attention_heads", "num_encoder_attention_heads"],
  decoder: ["decoder_attention_heads", "decoder_num_attention_heads", "num_decoder_attention_heads"],
};
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  encoder: ["encoder_layers", "num_encoder_layers", "encoder_num_hidden_layers"],
  decoder: ["decoder_layers", "num_decoder_layers", "decoder_num_hidden_layers"],
};
const ANY_HEADS = [
  "num_attention_heads",
  "n_head",
  "n_heads",
  "num_heads",
  "attention_heads",
  "encoder_attention_heads",
  "decoder_attention_heads",
];
const ANY_LAYERS = [
  "num_hidden_layers",
  "n_layer",
  "n_layers",
  "num_layers",
  "depth",
  "layers",
  "encoder_layers",
  "decoder_layers",
];
const WIDTHS = ["n_embed", "hidden_size", "d_model", "n_embd", "embed_dim", "emb_dim", "dim"];

/** Heads, layers and sizes: what every attention has, whatever its position encoding. */
export function commonParams(attributes: Attributes, stack: StackType, side: Side): SpecBuilder {
  const builder = new SpecBuilder();
  builder.set("num_heads", headsOf(attributes, side));
  builder.set("num_layers", layersOf(attributes, side));
  builder.set("head_dim", headDimOf(attributes, stack, side));
  builder.set("num_kv_heads", keyValueHeads(attributes, side));
  const key = stack.p?.max;
  if (stack.i !== "alibi")
    builder.set(
      "max_position_embeddings",
      attributes.valueOrDefault(typeof key === "string" ? key : "max_position_embeddings"),
    );
  return builder;
}

function headsOf(attributes: Attributes, side: Side): Sourced | undefined {
  const perStage = attributes.numbers("num_attention_heads") ?? attributes.numbers("num_heads");
  if (perStage !== undefined) return perStage;
  return (side === null ? undefined : attributes.size(...(HEADS[side] ?? []))) ?? attributes.size(...ANY_HEADS);
}

function layersOf(attributes: Attributes, side: Side): Sourced | undefined {
  const own = side === null ? undefined : attributes.size(...(LAYERS[side] ?? []));
  const found = own ?? attributes.size(...ANY_LAYERS);
  // LongCat's layers hold two attentions each.
  if (attributes.typeName === "longcat_flash" && found !== undefined)
    return { value: 2 * found.value, source: "derived" };
  if (attributes.typeName === "hrm_text" && found !== undefined) return runsOfLayers(attributes, found);
  if (found !== undefined) return found;
  const depths = attributes.get("depths")?.value;
  return isNumbers(depths) ? { value: depths.length, source: "derived" } : undefined;
}

/** HRM runs one stack of layers again and again; each run has a cache of its own and counts as a layer. */
function runsOfLayers(attributes: Attributes, found: Sourced<number>): Sourced {
  if (attributes.valueOrDefault("num_layers_per_stack") !== undefined) return found;
  const inner = (attributes.valueOrDefault("L_cycles")?.value ?? 0) + 1;
  return { value: found.value * (attributes.valueOrDefault("H_cycles")?.value ?? 1) * inner, source: "derived" };
}

/** Length of a head, or of its rotated part in latent attention (`qk_rope_head_dim`). */
function headDimOf(attributes: Attributes, stack: StackType, side: Side): Sourced | undefined {
  if (stack.p?.rope_dim === "qk_rope_head_dim") return attributes.valueOrDefault("qk_rope_head_dim");
  const written = writtenHeadDim(attributes);
  // GLM-5 Next without a rotated part says 0.
  if (written !== undefined) return written.value === 0 ? undefined : written;
  const heads = headsOf(attributes, side)?.value;
  const width = widthOf(attributes);
  if (typeof heads !== "number" || heads <= 0 || width === undefined) return undefined;
  const double = attributes.typeName === "zamba2" || attributes.typeName === "zamba" ? 2 : 1;
  return { value: Math.floor((double * width.value) / heads), source: "derived" };
}

function writtenHeadDim(attributes: Attributes): Sourced | undefined {
  if (attributes.typeName === "zamba2" || attributes.typeName === "deepseek_ocr2_text") return undefined;
  return (
    attributes.valueOrDefault("head_dim") ?? attributes.valueOrDefault("kv_channels", "attention_head_dim", "d_kv")
  );
}

function widthOf(attributes: Attributes): Sourced<number> | undefined {
  // Qwen2-VL's vision tower: `hidden_size` is the language model's, `embed_dim` its own.
  if (attributes.typeName === "qwen2_vl_vision") return attributes.size("embed_dim");
  return attributes.size(...WIDTHS);
}

function keyValueHeads(attributes: Attributes, side: Side): Sourced | undefined {
  const heads = headsOf(attributes, side);
  const own =
    multiQuery(attributes) ??
    (side === null ? undefined : attributes.valueOrDefault(`${side}_num_key_value_heads`)) ??
    writtenKeyValueHeads(attributes);
  if (own !== undefined) return own;
  return typeof heads?.value === "number" ? { value: heads.value, source: "derived" } : undefined;
}

function writtenKeyValueHeads(attributes: Attributes): Sourced | undefined {
  const groups = attributes.flag("multi_query_attention")
    ? attributes.valueOrDefault("multi_query_group_num")
    : undefined;
  if (attributes.typeName === "dbrx")
    return nestedNumber(attributes, "attn_config", "kv_n_heads") ?? { value: 1, source: "default" };
  return groups ?? attributes.valueOrDefault("num_key_value_heads");
}

/** Falcon and GPT-BigCode say it with flags. */
function multiQuery(attributes: Attributes): Sourced | undefined {
  if (attributes.typeName === "falcon" || attributes.typeName?.startsWith("RefinedWeb") === true) {
    const own = attributes.valueOrDefault("n_head_kv");
    if (own !== undefined) return own;
    if (attributes.flag("new_decoder_architecture")) return attributes.valueOrDefault("num_kv_heads");
    return attributes.flag("multi_query") ? { value: 1, source: "derived" } : undefined;
  }
  if (attributes.typeName !== "gpt_bigcode") return undefined;
  return attributes.flag("multi_query") ? { value: 1, source: "derived" } : undefined;
}

function nestedNumber(attributes: Attributes, section: string, key: string): Sourced | undefined {
  const found = attributes.section?.section(section)?.get(key);
  return found === undefined || !isFiniteNumber(found.value) ? undefined : { ...found, source: "config" };
}

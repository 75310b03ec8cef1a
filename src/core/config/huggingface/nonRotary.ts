import type { EncodingSpec } from "../../spec.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import { type Attributes, isNumbers, isStrings, type Sourced } from "./attributes.ts";
import { commonParams, type Side } from "./commonParams.ts";
import { layerKinds, windowSize } from "./layers.ts";
import type { StackType } from "./modelTypes.ts";
import { setVariant } from "./variant.ts";

/** Specs of a stack whose encoding is not rotary. */
export function otherSpecs(attributes: Attributes, stack: StackType, where: string, side: Side): EncodingSpec[] {
  const encoding = stack.i ?? "none";
  const builder = commonParams(attributes, stack, side);
  FILLERS[encoding]?.(attributes, stack, builder, side);
  setVariant(attributes, stack, builder);
  if (attributes.typeName === "gpt_neo") return windowed(attributes, builder, encoding, where);
  return [builder.build(encoding, where, "all", attributes.confidence)];
}

type Filler = (attributes: Attributes, stack: StackType, builder: SpecBuilder, side: Side) => void;

/** GPT-Neo: layers with a window and layers without, under one table of positions. */
function windowed(
  attributes: Attributes,
  builder: SpecBuilder,
  encoding: EncodingSpec["encoding"],
  where: string,
): EncodingSpec[] {
  const count = builder.get("num_layers");
  const kinds = layerKinds(attributes, typeof count === "number" ? count : null) ?? [];
  const layers = (slides: boolean) => kinds.flatMap((kind, i) => (kind.slides === slides ? [i] : []));
  const local = builder.copy().set("sliding_window", attributes.valueOrDefault("window_size"));
  const parts: [SpecBuilder, number[]][] = [
    [builder, layers(false)],
    [local, layers(true)],
  ];
  const used = parts.filter(([, own]) => own.length > 0);
  if (used.length < 2) return [(used[0]?.[0] ?? builder).build(encoding, where, "all", attributes.confidence)];
  return used.map(([own, list]) => own.build(encoding, where, list, attributes.confidence));
}

/** Rows of the table and how many of them a text can use. */
const positions: Filler = (attributes, stack, builder) => {
  const rows = gridRows(attributes, stack) ?? spectrogramRows(attributes, stack) ?? fixedRows(stack);
  if (rows !== undefined) builder.set("max_position_embeddings", rows).set("usable_positions", rows);
  else usable(attributes, stack, builder);
  builder.set("sliding_window", attributes.type.wa === 1 ? windowSize(attributes) : undefined);
};

function usable(attributes: Attributes, stack: StackType, builder: SpecBuilder): void {
  const longest = builder.get("max_position_embeddings");
  if (typeof longest !== "number") return;
  const lost = stack.p?.pad === 1 ? (attributes.valueOrDefault("pad_token_id")?.value ?? 1) + 1 : 0;
  builder.derive("usable_positions", Math.max(0, longest - lost));
}

function fixedRows(stack: StackType): Sourced | undefined {
  return stack.rows === undefined ? undefined : { value: stack.rows, source: "default" };
}

/** One row a patch, and those of the class token and its like. */
function gridRows(attributes: Attributes, stack: StackType): Sourced | undefined {
  const extra = stack.p?.grid;
  if (typeof extra !== "number") return undefined;
  const key = typeof stack.p?.image === "string" ? stack.p.image : "image_size";
  const image = sides(attributes, key);
  const patch = sides(attributes, "patch_size");
  if (image === undefined || patch === undefined) return fixedRows(stack);
  const rows = Math.floor(image[0] / patch[0]) * Math.floor(image[1] / patch[1]) + extra;
  return Number.isFinite(rows) ? { value: rows, source: "derived" } : undefined;
}

/** One row a patch of a spectrogram; patches overlap (AST: `get_shape`). */
function spectrogramRows(attributes: Attributes, stack: StackType): Sourced | undefined {
  const extra = stack.p?.spectrogram;
  const patch = typeof extra === "number" ? attributes.valueOrDefault("patch_size")?.value : undefined;
  if (typeof extra !== "number" || patch === undefined) return undefined;
  const along = (size: string, stride: string) =>
    Math.floor(
      ((attributes.valueOrDefault(size)?.value ?? 0) - patch) / (attributes.valueOrDefault(stride)?.value ?? 1),
    ) + 1;
  const rows = along("num_mel_bins", "frequency_stride") * along("max_length", "time_stride") + extra;
  return Number.isFinite(rows) && rows > extra ? { value: rows, source: "derived" } : undefined;
}

/** A number, or [height, width]. */
function sides(attributes: Attributes, key: string): readonly [number, number] | undefined {
  const value = attributes.get(key)?.value;
  if (isNumbers(value) && value.length >= 2) return [value[0] ?? 0, value[1] ?? 0];
  const side = attributes.valueOrDefault(key)?.value;
  return side === undefined ? undefined : [side, side];
}

/** A sinusoidal table ends where the model makes one of fixed length; many make a longer one when they need it. */
const sinusoidal: Filler = (attributes, stack, builder, side) => {
  if (side === "decoder" && stack.p?.max === "max_source_positions") {
    builder.set("max_position_embeddings", attributes.valueOrDefault("max_target_positions"));
  }
  if (stack.p?.grow !== 1) positions(attributes, stack, builder, side);
};

const alibi: Filler = (attributes, stack, builder) => {
  const heads = stack.p?.heads;
  if (typeof heads === "string")
    builder.set("num_heads", attributes.valueOrDefault(heads, "num_attention_heads", "n_head"));
  if (builder.get("num_heads") === null) attributes.missing("num_attention_heads");
  builder.set("alibi_bias_max", { value: 8, source: "default" });
};

const buckets: Filler = (attributes, stack, builder, side) => {
  const { num_buckets, max_distance } = stack.p ?? {};
  if (typeof num_buckets === "string") builder.set("num_buckets", attributes.valueOrDefault(num_buckets));
  if (typeof max_distance === "string") builder.set("max_distance", attributes.valueOrDefault(max_distance));
  else if (num_buckets !== undefined) builder.set("max_distance", { value: 128, source: "default" });
  builder.derive("bidirectional", side !== "decoder");
};

const deberta: Filler = (attributes, stack, builder) => {
  const distance = attributes.valueOrDefault("max_relative_positions");
  const useful = distance !== undefined && distance.value >= 1;
  builder.set("max_distance", useful ? distance : derived(builder.get("max_position_embeddings")));
  builder.set("max_relative_positions", distance);
  const count = stack.p?.buckets === undefined ? undefined : attributes.valueOrDefault("position_buckets");
  if (count !== undefined && count.value > 0) builder.set("num_buckets", count).set("position_buckets", count);
  else builder.set("position_buckets", count ?? { value: -1, source: "default" });
  const kinds = attributes.get("pos_att_type");
  if (typeof kinds?.value === "string") builder.set("pos_att_type", { ...kinds, value: kinds.value.split("|") });
  else if (isStrings(kinds?.value)) builder.set("pos_att_type", kinds);
  // DeBERTa 1 has projections of distances of its own, whatever the key says.
  const shared = stack.c?.version === 1 ? undefined : attributes.get("share_att_key");
  builder.set("share_att_key", shared ?? { value: false, source: "default" });
  const norm = attributes.get("norm_rel_ebd");
  if (typeof norm?.value === "string")
    builder.set("norm_rel_ebd", { ...norm, value: norm.value.includes("layer_norm") ? "layer_norm" : "none" });
};

function derived(value: unknown): Sourced | undefined {
  return typeof value === "number" ? { value, source: "derived" } : undefined;
}

const shaw: Filler = (attributes, stack, builder) => {
  const { left, right, max_distance } = stack.p ?? {};
  if (typeof max_distance === "string") builder.set("max_distance", attributes.valueOrDefault(max_distance));
  if (typeof left === "string")
    builder
      .set("left_max_position_embeddings", attributes.valueOrDefault(left))
      .set("max_distance", attributes.valueOrDefault(left));
  if (typeof right === "string") builder.set("right_max_position_embeddings", attributes.valueOrDefault(right));
  if (attributes.typeName === "vits") builder.set("max_distance", attributes.valueOrDefault("window_size"));
  const furthest = derived(builder.get("max_distance"));
  if (left === undefined) builder.set("max_relative_position", furthest);
};

const swin: Filler = (attributes, stack, builder) => {
  const key = stack.p?.window;
  if (typeof key === "string") builder.set("window_size", attributes.get(key));
  const trained = attributes.numbers("pretrained_window_sizes");
  builder.set("pretrained_window_sizes", trained);
  const [first] = trained?.value ?? [];
  // The first stage is shown, as its heads are.
  if (first !== undefined) builder.derive("pretrained_window_size", [first, first]);
};

const xl: Filler = (attributes, _stack, builder) => {
  builder.set("clamp_len", attributes.valueOrDefault("clamp_len"));
  builder.set("attn_type", attributes.get("attn_type"));
};

const conv: Filler = (attributes, _stack, builder) => {
  builder.set("num_conv_pos_embeddings", attributes.valueOrDefault("num_conv_pos_embeddings"));
  builder.set("num_conv_pos_embedding_groups", attributes.valueOrDefault("num_conv_pos_embedding_groups"));
};

const FILLERS: Readonly<Record<string, Filler>> = {
  learned_absolute: positions,
  sinusoidal,
  sincos_2d: sinusoidal,
  alibi,
  t5_bias: buckets,
  deberta,
  shaw,
  swin_bias: swin,
  swinv2_cpb: swin,
  decomposed_rel_pos: swin,
  transformer_xl: xl,
  conv,
};

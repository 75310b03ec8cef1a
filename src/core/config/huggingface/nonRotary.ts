import type { EncodingSpec } from "../../spec.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import { type ConfigAttributes, isNumbers, isStrings, type Sourced } from "./attributes.ts";
import { type EncoderDecoder, readCommonParams } from "./commonParams.ts";
import { resolveLayerKinds, resolveWindowSize } from "./layers.ts";
import type { StackType } from "./modelTypes.ts";
import { setVariant } from "./variant.ts";

/** Reads the encodings of a stack without RoPE. */
export function readNonRotarySpecs(
  attributes: ConfigAttributes,
  stack: StackType,
  where: string,
  side: EncoderDecoder,
): EncodingSpec[] {
  const encoding = stack.encoding ?? "none";
  const builder = readCommonParams(attributes, stack, side);
  FILL_BY_ENCODING[encoding]?.(attributes, stack, builder, side);
  setVariant(attributes, stack, builder);
  const { windowKey } = attributes.type;
  if (windowKey !== undefined) return splitByWindow(attributes, builder, encoding, where, windowKey);
  return [builder.build(encoding, where, "all", attributes.confidence)];
}

type FillParams = (attributes: ConfigAttributes, stack: StackType, builder: SpecBuilder, side: EncoderDecoder) => void;

/** Layers with and without a window, over one position table. */
function splitByWindow(
  attributes: ConfigAttributes,
  builder: SpecBuilder,
  encoding: EncodingSpec["encoding"],
  where: string,
  windowKey: string,
): EncodingSpec[] {
  const count = builder.get("num_layers");
  const kinds = resolveLayerKinds(attributes, typeof count === "number" ? count : undefined) ?? [];
  const layers = (usesWindow: boolean) => kinds.flatMap((kind, i) => (kind.usesWindow === usesWindow ? [i] : []));
  const local = builder.copy().set("sliding_window", attributes.valueOrDefault(windowKey));
  const groups: [SpecBuilder, number[]][] = [
    [builder, layers(false)],
    [local, layers(true)],
  ];
  const used = groups.filter(([, own]) => own.length > 0);
  if (used.length < 2) return [(used[0]?.[0] ?? builder).build(encoding, where, "all", attributes.confidence)];
  return used.map(([own, list]) => own.build(encoding, where, list, attributes.confidence));
}

/** Rows of the table, and how many of them a text can use. */
const fillLearnedTable: FillParams = (attributes, stack, builder) => {
  const rows = gridRows(attributes, stack) ?? spectrogramRows(attributes, stack) ?? fixedRows(stack);
  if (rows !== undefined) builder.set("max_position_embeddings", rows).set("usable_positions", rows);
  else setUsablePositions(attributes, stack, builder);
  builder.set(
    "sliding_window",
    attributes.type.windowInEveryLayer === true ? resolveWindowSize(attributes) : undefined,
  );
};

function setUsablePositions(attributes: ConfigAttributes, stack: StackType, builder: SpecBuilder): void {
  const longest = builder.get("max_position_embeddings");
  if (typeof longest !== "number") return;
  const unusableRows =
    stack.paddingRows === "counted" ? (attributes.valueOrDefault("pad_token_id")?.value ?? 1) + 1 : 0;
  builder.derive("usable_positions", Math.max(0, longest - unusableRows));
}

function fixedRows(stack: StackType): Sourced | undefined {
  return stack.tableRows === undefined ? undefined : { value: stack.tableRows, source: "default" };
}

/** One row per patch, plus those of the class token and the like. */
function gridRows(attributes: ConfigAttributes, stack: StackType): Sourced | undefined {
  const extra = stack.patchGridExtraRows;
  if (extra === undefined) return undefined;
  const key = stack.parameterKeys?.image_size ?? "image_size";
  const image = readSides(attributes, key);
  const patch = readSides(attributes, "patch_size");
  if (image === undefined || patch === undefined) return fixedRows(stack);
  const rows = Math.floor(image[0] / patch[0]) * Math.floor(image[1] / patch[1]) + extra;
  return Number.isFinite(rows) ? { value: rows, source: "derived" } : undefined;
}

/** One row per patch of a spectrogram; patches overlap (AST: `get_shape`). */
function spectrogramRows(attributes: ConfigAttributes, stack: StackType): Sourced | undefined {
  const extra = stack.spectrogramExtraRows;
  const patch = extra === undefined ? undefined : attributes.valueOrDefault("patch_size")?.value;
  if (extra === undefined || patch === undefined) return undefined;
  const along = (size: string, stride: string) =>
    Math.floor(
      ((attributes.valueOrDefault(size)?.value ?? 0) - patch) / (attributes.valueOrDefault(stride)?.value ?? 1),
    ) + 1;
  const rows = along("num_mel_bins", "frequency_stride") * along("max_length", "time_stride") + extra;
  return Number.isFinite(rows) && rows > extra ? { value: rows, source: "derived" } : undefined;
}

/** A number, or [height, width]. */
function readSides(attributes: ConfigAttributes, key: string): readonly [number, number] | undefined {
  const value = attributes.get(key)?.value;
  if (isNumbers(value) && value.length >= 2) return [value[0] ?? 0, value[1] ?? 0];
  const side = attributes.valueOrDefault(key)?.value;
  return side === undefined ? undefined : [side, side];
}

/** A computed table limits positions only if the code never makes a longer one. */
const fillSinusoidal: FillParams = (attributes, stack, builder, side) => {
  if (side === "decoder" && stack.parameterKeys?.max_position_embeddings === "max_source_positions") {
    builder.set("max_position_embeddings", attributes.valueOrDefault("max_target_positions"));
  }
  if (stack.growsOnDemand !== true) fillLearnedTable(attributes, stack, builder, side);
};

const fillAlibi: FillParams = (attributes, stack, builder) => {
  const heads = stack.parameterKeys?.num_heads;
  if (heads !== undefined) builder.set("num_heads", attributes.valueOrDefault(heads, "num_attention_heads", "n_head"));
  if (builder.get("num_heads") === null) attributes.reportMissing("num_attention_heads");
  const largest = stack.parameterKeys?.alibi_bias_max;
  builder.set("alibi_bias_max", { value: 8, source: "default" });
  if (largest !== undefined) builder.set("alibi_bias_max", attributes.valueOrDefault(largest));
};

const fillT5Buckets: FillParams = (attributes, stack, builder, side) => {
  const { num_buckets, max_distance } = stack.parameterKeys ?? {};
  if (num_buckets !== undefined) builder.set("num_buckets", attributes.valueOrDefault(num_buckets));
  if (max_distance !== undefined) builder.set("max_distance", attributes.valueOrDefault(max_distance));
  else if (num_buckets !== undefined) builder.set("max_distance", { value: 128, source: "default" });
  builder.derive("bidirectional", side !== "decoder");
};

const fillDeberta: FillParams = (attributes, stack, builder) => {
  const distance = attributes.valueOrDefault("max_relative_positions");
  const useful = distance !== undefined && distance.value >= 1;
  builder.set("max_distance", useful ? distance : derivedNumber(builder.get("max_position_embeddings")));
  builder.set("max_relative_positions", distance);
  const count =
    stack.parameterKeys?.position_buckets === undefined ? undefined : attributes.valueOrDefault("position_buckets");
  if (count !== undefined && count.value > 0) builder.set("num_buckets", count).set("position_buckets", count);
  else builder.set("position_buckets", count ?? { value: -1, source: "default" });
  const kinds = attributes.get("pos_att_type");
  if (typeof kinds?.value === "string") builder.set("pos_att_type", { ...kinds, value: kinds.value.split("|") });
  else if (isStrings(kinds?.value)) builder.set("pos_att_type", kinds);
  // DeBERTa 1 always has separate projections for distances.
  const shared = stack.constants?.version === 1 ? undefined : attributes.get("share_att_key");
  builder.set("share_att_key", shared ?? { value: false, source: "default" });
  const norm = attributes.get("norm_rel_ebd");
  if (typeof norm?.value === "string")
    builder.set("norm_rel_ebd", { ...norm, value: norm.value.includes("layer_norm") ? "layer_norm" : "none" });
};

function derivedNumber(value: unknown): Sourced | undefined {
  return typeof value === "number" ? { value, source: "derived" } : undefined;
}

const fillShaw: FillParams = (attributes, stack, builder) => {
  const {
    left_max_position_embeddings: left,
    right_max_position_embeddings: right,
    max_distance,
    positions,
  } = stack.parameterKeys ?? {};
  if (max_distance !== undefined) builder.set("max_distance", attributes.valueOrDefault(max_distance));
  if (left !== undefined)
    builder
      .set("left_max_position_embeddings", attributes.valueOrDefault(left))
      .set("max_distance", attributes.valueOrDefault(left));
  if (right !== undefined) builder.set("right_max_position_embeddings", attributes.valueOrDefault(right));
  const rows = positions === undefined ? undefined : attributes.valueOrDefault(positions);
  // One vector for each distance that two positions can have: nothing is clipped.
  if (rows !== undefined) builder.set("max_distance", { value: rows.value - 1, source: "derived" });
  const furthest = derivedNumber(builder.get("max_distance"));
  if (left === undefined) builder.set("max_relative_position", furthest);
};

const fillSwin: FillParams = (attributes, stack, builder) => {
  const key = stack.parameterKeys?.window_size;
  if (key !== undefined) builder.set("window_size", attributes.get(key));
  const trained = attributes.numbers("pretrained_window_sizes");
  builder.set("pretrained_window_sizes", trained);
  const [first] = trained?.value ?? [];
  // Only the first stage, as for its heads.
  if (first !== undefined) builder.derive("pretrained_window_size", [first, first]);
};

const fillTransformerXl: FillParams = (attributes, _stack, builder) => {
  builder.set("clamp_len", attributes.valueOrDefault("clamp_len"));
  builder.set("attn_type", attributes.get("attn_type"));
};

const fillConv: FillParams = (attributes, _stack, builder) => {
  builder.set("num_conv_pos_embeddings", attributes.valueOrDefault("num_conv_pos_embeddings"));
  builder.set("num_conv_pos_embedding_groups", attributes.valueOrDefault("num_conv_pos_embedding_groups"));
};

const FILL_BY_ENCODING: Readonly<Record<string, FillParams>> = {
  learned_absolute: fillLearnedTable,
  sinusoidal: fillSinusoidal,
  sincos_2d: fillSinusoidal,
  alibi: fillAlibi,
  t5_bias: fillT5Buckets,
  deberta: fillDeberta,
  shaw: fillShaw,
  swin_bias: fillSwin,
  swinv2_cpb: fillSwin,
  decomposed_rel_pos: fillSwin,
  transformer_xl: fillTransformerXl,
  conv: fillConv,
};

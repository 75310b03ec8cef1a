import type { TensorInfo } from "../../checkpoint/rangeReader.ts";
import type { EncodingId, EncodingSpec } from "../../spec.ts";
import { SpecBuilder } from "../specBuilder.ts";

/** A tensor that reveals a position encoding. */
interface PositionTensor {
  readonly pattern: RegExp;
  readonly encoding: EncodingId;
  /** @param shape slowest dimension first; empty if only the name is known */
  fill(builder: SpecBuilder, shape: readonly number[]): void;
}

const POSITION_TENSORS: readonly PositionTensor[] = [
  {
    pattern: /relative_attention_bias\.weight$|position_bias\.relative_attention_bias/,
    encoding: "t5_bias",
    fill: setBuckets,
  },
  { pattern: /relative_position_bias_table$/, encoding: "swin_bias", fill: setWindowTable },
  { pattern: /continuous_position_bias_mlp\.|cpb_mlp\./, encoding: "swinv2_cpb", fill: () => undefined },
  { pattern: /rel_pos_h$/, encoding: "decomposed_rel_pos", fill: () => undefined },
  { pattern: /\br_r_bias$|pos_bias_u$/, encoding: "transformer_xl", fill: () => undefined },
  {
    pattern: /rel_embeddings\.weight$/,
    encoding: "deberta",
    fill: (builder, [rows]) => setHalfAsBuckets(builder, rows),
  },
  { pattern: /pos_conv_embed\./, encoding: "conv", fill: () => undefined },
  {
    pattern: /(?:position_embeddings?|embed_positions|wpe|positions_embed|pos_embed|position_embds)(?:\.weight)?$/,
    encoding: "learned_absolute",
    fill: setTableRows,
  },
  {
    pattern: /rotary_emb\.inv_freq$|rope\.freqs$/,
    encoding: "rope",
    fill: (builder, [count]) => void (count && builder.derive("rotary_dim", 2 * count)),
  },
];

/** Whether a tensor's name belongs to a position encoding. */
export function isPositionTensor(name: string): boolean {
  return POSITION_TENSORS.some(({ pattern }) => pattern.test(name));
}

/** Reads encodings from tensor names and shapes. RoPE and ALiBi have no weights, so that they cannot be found. */
export function readSafetensorsSpecs(tensors: readonly Pick<TensorInfo, "name" | "shape">[]): EncodingSpec[] {
  const found = new Map<string, EncodingSpec>();
  for (const { name, shape } of tensors) {
    const sign = POSITION_TENSORS.find(({ pattern }) => pattern.test(name));
    if (sign === undefined) continue;
    const where = stackOfTensor(name);
    const key = `${where} ${sign.encoding}`;
    if (found.has(key)) continue;
    const builder = new SpecBuilder();
    sign.fill(builder, shape);
    // The tensor is there, whatever the model is.
    found.set(key, builder.build(sign.encoding, where, "all", "automatic"));
  }
  return [...found.values()];
}

function stackOfTensor(name: string): string {
  if (/(?:^|\.)(?:vision|visual|vit|image)/.test(name)) return "vision";
  if (/(?:^|\.)audio/.test(name)) return "audio";
  return /(?:^|\.)(encoder|decoder)\.(?:block|layers|embed_positions)/.exec(name)?.[1] ?? "text";
}

/** [rows, width], or [1, rows, width] in vision models. */
function setTableRows(builder: SpecBuilder, shape: readonly number[]): void {
  const count = shape.length === 3 ? shape[1] : shape[0];
  if (count !== undefined && shape.length >= 2)
    builder.derive("max_position_embeddings", count).derive("usable_positions", count);
}

/** [buckets, heads] */
function setBuckets(builder: SpecBuilder, [count, heads]: readonly number[]): void {
  if (count !== undefined) builder.derive("num_buckets", count).set("max_distance", { value: 128, source: "default" });
  if (heads !== undefined) builder.derive("num_heads", heads);
}

/** [(2·window − 1)², heads] */
function setWindowTable(builder: SpecBuilder, [count, heads]: readonly number[]): void {
  if (count !== undefined) builder.derive("window_size", (Math.sqrt(count) + 1) / 2);
  if (heads !== undefined) builder.derive("num_heads", heads);
}

function setHalfAsBuckets(builder: SpecBuilder, count: number | undefined): void {
  if (count !== undefined) builder.derive("num_buckets", count / 2);
}

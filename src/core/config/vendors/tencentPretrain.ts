import type { EncodingSpec } from "../../spec.ts";
import { type ConfigAttributes, isStrings, type Sourced } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { fixed, makerAttributes, setHeads, setPlainRope } from "./otherMakers.ts";

/** Defaults of tencentpretrain/opts.py. */
const DEFAULTS = { max_seq_length: 512, embedding: ["word"], tgt_embedding: ["word"], encoder: "transformer" };
const SEQUENCE_MODELS = /transformer/;

/**
 * Reads the JSON configurations of UER-py and TencentPretrain: the list `embedding` and flags of the encoder choose
 * the encoding (tencentpretrain/embeddings, encoders/transformer_encoder.py). Streams are two encoders side by side.
 */
export function readTencentPretrainSpecs(
  section: Section,
  report: ReportProblem,
): { modelType: null; specs: EncodingSpec[] } {
  const streams = ["stream_0", "stream_1"].flatMap((key) => {
    const stream = section.section(key);
    return stream === undefined ? [] : readHalf(makerAttributes(stream, DEFAULTS, report), key, "encoder");
  });
  if (streams.length > 0) return { modelType: null, specs: streams };
  const attributes = makerAttributes(section, DEFAULTS, report);
  if (section.string("decoder") === undefined)
    return { modelType: null, specs: readHalf(attributes, whereOf(attributes), "encoder") };
  const halves = (["encoder", "decoder"] as const).flatMap((half) => readHalf(attributes, half, half));
  return { modelType: null, specs: halves };
}

function whereOf(attributes: ConfigAttributes): string {
  return embeddings(attributes, "encoder").some((name) => name.includes("patch")) ? "vision" : "text";
}

/** ["word", "pos", "seg"], or in early files "word_pos_seg". */
function embeddings(attributes: ConfigAttributes, half: "encoder" | "decoder"): readonly string[] {
  const written = attributes.get(half === "encoder" ? "embedding" : "tgt_embedding")?.value;
  if (isStrings(written)) return written;
  return typeof written === "string" ? written.split("_") : [];
}

function readHalf(attributes: ConfigAttributes, where: string, half: "encoder" | "decoder"): EncodingSpec[] {
  const builder = new SpecBuilder();
  const heads = attributes.valueOrDefault("heads_num");
  setHeads(builder, heads, attributes.valueOrDefault("hidden_size", "emb_size"));
  const size = attributes.valueOrDefault("attention_head_size");
  if (size !== undefined) builder.set("head_dim", size);
  const grouped = attributes.valueOrDefault("local_kv_heads_num");
  if (grouped !== undefined) builder.set("num_kv_heads", grouped);
  const layers = half === "decoder" ? attributes.valueOrDefault("decoder_layers_num", "layers_num") : undefined;
  builder.set("num_layers", layers ?? attributes.valueOrDefault("layers_num"));
  return fillHalf(attributes, builder, half).map((encoding) => builder.build(encoding, where, "all", "automatic"));
}

/** Sets what the encoding needs, and names it; the layers may have one of their own besides the table. */
function fillHalf(
  attributes: ConfigAttributes,
  builder: SpecBuilder,
  half: "encoder" | "decoder",
): ("learned_absolute" | "sinusoidal" | "t5_bias" | "rope" | "alibi" | "none")[] {
  const names = embeddings(attributes, half);
  const longest = attributes.valueOrDefault("max_seq_length");
  builder.set("max_position_embeddings", longest);
  const table = names.includes("sinusoidalpos") ? "sinusoidal" : names.includes("pos") ? "learned_absolute" : undefined;
  if (table === "sinusoidal")
    builder.set("frequency", fixed("tensor2tensor")).set("layout", fixed(columnOrder(attributes)));
  if (table !== undefined) {
    const rows = speechRows(attributes) ?? patchRows(attributes, names) ?? longest;
    builder.set("max_position_embeddings", rows).set("usable_positions", rows);
  }
  if (!SEQUENCE_MODELS.test(String(attributes.get("encoder")?.value))) return [table ?? "none"];
  if (attributes.flag("relative_position_embedding")) {
    builder.set("num_buckets", fixed(attributes.valueOrDefault("relative_attention_buckets_num")?.value ?? 32));
    builder.set("max_distance", fixed(128)).derive("bidirectional", half === "encoder");
    return ["t5_bias"];
  }
  if (half === "encoder" && attributes.flag("rotary_position_embedding")) {
    setPlainRope(builder, {
      theta: fixed(10_000),
      rotaryDim: fixed(builder.get("head_dim")),
      layout: "interleaved",
    });
    return ["rope"];
  }
  if (half === "encoder" && attributes.flag("alibi_position_embedding")) {
    builder.set("alibi_bias_max", fixed(8));
    return ["alibi"];
  }
  return [table ?? "none"];
}

/** Speech has its sines before its cosines, text takes turns. */
function columnOrder(attributes: ConfigAttributes): "concat" | "interleaved" {
  return embeddings(attributes, "encoder").includes("speech") ? "concat" : "interleaved";
}

/** With speech, both tables have a row per audio frame. */
function speechRows(attributes: ConfigAttributes): Sourced<number> | undefined {
  if (!embeddings(attributes, "encoder").includes("speech")) return undefined;
  const frames = attributes.valueOrDefault("max_audio_frames");
  const longest = attributes.valueOrDefault("max_seq_length");
  return frames !== undefined && frames.value >= (longest?.value ?? 0) ? frames : longest;
}

/** With images, the table has `max_seq_length` rows if the file has that key; else one per patch and one more. */
function patchRows(attributes: ConfigAttributes, names: readonly string[]) {
  if (attributes.fromFile("max_seq_length") !== undefined || !names.some((name) => name.includes("patch")))
    return undefined;
  const [height, width, patch] = ["image_height", "image_width", "patch_size"].map(
    (key) => attributes.valueOrDefault(key)?.value,
  );
  if (height === undefined || width === undefined || patch === undefined || patch <= 0) return undefined;
  return { value: Math.floor(height / patch) * Math.floor(width / patch) + 1, source: "derived" as const };
}

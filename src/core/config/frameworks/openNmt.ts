import type { EncodingSpec } from "../../spec.ts";
import { type Framework, hasAny } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";

/** OpenNMT-py's training files. */
export const openNmt: Framework = {
  format: "opennmt-yaml",
  reference:
    "OpenNMT/OpenNMT-py: onmt/opts.py, onmt/modules/multi_headed_attn.py, onmt/modules/embeddings.py (PositionalEncoding)",
  signs: ["decoder_type", "encoder_type", "position_encoding", "max_relative_positions"],
  findModels: (root) => {
    const types = [root.string("encoder_type"), root.string("decoder_type")];
    const isTransformer = types.some((type) => type === "transformer" || type === "transformer_lm");
    const own = hasAny(root, "word_vec_size", "transformer_ff", "enc_layers", "dec_layers", "layers", "rnn_size");
    if (!isTransformer || !own) return undefined;
    const both = root.string("model_task") !== "lm" && root.string("decoder_type") !== "transformer_lm";
    return both
      ? [
          { section: root, where: "encoder" },
          { section: root, where: "decoder" },
        ]
      : [{ section: root }];
  },
  keys: {
    num_heads: ["heads"],
    num_kv_heads: ["num_kv"],
    num_layers: ["layers"],
    encoder_layers: ["enc_layers", "layers"],
    decoder_layers: ["dec_layers", "layers"],
    hidden_size: ["hidden_size", "rnn_size"],
    rope_theta: ["rotary_theta"],
    max_distance: ["relative_attention_max_distance"],
    num_buckets: ["relative_positions_buckets"],
  },
  defaults: {
    num_heads: 8,
    hidden_size: 500,
    num_layers: 2,
    encoder_layers: 2,
    decoder_layers: 2,
    position_encoding: false,
    position_encoding_type: "SinusoidalInterleaved",
    max_relative_positions: 0,
    rotary_interleave: true,
    rope_theta: 10_000,
  },
  readModel: readOpenNmt,
};

function readOpenNmt(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes();
  builder.set("num_layers", model.number(model.where === "encoder" ? "encoder_layers" : "decoder_layers"));
  const relative = model.number("max_relative_positions")?.value;
  const own = relative === undefined ? [] : readRelative(model, builder.copy(), relative);
  if (!model.flag("position_encoding")) return own.length > 0 ? own : [model.none()];
  const layout = model.text("position_encoding_type") === "SinusoidalConcat" ? "concat" : "interleaved";
  builder.set("base", defaultValue(10_000)).derive("embed_scale", "sqrt(embedding_dim)");
  return [...own, model.sinusoidal({ layout }, builder)];
}

/** `max_relative_positions` is a distance, or the number of another method. */
function readRelative(
  model: FrameworkModel,
  builder: ReturnType<FrameworkModel["sizes"]>,
  relative: number,
): readonly EncodingSpec[] {
  if (relative === -1) return [model.rope(builder, model.flag("rotary_interleave") ? "interleaved" : "half")];
  if (relative === -2) return [model.alibi(builder)];
  if (relative <= 0) return [];
  if ((model.number("num_buckets")?.value ?? 0) > 0) {
    builder.set("max_distance", model.number("max_relative_positions"));
    builder.set("num_buckets", model.number("num_buckets")).derive("bidirectional", model.where === "encoder");
    return [model.build(builder, "t5_bias")];
  }
  const distance = model.number("max_relative_positions");
  return [model.build(builder.set("max_distance", distance).set("max_relative_position", distance), "shaw")];
}

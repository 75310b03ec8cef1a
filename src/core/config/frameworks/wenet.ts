import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { type Framework, hasAny, type ModelPlace } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";

/** Encoders of Transformer layers, with the positions that their class has by default. */
const ENCODERS: ReadonlyMap<string, string> = new Map([
  ["transformer", "abs_pos"],
  ["conformer", "rel_pos"],
  ["branchformer", "rel_pos"],
  ["e_branchformer", "rel_pos"],
  ["squeezeformer", "rel_pos"],
  ["efficientConformer", "rel_pos"],
  ["dual_conformer", "rel_pos"],
  ["dual_transformer", "abs_pos"],
  ["contextual_block_conformer", "abs_pos"],
  ["contextual_block_transformer", "abs_pos"],
]);
const DECODERS: ReadonlySet<string> = new Set(["transformer", "bitransformer"]);

/** wenet's and ESPnet's speech models, whose files have the same form. */
export const wenet: Framework = {
  format: "wenet-yaml",
  reference:
    "wenet-e2e/wenet: wenet/transformer/encoder.py, wenet/transformer/embedding.py, wenet/utils/class_utils.py; espnet/espnet: espnet2/asr/encoder",
  signs: ["encoder_conf", "decoder_conf"],
  findModels,
  keys: {
    num_heads: ["attention_heads"],
    num_layers: ["num_blocks"],
    style: ["rope_style"],
    hidden_size: ["output_size", "^encoder_conf.output_size"],
  },
  defaults: { num_heads: 4, num_layers: 6, hidden_size: 256, rope_theta: 10_000 },
  readModel: (model) => (model.where === "encoder" ? readEncoder(model) : readDecoder(model)),
};

function findModels(root: Section): readonly ModelPlace[] | undefined {
  const encoder = root.section("encoder_conf");
  const decoder = root.section("decoder_conf");
  const isEncoder = encoder !== undefined && ENCODERS.has(root.string("encoder") ?? "");
  const isOwn = hasAny(encoder, "output_size", "num_blocks", "attention_heads", "linear_units", "pos_enc_layer_type");
  const isDecoder = decoder !== undefined && DECODERS.has(root.string("decoder") ?? "");
  if (!isEncoder || !isOwn) return undefined;
  return [{ section: encoder, where: "encoder" }, ...(isDecoder ? [{ section: decoder, where: "decoder" }] : [])];
}

function readEncoder(model: FrameworkModel): readonly EncodingSpec[] {
  const type = model.text("pos_enc_layer_type") ?? ENCODERS.get(model.root.string("encoder") ?? "");
  return readPositions(model, type);
}

function readDecoder(model: FrameworkModel): readonly EncodingSpec[] {
  const layer = model.text("input_layer") ?? "embed";
  return readPositions(model, layer === "embed" ? "abs_pos" : layer);
}

function readPositions(model: FrameworkModel, type: string | undefined): readonly EncodingSpec[] {
  const builder = model.sizes();
  builder.set("base", defaultValue(10_000));
  switch (type) {
    case "abs_pos":
    case "embed":
      return [model.sinusoidal({ embed_scale: "sqrt(embedding_dim)" }, builder)];
    case "abs_pos_whisper":
    case "abs_pos_paraformer":
      return [model.sinusoidal({ layout: "concat", frequency: "tensor2tensor" }, builder)];
    case "embed_learnable_pe":
      return [model.learned(model.sizes())];
    case "rel_pos":
    case "legacy_rel_pos":
    case "rel_pos_firered":
      return [model.build(model.sizes(), "transformer_xl")];
    case "rope_pos":
      return [model.rope(model.sizes(), model.text("style") === "llama" ? "interleaved" : "half")];
    case "no_pos":
      return [model.none()];
    case "conv":
    case "conv_abs_pos":
      return [];
    default:
      model.reportUnknown("pos_enc_layer_type");
      return [];
  }
}

import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import type { Framework, ModelPlace } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";
import { MEGATRON_KEYS, megatronPlace, readMegatron } from "./megatron.ts";

/** NeMo: language models in Megatron's terms under `model`, and speech models of Conformer layers. */
export const nemo: Framework = {
  format: "nemo-yaml",
  reference:
    "NVIDIA/NeMo: nemo/collections/nlp/models/language_modeling/megatron_gpt_model.py, nemo/collections/nlp/modules/common/megatron/token_level_encoder_decoder.py, nemo/collections/asr/modules/conformer_encoder.py, nemo/collections/asr/modules/transformer/transformer_decoders.py",
  signs: ["ConformerEncoder", "exp_manager", "encoder_seq_length", "rotary_percentage", "nemo.collections"],
  findModels,
  keys: {
    ...MEGATRON_KEYS,
    conformer_heads: ["n_heads"],
    conformer_layers: ["n_layers"],
    conformer_width: ["d_model"],
    table_rows: ["max_sequence_length"],
  },
  defaults: {
    position_embedding_type: "learned_absolute",
    rope_theta: 10_000,
    partial_rotary_factor: 1,
    num_buckets: 32,
    max_distance: 128,
    low_freq_factor: 1,
    high_freq_factor: 4,
    self_attention_model: "rel_pos",
    conformer_heads: 4,
    pos_emb_max_len: 5000,
    learn_positional_encodings: false,
    table_rows: 512,
  },
  readModel: (model) => {
    if (isConformer(model.section)) return readConformer(model);
    return model.where === "decoder" && model.section.has("max_sequence_length")
      ? readSpeechDecoder(model)
      : readMegatron(model);
  },
};

function findModels(root: Section): readonly ModelPlace[] | undefined {
  const model = root.section("model") ?? root;
  const speech = findSpeechModels(model);
  if (speech.length > 0) return speech;
  const isNemo = root.has("exp_manager") || root.has("trainer") || hasNemoTarget(model) || isNemoMegatron(model);
  if (!isNemo) return undefined;
  // Griffin's own code decides which layers attend.
  if (/griffin/.test(root.string("name") ?? "")) return [];
  const sides = [
    megatronPlace(model.section("encoder"), "encoder"),
    megatronPlace(model.section("decoder"), "decoder"),
  ];
  const places = sides.filter((place) => place !== undefined);
  if (places.length > 0) return places;
  const own = megatronPlace(model);
  return own === undefined ? undefined : [own];
}

/** Names that NeMo gives to Megatron's arguments. */
function isNemoMegatron(model: Section): boolean {
  return ["encoder_seq_length", "rotary_percentage", "mcore_gpt", "megatron_amp_O2"].some((key) => model.has(key));
}

function hasNemoTarget(section: Section): boolean {
  return ["_target_", "target"].some((key) => section.string(key)?.startsWith("nemo.") === true);
}

const CONFORMER = /(?:ConformerEncoder|SqueezeformerEncoder|ConformerMultiLayerFeatureExtractor)$/;

function isConformer(section: Section): boolean {
  return CONFORMER.test(section.string("_target_") ?? section.string("cls") ?? "");
}

function findSpeechModels(model: Section): ModelPlace[] {
  const encoder = [model.section("encoder.encoder"), model.section("encoder")].find(
    (section) => section !== undefined && isConformer(section),
  );
  const decoder = model.section("transf_decoder.config_dict") ?? model.section("transf_decoder");
  const isDecoder =
    decoder !== undefined && ["num_attention_heads", "max_sequence_length"].some((key) => decoder.has(key));
  return [
    ...(encoder === undefined ? [] : [{ section: encoder, where: "encoder" }]),
    ...(isDecoder && (encoder !== undefined || hasNemoTarget(decoder)) ? [{ section: decoder, where: "decoder" }] : []),
  ];
}

function readConformer(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes();
  const heads = model.number("conformer_heads");
  const width = model.number("conformer_width");
  builder.set("num_heads", heads).set("num_kv_heads", heads).set("num_layers", model.number("conformer_layers"));
  if (heads !== undefined && width !== undefined && heads.value > 0)
    builder.derive("head_dim", Math.floor(width.value / heads.value));
  switch (model.text("self_attention_model")) {
    case "rel_pos":
    case "rel_pos_local_attn":
      builder.set("max_position_embeddings", model.number("pos_emb_max_len"));
      return [model.build(builder.set("xscaling", model.get("xscaling")), "transformer_xl")];
    case "abs_pos":
      builder.set("max_position_embeddings", model.number("pos_emb_max_len")).set("base", defaultValue(10_000));
      return [model.sinusoidal({}, builder)];
    default:
      model.reportUnknown("self_attention_model");
      return [];
  }
}

/** The Transformer that writes the text of a speech model. */
function readSpeechDecoder(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes().set("max_position_embeddings", model.number("table_rows"));
  if (model.flag("learn_positional_encodings")) return [model.learned(builder)];
  return [model.sinusoidal({}, builder.set("base", defaultValue(10_000)))];
}

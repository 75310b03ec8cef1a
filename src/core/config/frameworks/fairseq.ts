import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import architectures from "./data/fairseqArchitectures.json" with { type: "json" };
import { type Framework, hasAll, hasAny, type ModelPlace } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";

/** What is known of an architecture by its name. */
interface Architecture {
  readonly pattern: RegExp;
  readonly kind: string;
  /** Its position table is trained unless the file says otherwise. */
  readonly learned: boolean;
}

const ARCHITECTURES: readonly Architecture[] = architectures.map(({ pattern, kind, learned }) => ({
  pattern: new RegExp(pattern),
  kind,
  learned: learned ?? false,
}));

function findArchitecture(name: string): Architecture | undefined {
  return ARCHITECTURES.find(({ pattern }) => pattern.test(name));
}

/** fairseq's Hydra files, and the `cfg` of its checkpoints. */
export const fairseq: Framework = {
  format: "fairseq-yaml",
  reference:
    "facebookresearch/fairseq: fairseq/models/transformer/transformer_config.py, fairseq/models/transformer_lm.py, fairseq/models/wav2vec/wav2vec2.py, fairseq/models/hubert/hubert.py, fairseq/modules/sinusoidal_positional_embedding.py",
  signs: ["_name", "decoder_learned_pos", "encoder_learned_pos", "no_token_positional_embeddings"],
  findModels,
  keys: {
    name: ["_name", "arch"],
    num_heads: [
      "decoder_attention_heads",
      "encoder_attention_heads",
      "decoder.attention_heads",
      "encoder.attention_heads",
    ],
    num_layers: ["decoder_layers", "encoder_layers", "decoder.layers", "encoder.layers"],
    hidden_size: ["decoder_embed_dim", "encoder_embed_dim", "decoder.embed_dim", "encoder.embed_dim"],
    speech_heads: ["encoder_attention_heads"],
    speech_layers: ["encoder_layers"],
    speech_width: ["encoder_embed_dim"],
    decoder_learned_pos: ["decoder_learned_pos", "decoder.learned_pos"],
    encoder_learned_pos: ["encoder_learned_pos", "encoder.learned_pos"],
    decoder_rows: [
      "max_target_positions",
      "^task.max_target_positions",
      "tokens_per_sample",
      "^task.tokens_per_sample",
    ],
    encoder_rows: ["max_source_positions", "^task.max_source_positions"],
    masked_rows: ["max_positions", "^task.tokens_per_sample"],
  },
  defaults: {
    conv_pos: 128,
    conv_pos_groups: 16,
    speech_heads: 12,
    speech_layers: 12,
    speech_width: 768,
    pos_enc_type: "abs",
    layer_type: "transformer",
    no_token_positional_embeddings: false,
    decoder_rows: 1024,
    encoder_rows: 1024,
    masked_rows: 512,
  },
  readModel: readFairseq,
};

function findModels(root: Section): readonly ModelPlace[] | undefined {
  const model = root.section("model") ?? root.section("cfg.model") ?? root;
  if (hasAny(model, "model_type", "architectures", "_target_")) return undefined;
  if (hasAll(model, "decoder_learned_pos", "decoder_attention_heads") && !hasAny(model, "encoder_layers"))
    return [{ section: model, where: "text" }];
  const name = model.string("_name") ?? model.string("arch") ?? "";
  const isFairseq = model.has("_name") || hasAny(root, "criterion", "task");
  if (!isFairseq || name === "") return undefined;
  const inner = model.section("transformer");
  switch (findArchitecture(name)?.kind) {
    case "speech":
      return [{ section: model, where: "audio" }];
    case "language":
    case "masked":
      return [{ section: model }];
    case "nested":
      return inner === undefined ? [] : [{ section: inner, where: "encoder" }];
    case "translation":
      return [
        { section: model, where: "encoder" },
        { section: model, where: "decoder" },
      ];
    default:
      return model.has("_name") && root.has("task") ? [] : undefined;
  }
}

function readFairseq(model: FrameworkModel): readonly EncodingSpec[] {
  const architecture = findArchitecture(model.text("name") ?? "");
  if (model.where === "audio") return readSpeech(model);
  if (model.flag("no_token_positional_embeddings")) return [model.none()];
  const builder = model.sizes();
  const isMasked = architecture?.kind === "masked";
  const side = model.where === "encoder" || isMasked ? "encoder" : "decoder";
  const rows = model.number(isMasked ? "masked_rows" : `${side}_rows`);
  builder.set("max_position_embeddings", rows);
  const isWritten = model.isWritten(`${side}_learned_pos`);
  const learned = isWritten ? model.flag(`${side}_learned_pos`) : architecture?.learned === true;
  if (learned) return [model.learned(builder)];
  builder.set("base", defaultValue(10_000)).derive("padding_idx", 1);
  return [model.sinusoidal({ layout: "concat", frequency: "tensor2tensor" }, builder)];
}

/** wav2vec 2.0 and HuBERT convolve the features; Conformer layers have positions of their own. */
function readSpeech(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes();
  const heads = model.number("speech_heads");
  const width = model.number("speech_width");
  builder.set("num_heads", heads).set("num_kv_heads", heads).set("num_layers", model.number("speech_layers"));
  if (heads !== undefined && width !== undefined && heads.value > 0)
    builder.derive("head_dim", Math.floor(width.value / heads.value));
  if (model.text("layer_type") === "conformer") {
    const type = model.text("pos_enc_type");
    if (type === "rel_pos") return [model.build(builder, "transformer_xl")];
    if (type === "rope") return [model.rope(builder.set("rope_theta", defaultValue(10_000)), "half")];
  }
  builder.set("num_conv_pos_embeddings", model.number("conv_pos"));
  return [model.build(builder.set("num_conv_pos_embedding_groups", model.number("conv_pos_groups")), "conv")];
}

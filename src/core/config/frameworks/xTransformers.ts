import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { type Framework, hasAny, type ModelPlace } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";

const OWN_KEYS = [
  ...["rotary_pos_emb", "rotary_xpos", "alibi_pos_bias", "rel_pos_bias", "dynamic_pos_bias", "rotary_emb_dim"],
  ...["attn_qk_norm", "attn_flash", "ff_glu", "polar_pos_emb", "attn_dim_head"],
];

/** Files with the keyword arguments of x-transformers' `TransformerWrapper` and `AttentionLayers`. */
export const xTransformers: Framework = {
  format: "x-transformers",
  reference:
    "lucidrains/x-transformers: x_transformers/x_transformers.py (AttentionLayers, TransformerWrapper, RotaryEmbedding)",
  signs: OWN_KEYS,
  findModels,
  keys: {
    num_heads: ["heads"],
    num_kv_heads: ["attn_kv_heads", "kv_heads"],
    num_layers: ["depth"],
    head_dim: ["attn_dim_head", "dim_head"],
    hidden_size: [],
    max_position_embeddings: ["max_seq_len", "^max_seq_len", "^model.max_seq_len"],
    factor: ["rotary_interpolation_factor"],
    num_buckets: ["rel_pos_num_buckets"],
    max_distance: ["rel_pos_max_distance"],
    scale_base: ["rotary_xpos_scale_base"],
    rotary_dim: ["rotary_emb_dim"],
    use_abs_pos_emb: ["use_abs_pos_emb", "^use_abs_pos_emb"],
  },
  defaults: {
    num_heads: 8,
    head_dim: 64,
    rope_theta: 10_000,
    factor: 1,
    num_buckets: 32,
    max_distance: 128,
    scale_base: 512,
    use_abs_pos_emb: true,
  },
  readModel: readXTransformers,
};

/** Names of the dictionary of layers; the whole file may be one. */
const LAYERS = ["attn_layers", "decoder", "encoder", "transformer", "model.attn_layers", "model"];

function findModels(root: Section): readonly ModelPlace[] | undefined {
  const isLayers = (section: Section | undefined): boolean =>
    hasAny(section, "depth") && hasAny(section, ...OWN_KEYS) && !hasAny(section, "model_type", "architectures");
  if (isLayers(root)) return [{ section: root }];
  const found = LAYERS.flatMap((name) => {
    const section = root.section(name);
    return section !== undefined && isLayers(section)
      ? [{ section, where: name === "encoder" || name === "decoder" ? name : "text" }]
      : [];
  });
  return found.length === 0 ? undefined : found;
}

function readXTransformers(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes();
  if (model.flag("rotary_xpos"))
    return [model.build(setRotary(model, builder).set("scale_base", model.number("scale_base")), "xpos")];
  if (model.flag("rotary_pos_emb")) return [model.build(setRotary(model, builder), "rope")];
  if (model.flag("polar_pos_emb") || model.flag("dynamic_pos_bias")) return [];
  const table = model.flag("use_abs_pos_emb") && !model.flag("disable_abs_pos_emb") && !model.flag("rel_pos_bias");
  const bias = model.flag("alibi_pos_bias") ? [model.alibi(builder.copy())] : [];
  const buckets = model.flag("rel_pos_bias") ? [model.t5Bias(model.where === "encoder", builder.copy())] : [];
  const found = [...bias, ...buckets, ...(table ? [model.learned(builder)] : [])];
  return found.length > 0 ? found : [model.none()];
}

/** Half of each head rotates unless `rotary_emb_dim` says otherwise; pairs are interleaved. */
function setRotary(model: FrameworkModel, builder: ReturnType<FrameworkModel["sizes"]>): typeof builder {
  model.setLinear(builder);
  model.setRotation(builder, "interleaved");
  const head = builder.get("head_dim");
  if (model.number("rotary_dim") === undefined && typeof head === "number")
    builder.set("rotary_dim", defaultValue(Math.floor(head / 2))).set("partial_rotary_factor", defaultValue(0.5));
  return builder;
}

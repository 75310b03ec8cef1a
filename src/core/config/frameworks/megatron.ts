import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { type Framework, hasAll, hasAny, type ModelPlace } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";
import { findNopeLayers } from "./nopeLayers.ts";

/** Keys as attributes, as options, and as options with their dashes. */
export function optionSpellings(key: string): readonly string[] {
  const option = key.replaceAll("_", "-");
  return key === option ? [key, `--${key}`] : [key, option, `--${option}`];
}

/** Parameters that Megatron-LM and the frameworks on top of it share. */
export const MEGATRON_KEYS: Framework["keys"] = {
  num_heads: ["num_attention_heads", "language_model.num_attention_heads"],
  num_kv_heads: ["num_query_groups", "language_model.num_query_groups"],
  num_layers: ["num_layers", "encoder_num_layers", "language_model.num_layers"],
  hidden_size: ["hidden_size", "language_model.hidden_size"],
  head_dim: ["kv_channels", "language_model.kv_channels"],
  max_position_embeddings: ["max_position_embeddings", "encoder_seq_length", "seq_length"],
  sliding_window: ["window_size"],
  rope_theta: ["rotary_base", "rotary_emb_base"],
  partial_rotary_factor: ["rotary_percent", "rotary_percentage"],
  interpolation: ["rotary_seq_len_interpolation_factor", "seq_len_interpolation_factor"],
  num_buckets: ["relative_attention_num_buckets"],
  max_distance: ["relative_attention_max_distance"],
};

/** Defaults of Megatron-LM's own arguments. */
const MEGATRON_DEFAULTS: Framework["defaults"] = {
  position_embedding_type: "learned_absolute",
  rope_theta: 10_000,
  partial_rotary_factor: 1,
  num_buckets: 32,
  max_distance: 128,
  low_freq_factor: 1,
  high_freq_factor: 4,
  qk_pos_emb_head_dim: 64,
};

/** Megatron-LM's arguments: YAML, the `args` of a checkpoint as JSON, or options of a command line. */
export const megatron: Framework = {
  format: "megatron-yaml",
  reference:
    "NVIDIA/Megatron-LM: megatron/training/arguments.py, megatron/core/models/common/embeddings/rotary_pos_embedding.py, megatron/core/transformer/transformer_config.py (MLATransformerConfig)",
  signs: [
    ...["position_embedding_type", "position-embedding-type", "rotary_base", "rotary-base", "rotary_percent"],
    ...["rotary-percent", "use_rotary_position_embeddings", "use-rotary-position-embeddings", "untie-embeddings"],
    ...["tensor_model_parallel_size", "tensor-model-parallel-size", "num-layers"],
  ],
  spellings: optionSpellings,
  findModels: (root) => {
    const place = megatronPlace(findMegatron(root));
    return place === undefined ? undefined : [place];
  },
  keys: MEGATRON_KEYS,
  defaults: MEGATRON_DEFAULTS,
  readModel: readMegatron,
};

/** Levels below the root at which a file may have its arguments, and dictionaries that are looked at. */
const MAX_LEVELS = 3;
const MAX_SECTIONS = 300;

/** The arguments nearest to the root. */
function findMegatron(root: Section): Section | undefined {
  let level: readonly Section[] = [root];
  let left = MAX_SECTIONS;
  for (let depth = 0; depth <= MAX_LEVELS; depth++) {
    const found = level.find(isMegatron);
    if (found !== undefined) return found;
    const inner: Section[] = [];
    for (const section of level.filter((one) => !hasAny(one, "model_type", "architectures", "_target_")))
      for (const child of childSections(section)) if (left-- > 0) inner.push(child);
    level = inner;
  }
  return undefined;
}

function childSections(section: Section): readonly Section[] {
  return section
    .keys()
    .slice(0, MAX_SECTIONS)
    .flatMap((key) => section.section(key) ?? []);
}

const POSITION_TYPES: ReadonlySet<string> = new Set([
  ...["learned_absolute", "rope", "mrope", "yarn", "relative", "none"],
  ...["alibi", "kerple", "xpos", "sandwich"],
]);

/** Keys of Megatron-LM's parallelism and layers, which no model configuration of another maker has. */
const OWN_KEYS = [
  ...["tensor_model_parallel_size", "pipeline_model_parallel_size", "untie_embeddings_and_output_weights"],
  ...["use_rotary_position_embeddings", "rotary_percent", "rotary_percentage", "use_rope_scaling", "use_mcore_models"],
  ...["apply_rope_fusion", "no_rope_fusion", "add_position_embedding", "make_vocab_size_divisible_by", "rotary_base"],
];

function isMegatron(section: Section): boolean {
  const has = (...keys: string[]) => hasAny(section, ...keys.flatMap(optionSpellings));
  if (hasAny(section, "model_type", "architectures", "_class_name") && !has("tensor_model_parallel_size")) return false;
  const heads = has("num_attention_heads") || hasAll(section.section("language_model"), "num_attention_heads");
  const isModel = heads || has("num_layers", "hidden_size");
  const types = optionSpellings("position_embedding_type").map((key) => section.string(key) ?? "");
  return isModel && (types.some((type) => POSITION_TYPES.has(type)) || has(...OWN_KEYS));
}

function readMegatron(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes();
  if (model.isWritten("group_query_attention") && !model.flag("group_query_attention"))
    builder.derive("num_kv_heads", builder.get("num_heads"));
  setWindow(model, builder);
  if (model.flag("multi_latent_attention")) return [readLatentAttention(model)];
  const written = model.flag("use_rotary_position_embeddings") ? "rope" : model.text("position_embedding_type");
  switch (written) {
    case "rope":
    case "mrope":
    case "yarn":
      return readRope(model, builder, written);
    case "learned_absolute":
    case "learned_parameters":
      return [model.learned(builder)];
    case "relative":
      return [model.t5Bias(model.where === "encoder", builder)];
    case "alibi":
      return [model.alibi(builder)];
    case "kerple":
    case "sandwich":
    case "xpos":
      return [model.build(builder, written)];
    case "none":
      return [model.none()];
    default:
      model.reportUnknown("position_embedding_type");
      return [];
  }
}

export { readMegatron };

/** `window_size: [left, right]`; the token itself is seen beside the `left` before it. */
function setWindow(model: FrameworkModel, builder: ReturnType<FrameworkModel["sizes"]>): void {
  const [left] = model.numbers("sliding_window")?.value ?? [];
  if (left !== undefined && left > 0) builder.derive("sliding_window", left + 1);
}

function readRope(
  model: FrameworkModel,
  builder: ReturnType<FrameworkModel["sizes"]>,
  type: "rope" | "mrope" | "yarn",
): readonly EncodingSpec[] {
  if (type === "yarn") setYarn(model, builder);
  else if (model.flag("use_rope_scaling") || model.flag("scale_positional_embedding")) setLlama3(model, builder);
  else model.setLinear(builder, model.number("interpolation"));
  model.setRotation(builder, model.flag("rotary_interleaved") ? "interleaved" : "half");
  if (type === "mrope") return [model.build(builder.set("mrope_section", model.numbers("mrope_section")), "mrope")];
  const without = findNopeLayers(model.get("no_rope_freq")?.value, builder.get("num_layers"), 1);
  if (without.length === 0) return [model.build(builder, "rope")];
  const count = Number(builder.get("num_layers"));
  const rotated = Array.from({ length: count }, (_, layer) => layer).filter((layer) => !without.includes(layer));
  const rope = rotated.length === 0 ? [] : [model.build(builder, "rope", rotated)];
  return [...rope, model.none(without)];
}

/** Llama 3's constants; only the factor is an argument. */
function setLlama3(model: FrameworkModel, builder: ReturnType<FrameworkModel["sizes"]>): void {
  builder.derive("rope_type", "llama3").set("factor", model.number("rope_scaling_factor") ?? defaultValue(8));
  builder
    .set("low_freq_factor", model.number("low_freq_factor"))
    .set("high_freq_factor", model.number("high_freq_factor"));
  builder.set("original_max_position_embeddings", defaultValue(8192));
}

/** Values of `--position-embedding-type yarn`; each falls back to the shorter name of latent attention. */
function setYarn(model: FrameworkModel, builder: ReturnType<FrameworkModel["sizes"]>): void {
  const first = (...params: string[]) =>
    params.map((param) => model.number(param)).find((value) => value !== undefined);
  builder.derive("rope_type", "yarn").set("factor", first("yarn_rotary_scaling_factor", "rotary_scaling_factor"));
  const original = first("yarn_original_max_position_embeddings", "original_max_position_embeddings");
  builder.set("original_max_position_embeddings", original);
  builder.set("beta_fast", first("yarn_beta_fast", "beta_fast") ?? defaultValue(32));
  builder.set("beta_slow", first("yarn_beta_slow", "beta_slow") ?? defaultValue(1));
  builder.set("mscale", first("yarn_mscale", "mscale"));
  builder.set("mscale_all_dim", first("yarn_mscale_all_dim", "mscale_all_dim"));
}

/** Latent attention rotates its own part of each head, with YaRN unless `rope_type` says otherwise. */
function readLatentAttention(model: FrameworkModel): EncodingSpec {
  const builder = model.sizes();
  builder.set("head_dim", model.number("qk_pos_emb_head_dim"));
  if (model.text("rope_type") !== "rope") {
    setYarn(model, builder);
    if (builder.get("factor") === null) builder.set("factor", defaultValue(1));
    if (builder.get("original_max_position_embeddings") === null)
      builder.set("original_max_position_embeddings", defaultValue(4096));
    if (builder.get("mscale") === null) builder.set("mscale", defaultValue(1));
    if (builder.get("mscale_all_dim") === null) builder.set("mscale_all_dim", defaultValue(0));
  }
  return model.rope(builder, model.flag("rotary_interleaved") ? "interleaved" : "half");
}

/** Places of the same arguments, for frameworks on top of Megatron-LM. */
export function megatronPlace(section: Section | undefined, where?: string): ModelPlace | undefined {
  if (section === undefined || !isMegatron(section)) return undefined;
  return { section, isComplete: namesItsPositions(section), ...(where === undefined ? {} : { where }) };
}

/**
 * Not so: a file that extends another one (Primus), or has keys of RoPE without the one that turns it on, which something
 * outside of the file may do.
 */
function namesItsPositions(section: Section): boolean {
  const has = (...keys: string[]) => hasAny(section, ...keys.flatMap(optionSpellings));
  if (section.has("extends")) return false;
  if (has("position_embedding_type", "use_rotary_position_embeddings", "multi_latent_attention")) return true;
  return !has("rotary_base", "rotary_percent", "rotary_percentage", "use_rope_scaling");
}

import { findModelType } from "./huggingface/modelTypes.ts";
import { findSubModels } from "./huggingface/subModels.ts";
import { findUnnamedType } from "./huggingface/unnamedTypes.ts";
import type { Section } from "./text/section.ts";
import { isDiffusionModel } from "./vendors/diffusersClasses.ts";

/** Formats of JSON configurations; values of the command line's `format`. */
export type JsonFormat =
  | "hf-config"
  | "meta-params"
  | "mistral-params"
  | "openai-params"
  | "original-bert"
  | "deepseek-inference"
  | "diffusers-config"
  | "open-clip-config"
  | "timm-config"
  | "tencentpretrain-config"
  | "mesh-transformer-config"
  | "stable-audio-config"
  | "unknown";

function hasAll(section: Section, ...keys: string[]): boolean {
  return keys.every((key) => section.has(key));
}

function hasAny(section: Section, ...keys: string[]): boolean {
  return keys.some((key) => section.has(key));
}

/** Recognises the format by keys that only it has; file names do not tell. */
export function recogniseFormat(section: Section): JsonFormat {
  const isNamed = hasAny(section, "model_type", "architectures");
  const isLibraryType = findModelType(section.string("model_type") ?? "") !== undefined;
  // Wan's own files have a `model_type` for the task.
  if (section.has("_class_name") && !isLibraryType && !section.has("architectures"))
    return isDiffusionModel(section) ? "diffusers-config" : "unknown";
  if (!isNamed && hasAny(section, "tokenizer_class", "added_tokens_decoder", "weight_map")) return "unknown";
  if (isLibraryType) return "hf-config";
  if (section.string("architecture") !== undefined && section.has("pretrained_cfg")) return "timm-config";
  if (isStableAudio(section)) return "stable-audio-config";
  if (isNamed && !isParamsJson(section)) return huggingFaceOrUnknown(section);
  return recogniseUnnamed(section);
}

/** Other makers' files, and early ones that do not have a `model_type`. */
function recogniseUnnamed(section: Section): JsonFormat {
  if (hasAny(section, "initial_context_length", "rope_ntk_alpha")) return "openai-params";
  if (findUnnamedType(section) !== undefined) return "hf-config";
  if (isParamsJson(section)) return recogniseParamsJson(section);
  if (hasAll(section, "d_model", "n_layer", "n_head") && hasAny(section, "d_head", "untie_r")) return "original-bert";
  if (hasAll(section, "d_model", "layers", "n_heads", "pe")) return "mesh-transformer-config";
  if (isTencentPretrain(section)) return "tencentpretrain-config";
  if (isOpenClip(section)) return "open-clip-config";
  if (section.has("transformers_version")) return huggingFaceOrUnknown(section);
  if (hasAll(section, "hidden_size", "num_attention_heads")) return recogniseBert(section);
  return hasAny(section, "rope_theta", "rope_scaling", "rope_parameters", "text_config", "vision_config") ||
    containsKnownModel(section)
    ? "hf-config"
    : "unknown";
}

/** Of the releases of Meta, Mistral and DeepSeek. */
const PARAMS_KEYS = [
  "norm_eps",
  "n_kv_heads",
  "multiple_of",
  "ffn_dim_multiplier",
  "rope_theta",
  "inter_dim",
  "n_routed_experts",
];

/** Heads, layers and width alone do not make a `params.json`: other makers have the same names. */
function isParamsJson(section: Section): boolean {
  return hasAll(section, "dim", "n_layers", "n_heads") && PARAMS_KEYS.some((key) => section.has(key));
}

function recogniseParamsJson(section: Section): JsonFormat {
  if (hasAny(section, "inter_dim", "moe_inter_dim", "n_routed_experts")) return "deepseek-inference";
  if (hasAny(section, "multiple_of", "ffn_dim_multiplier", "use_scaled_rope", "nope_layer_interval"))
    return "meta-params";
  return hasAny(section, "hidden_dim", "head_dim", "yarn", "vision_encoder", "moe") ? "mistral-params" : "meta-params";
}

/** Segment embeddings are BERT's; keys of rotation are of later models. */
function recogniseBert(section: Section): JsonFormat {
  const rotary = hasAny(section, "rope_theta", "rope_scaling", "rope_parameters", "rms_norm_eps");
  return section.has("type_vocab_size") && !rotary ? "original-bert" : "hf-config";
}

function isTencentPretrain(section: Section): boolean {
  const hasSizes = (stack: Section | undefined) => stack?.has("emb_size") === true && stack.has("layers_num");
  return hasSizes(section) || hasSizes(section.section("stream_0"));
}

function isOpenClip(section: Section): boolean {
  const inner = section.section("model_cfg") ?? section;
  return (
    inner.has("embed_dim") &&
    [inner.section("vision_cfg"), inner.section("text_cfg"), inner.section("genlap_cfg")].some(
      (found) => found !== undefined,
    )
  );
}

function isStableAudio(section: Section): boolean {
  return section.section("model.diffusion") !== undefined && hasAny(section, "sample_rate", "sample_size");
}

/** A pair of models in one file, such as generator and discriminator. */
function containsKnownModel(section: Section): boolean {
  return findSubModels(section).some(({ key }) => {
    const inner = section.section(key);
    return findModelType(inner?.string("model_type") ?? "") !== undefined || findUnnamedType(inner) !== undefined;
  });
}

/** A generation config also has `transformers_version`; only a model's has sizes. */
function huggingFaceOrUnknown(section: Section): JsonFormat {
  if (hasAny(section, "model_type", "architectures")) return "hf-config";
  return hasAny(section, "hidden_size", "num_attention_heads", "n_embd", "d_model", "num_hidden_layers", "text_config")
    ? "hf-config"
    : "unknown";
}

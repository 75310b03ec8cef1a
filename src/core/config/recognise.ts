import { findModelType } from "./huggingface/modelTypes.ts";
import type { Section } from "./text/section.ts";

/** Formats of JSON configurations; values of the command line's `format`. */
export type JsonFormat =
  | "hf-config"
  | "meta-params"
  | "mistral-params"
  | "openai-params"
  | "original-bert"
  | "deepseek-inference"
  | "unknown";

function hasAll(section: Section, ...keys: string[]): boolean {
  return keys.every((key) => section.has(key));
}

function hasAny(section: Section, ...keys: string[]): boolean {
  return keys.some((key) => section.has(key));
}

/** Recognises the format by the object's keys; file names do not tell. */
export function recogniseFormat(section: Section): JsonFormat {
  if (
    hasAny(section, "_class_name", "tokenizer_class", "added_tokens_decoder", "weight_map") &&
    !section.has("model_type") &&
    !section.has("architectures")
  )
    return "unknown";
  const isNamed = hasAny(section, "model_type", "architectures");
  // DistilBERT has the same keys as Meta's and Mistral's files.
  if (findModelType(section.string("model_type") ?? "") !== undefined) return "hf-config";
  if (!isNamed && hasAny(section, "initial_context_length", "rope_ntk_alpha")) return "openai-params";
  if (hasAny(section, "model_type", "architectures") && !hasAll(section, "dim", "n_layers"))
    return huggingFaceOrUnknown(section);
  if (hasAll(section, "dim", "n_layers", "n_heads")) return recogniseParamsJson(section);
  if (hasAll(section, "d_model", "n_layer", "n_head") && hasAny(section, "d_head", "untie_r")) return "original-bert";
  if (section.has("transformers_version")) return huggingFaceOrUnknown(section);
  if (hasAll(section, "hidden_size", "num_attention_heads")) {
    const rotary = hasAny(section, "rope_theta", "rope_scaling", "rope_parameters", "rms_norm_eps");
    return hasAny(section, "max_position_embeddings", "type_vocab_size") && !rotary ? "original-bert" : "hf-config";
  }
  return hasAny(section, "rope_theta", "rope_scaling", "rope_parameters", "text_config", "vision_config")
    ? "hf-config"
    : "unknown";
}

/** A generation config also has `transformers_version`; only a model's has sizes. */
function huggingFaceOrUnknown(section: Section): JsonFormat {
  if (hasAny(section, "model_type", "architectures")) return "hf-config";
  return hasAny(section, "hidden_size", "num_attention_heads", "n_embd", "d_model", "num_hidden_layers", "text_config")
    ? "hf-config"
    : "unknown";
}

function recogniseParamsJson(section: Section): JsonFormat {
  if (hasAny(section, "inter_dim", "moe_inter_dim", "n_routed_experts")) return "deepseek-inference";
  if (hasAny(section, "multiple_of", "ffn_dim_multiplier", "use_scaled_rope", "nope_layer_interval"))
    return "meta-params";
  return hasAny(section, "hidden_dim", "head_dim", "yarn", "vision_encoder", "moe") ? "mistral-params" : "meta-params";
}

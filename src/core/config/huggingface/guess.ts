import { isRecord } from "../../util/isRecord.ts";
import { ownValue } from "../../util/ownValue.ts";
import type { Section } from "../text/section.ts";
import type { ModelType, StackType } from "./modelTypes.ts";

/** Keys that only models with RoPE have. */
const ROTARY_KEYS = [
  "rope_theta",
  "rope_scaling",
  "rope_parameters",
  "rotary_emb_base",
  "rotary_pct",
  "rotary_dim",
  "partial_rotary_factor",
  "rope_ratio",
  "rope_base",
  "rope_embedding_base",
  "qk_rope_head_dim",
];

/** Keys of sub-configs and their stacks' names; other stacks are named by their key. */
const SUB_CONFIGS: Readonly<Record<string, string>> = {
  text_config: "text",
  llm_config: "text",
  language_config: "text",
  vision_config: "vision",
  audio_config: "audio",
  encoder: "encoder",
  decoder: "decoder",
};

/** Published models have at most five. */
const MAX_SUB_CONFIGS = 32;

/** Guesses an unknown model type from the keys of its configuration. */
export function guessModelType(section: Section | undefined): ModelType {
  const sub = guessSubStacks(section);
  const own = guessOwnStack(section);
  if (own === undefined && sub.length > 0) return { unverified: true, stacks: sub };
  const keys = {
    attributeMap: { num_hidden_layers: firstKey(section, ["num_hidden_layers", "n_layer", "n_layers", "num_layers"]) },
  };
  return {
    unverified: true,
    honoursPartialFactor: true,
    stacks: [...(own === undefined ? [] : [own]), ...sub],
    ...keys,
  };
}

function firstKey(section: Section | undefined, names: readonly string[]): string {
  return names.find((name) => section?.has(name) === true) ?? names[0] ?? "";
}

function guessSubStacks(section: Section | undefined): StackType[] {
  const keys = (section?.keys() ?? []).filter((key) => {
    const looks = ownValue(SUB_CONFIGS, key) !== undefined || key.endsWith("_config");
    const inner = looks ? section?.section(key) : undefined;
    return (
      inner?.has("model_type") === true ||
      inner?.has("hidden_size") === true ||
      inner?.has("num_attention_heads") === true
    );
  });
  return keys
    .slice(0, MAX_SUB_CONFIGS)
    .map((key) => ({ where: ownValue(SUB_CONFIGS, key) ?? key, key, reference: "*" }));
}

function guessOwnStack(section: Section | undefined): StackType | undefined {
  if (section === undefined) return undefined;
  const written = section.string("position_embedding_type") ?? section.string("position_embeddings_type");
  if (usesAlibi(section, written)) return { where: "text", encoding: "alibi" };
  if (section.has("relative_attention_num_buckets")) return t5BiasStack(section);
  if (section.get("relative_attention")?.value === true)
    return { where: "text", encoding: "deberta", parameterKeys: { position_buckets: "position_buckets" } };
  if (section.has("untie_r") || (section.has("mem_len") && section.has("d_head")))
    return { where: "text", encoding: "transformer_xl" };
  if (written === "rope" || written === "rotary" || ROTARY_KEYS.some((key) => section.has(key)))
    return rotaryStack(section);
  if (section.has("image_size") && section.has("patch_size"))
    return { where: "vision", encoding: "learned_absolute", patchGridExtraRows: 1 };
  if (section.has("type_vocab_size") || section.has("n_positions")) return learnedTableStack(section);
  if (section.has("rms_norm_eps") && section.has("max_position_embeddings")) return rotaryStack(section);
  return section.has("max_position_embeddings") ? learnedTableStack(section) : undefined;
}

function usesAlibi(section: Section, written: string | undefined): boolean {
  const attention = section.get("attn_config")?.value;
  const nested = isRecord(attention) && attention.alibi === true;
  return (
    written === "alibi" || section.get("alibi")?.value === true || section.get("use_alibi")?.value === true || nested
  );
}

function t5BiasStack(section: Section): StackType {
  const both = section.get("is_encoder_decoder")?.value === true;
  return {
    where: both ? "encoder+decoder" : "text",
    encoding: "t5_bias",
    parameterKeys: { num_buckets: "relative_attention_num_buckets", max_distance: "relative_attention_max_distance" },
  };
}

function rotaryStack(section: Section): StackType {
  const base = ["rotary_emb_base", "rope_base", "rope_embedding_base"].find((key) => section.has(key));
  const parameterKeys: Record<string, string> = {};
  if (base !== undefined) parameterKeys.rope_theta = base;
  if (section.has("qk_rope_head_dim")) parameterKeys.rotary_dim = "qk_rope_head_dim";
  else if (section.has("rotary_dim")) parameterKeys.rotary_dim = "rotary_dim";
  return { where: "text", encoding: "rope", parameterKeys };
}

function learnedTableStack(section: Section): StackType {
  const key = firstKey(section, ["max_position_embeddings", "n_positions"]);
  return { where: "text", encoding: "learned_absolute", parameterKeys: { max_position_embeddings: key } };
}

import { isRecord } from "../../util/isRecord.ts";
import { ownValue } from "../../util/ownValue.ts";
import type { Section } from "../text/section.ts";
import type { ModelType, StackType } from "./modelTypes.ts";

/** Keys that only models with rotary encoding have. */
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

/** Names of sub-configs, and what we call the stack; others go by their key. */
const SUB_CONFIGS: Readonly<Record<string, string>> = {
  text_config: "text",
  llm_config: "text",
  language_config: "text",
  vision_config: "vision",
  audio_config: "audio",
  encoder: "encoder",
  decoder: "decoder",
};

/** What the keys of a configuration of an unknown model type say. */
export function guessType(section: Section | undefined): ModelType {
  const sub = subStacks(section);
  const own = ownStack(section);
  if (own === undefined && sub.length > 0) return { u: 1, e: sub };
  const keys = {
    m: { num_hidden_layers: firstKey(section, ["num_hidden_layers", "n_layer", "n_layers", "num_layers"]) },
  };
  return { u: 1, p: 1, e: [...(own === undefined ? [] : [own]), ...sub], ...keys };
}

function firstKey(section: Section | undefined, names: readonly string[]): string {
  return names.find((name) => section?.has(name) === true) ?? names[0] ?? "";
}

function subStacks(section: Section | undefined): StackType[] {
  const keys = (section?.keys() ?? []).filter((key) => {
    const looks = ownValue(SUB_CONFIGS, key) !== undefined || key.endsWith("_config");
    const inner = looks ? section?.section(key) : undefined;
    return (
      inner?.has("model_type") === true ||
      inner?.has("hidden_size") === true ||
      inner?.has("num_attention_heads") === true
    );
  });
  return keys.map((key) => ({ w: ownValue(SUB_CONFIGS, key) ?? key, k: key, r: "*" }));
}

function ownStack(section: Section | undefined): StackType | undefined {
  if (section === undefined) return undefined;
  const written = section.string("position_embedding_type") ?? section.string("position_embeddings_type");
  if (usesAlibi(section, written)) return { w: "text", i: "alibi" };
  if (section.has("relative_attention_num_buckets")) return biasStack(section);
  if (section.get("relative_attention")?.value === true)
    return { w: "text", i: "deberta", p: { buckets: "position_buckets" } };
  if (section.has("untie_r") || (section.has("mem_len") && section.has("d_head")))
    return { w: "text", i: "transformer_xl" };
  if (written === "rope" || written === "rotary" || ROTARY_KEYS.some((key) => section.has(key)))
    return rotaryStack(section);
  if (section.has("image_size") && section.has("patch_size"))
    return { w: "vision", i: "learned_absolute", p: { grid: 1 } };
  if (section.has("type_vocab_size") || section.has("n_positions")) return tableStack(section);
  if (section.has("rms_norm_eps") && section.has("max_position_embeddings")) return rotaryStack(section);
  return section.has("max_position_embeddings") ? tableStack(section) : undefined;
}

function usesAlibi(section: Section, written: string | undefined): boolean {
  const attention = section.get("attn_config")?.value;
  const nested = isRecord(attention) && attention.alibi === true;
  return (
    written === "alibi" || section.get("alibi")?.value === true || section.get("use_alibi")?.value === true || nested
  );
}

function biasStack(section: Section): StackType {
  const both = section.get("is_encoder_decoder")?.value === true;
  return {
    w: both ? "encoder+decoder" : "text",
    i: "t5_bias",
    p: { num_buckets: "relative_attention_num_buckets", max_distance: "relative_attention_max_distance" },
  };
}

function rotaryStack(section: Section): StackType {
  const base = ["rotary_emb_base", "rope_base", "rope_embedding_base"].find((key) => section.has(key));
  const params: Record<string, string | number> = {};
  if (base !== undefined) params.base = base;
  if (section.has("qk_rope_head_dim")) params.rope_dim = "qk_rope_head_dim";
  else if (section.has("rotary_dim")) params.rope_dim = "rotary_dim";
  return { w: "text", i: "rope", p: params };
}

function tableStack(section: Section): StackType {
  const key = firstKey(section, ["max_position_embeddings", "n_positions"]);
  return { w: "text", i: "learned_absolute", p: { max: key } };
}

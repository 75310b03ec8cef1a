import { isRecord } from "../../util/isRecord.ts";
import type { Section } from "../text/section.ts";
import type { ModelType, StackType } from "./modelTypes.ts";
import { findSubModels } from "./subModels.ts";

/** Keys that only models with RoPE have. */
const ROTARY_KEYS = [
  "rope_theta",
  "rope_scaling",
  "rope_parameters",
  "rotary_emb_base",
  "rotary_base",
  "rotary_pct",
  "rotary_percentage",
  "rope_pct",
  "rope_percentage",
  "rotary_dim",
  "partial_rotary_factor",
  "rope_ratio",
  "rope_base",
  "rope_freq_base",
  "rope_embedding_base",
];

/** Names for the base, the rotated fraction, the context, the layers and the window, in the order of preference. */
const THETA_KEYS = [
  "rope_theta",
  "rotary_emb_base",
  "rotary_base",
  "rope_base",
  "rope_freq_base",
  "rope_embedding_base",
];
const PARTIAL_KEYS = ["partial_rotary_factor", "rotary_pct", "rotary_percentage", "rope_pct", "rope_percentage"];
const LENGTH_KEYS = [
  "max_position_embeddings",
  "n_positions",
  "max_sequence_length",
  "max_seq_len",
  "max_seq_length",
  "seq_length",
  "seq_len",
  "n_ctx",
  "model_max_length",
];
const LAYER_KEYS = ["num_hidden_layers", "n_layer", "n_layers", "num_layers"];

/** Names of encodings as configs of unknown models write them. */
const WRITTEN_ENCODINGS: readonly (readonly [written: RegExp, encoding: "alibi" | "rope" | "none"])[] = [
  [/^alibi$/, "alibi"],
  [/^(?:rope|rotary|rotary_embedding)$/, "rope"],
  [/^(?:none|nope)$/, "none"],
];

/** Guesses an unknown model type from the keys of its configuration. Without a clue there are no stacks. */
export function guessModelType(section: Section | undefined): ModelType {
  const sub = findSubModels(section).map((found): StackType => ({ ...found, reference: "*" }));
  const own = guessOwnStack(section);
  return {
    unverified: true,
    honoursPartialFactor: true,
    partialFactorKey: firstKey(section, PARTIAL_KEYS),
    stacks: [...(own === undefined ? [] : [own]), ...sub],
    attributeMap: { num_hidden_layers: firstKey(section, LAYER_KEYS) },
  };
}

function firstKey(section: Section | undefined, names: readonly string[]): string {
  return names.find((name) => section?.has(name) === true) ?? names[0] ?? "";
}

/**
 * The encoding of the model itself, by keys that only models with it have. A length such as `max_position_embeddings`
 * is in configs of every encoding, and of models without one, and decides nothing.
 */
function guessOwnStack(section: Section | undefined): StackType | undefined {
  if (section === undefined) return undefined;
  const written = writtenEncoding(section);
  if (usesAlibi(section, written)) return { where: "text", encoding: "alibi" };
  if (section.has("relative_attention_num_buckets")) return t5BiasStack(section);
  if (section.get("relative_attention")?.value === true)
    return { where: "text", encoding: "deberta", parameterKeys: { position_buckets: "position_buckets" } };
  if (section.has("untie_r") || (section.has("mem_len") && section.has("d_head")))
    return { where: "text", encoding: "transformer_xl" };
  if (written === "none") return { where: "text", encoding: "none" };
  if (written === "rope" || usesRotation(section)) return rotaryStack(section);
  if (section.has("image_size") && section.has("patch_size"))
    return { where: "vision", encoding: "learned_absolute", patchGridExtraRows: 1 };
  // Segment embeddings came with BERT's table of positions.
  if (section.has("type_vocab_size")) return learnedTableStack(section);
  return hasRmsNorm(section) && !hasStateSpace(section) ? rotaryStack(section) : undefined;
}

function usesRotation(section: Section): boolean {
  return ROTARY_KEYS.some((key) => section.has(key)) || rotatesPartOfHead(section);
}

/** Latent attention; 0 means that it is off. */
function rotatesPartOfHead(section: Section): boolean {
  const value = section.get("qk_rope_head_dim")?.value;
  return typeof value === "number" && value > 0;
}

/** Decoders with RMSNorm and attention have had RoPE since LLaMA, unless they mix in state spaces or name another one. */
function hasRmsNorm(section: Section): boolean {
  return (
    section.has("rms_norm_eps") &&
    (section.has("num_attention_heads") || section.has("n_heads")) &&
    section.has("max_position_embeddings")
  );
}

function hasStateSpace(section: Section): boolean {
  return section.keys().some((key) => /^(?:ssm_|mamba_|state_size$|d_state$|conv_kernel$|time_step_)/.test(key));
}

function writtenEncoding(section: Section): "alibi" | "rope" | "none" | undefined {
  const written = ["position_embedding_type", "position_embeddings_type", "position_encoding_type", "pos_emb"]
    .map((key) => section.string(key)?.toLowerCase())
    .find((value) => value !== undefined);
  return WRITTEN_ENCODINGS.find(([name]) => name.test(written ?? ""))?.[1];
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
  const parameterKeys: Record<string, string> = { max_position_embeddings: firstKey(section, LENGTH_KEYS) };
  const theta = firstKey(section, THETA_KEYS);
  if (theta !== "rope_theta") parameterKeys.rope_theta = theta;
  if (rotatesPartOfHead(section)) parameterKeys.rotary_dim = "qk_rope_head_dim";
  else if (section.has("rotary_dim")) parameterKeys.rotary_dim = "rotary_dim";
  return { where: "text", encoding: "rope", parameterKeys };
}

function learnedTableStack(section: Section): StackType {
  const key = firstKey(section, ["max_position_embeddings", "n_positions"]);
  return { where: "text", encoding: "learned_absolute", parameterKeys: { max_position_embeddings: key } };
}

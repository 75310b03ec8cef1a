import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { type Framework, hasAny } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";

/** Each key in both spellings, with underscores and with dashes. */
function withDashes(key: string): readonly string[] {
  return [key, key.replaceAll("_", "-")];
}

/** Kinds of layers in `attention_config` that have neither queries nor positions. */
const LAYERS_WITHOUT_ATTENTION: ReadonlySet<string> = new Set(["mamba", "rwkv", "gmlp"]);

/** GPT-NeoX, as YAML or as JSON with comments. */
export const neox: Framework = {
  format: "neox-yaml",
  reference:
    "EleutherAI/gpt-neox: megatron/neox_arguments/neox_args.py, megatron/model/positional_embeddings.py, megatron/model/transformer.py",
  signs: [
    "pos_emb",
    "pos-emb",
    "rotary_pct",
    "rotary-pct",
    "rotary_emb_base",
    "rotary-emb-base",
    ...["pipe_parallel_size", "pipe-parallel-size", "no_weight_tying", "no-weight-tying"],
  ],
  spellings: withDashes,
  findModels: (root) => (isNeox(root) ? [{ section: root }] : undefined),
  keys: {
    num_heads: ["num_attention_heads"],
    num_kv_heads: ["num_kv_heads"],
    num_layers: ["num_layers"],
    hidden_size: ["hidden_size"],
    max_position_embeddings: ["max_position_embeddings", "seq_length"],
    sliding_window: ["sliding_window_width"],
    rope_theta: ["rotary_emb_base"],
    partial_rotary_factor: ["rotary_pct"],
    num_buckets: ["rpe_num_buckets"],
    max_distance: ["rpe_max_distance"],
  },
  defaults: { pos_emb: "learned", rope_theta: 10_000, partial_rotary_factor: 1, num_buckets: 32, max_distance: 128 },
  readModel: readNeox,
};

function isNeox(root: Section): boolean {
  const has = (...keys: string[]) => hasAny(root, ...keys.flatMap(withDashes));
  if (hasAny(root, "attn_layer_idxs", "hyena_layer_idxs", "model_type")) return false;
  const isModel = has("num_layers") && has("hidden_size");
  if (has("rotary_pct", "rotary_emb_base", "rpe_num_buckets")) return isModel || has("pos_emb");
  const type = root.string("pos_emb") ?? root.string("pos-emb");
  if (type === undefined) return isModel && has("pipe_parallel_size");
  return POSITION_TYPES.has(type) || has("num_layers");
}

const POSITION_TYPES: ReadonlySet<string> = new Set(["learned", "rotary", "sinusoidal", "rpe", "alibi", "none"]);

function readNeox(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes().set("sliding_window", model.number("sliding_window"));
  switch (model.text("pos_emb")) {
    case "rotary":
      return [model.rope(builder, "half", attentionLayers(model))];
    case "rpe":
      return [model.t5Bias(false, builder)];
    case "alibi":
      return [model.alibi(builder)];
    case "sinusoidal":
      return [model.sinusoidal({ layout: "concat" }, builder.set("base", defaultValue(10_000)))];
    case "learned":
      return [model.learned(builder)];
    case "none":
      return [model.none()];
    default:
      model.reportUnknown("pos_emb");
      return [];
  }
}

/** `attention_config: [[["mamba", "flash"], 6]]` repeats a list of kinds. */
function attentionLayers(model: FrameworkModel): EncodingSpec["layers"] {
  const config = model.get("attention_config")?.value;
  if (!Array.isArray(config)) return "all";
  const kinds: string[] = [];
  for (const entry of config) {
    const [pattern, count] = Array.isArray(entry) ? entry : [entry, 1];
    const names: unknown[] = Array.isArray(pattern) ? pattern : [pattern];
    const times = typeof count === "number" ? Math.min(count, MAX_REPEATS) : (model.number("num_layers")?.value ?? 0);
    for (let i = 0; i < Math.min(times, MAX_REPEATS); i++) kinds.push(...names.slice(0, MAX_REPEATS).map(String));
  }
  if (!kinds.some((kind) => LAYERS_WITHOUT_ATTENTION.has(kind))) return "all";
  return kinds.flatMap((kind, layer) => (LAYERS_WITHOUT_ATTENTION.has(kind) ? [] : [layer]));
}

/** More layers are not a model's. */
const MAX_REPEATS = 1000;

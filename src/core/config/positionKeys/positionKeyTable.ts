import type { Path } from "../text/json.ts";

/**
 * What a key is about, if it is about positions: an encoding and its parameters, the window of attention, the length of
 * a text, or how positions are computed (speed, precision, dropout).
 */
export type PositionTopic = "encoding" | "window" | "length" | "computation";

/** Sections of training files and configs that have keys of similar names for other things. */
const OTHER_SECTIONS =
  /^(?:callbacks?|algorithms?|fp16|bf16|amp|optimi[sz]er|optim|(?:lr_)?scheduler|generation(?:_config)?|tokenizer(?:_config)?|task_specific_params|quantization(?:_config)?|lora|peft|loggers?|logging|wandb|metrics|speed_monitor|preprocessor|exp_manager|(?:train|validation|test)_ds|spec_augment|id2label|label2id|auto_map)$/;

/** Dictionaries whose every key is about positions. */
const POSITION_SECTIONS =
  /(?:^|_)(?:rope|rotary|yarn|alibi|relative_attention|positional?_(?:encoding|embedding)s?)(?:_|$)/;

/** Names that contain a word of positions, and speak of tokens, labels or learning. */
const OTHER_NAMES =
  /(?:^|_)(?:loss|data|path|paths|label|labels|file|files|grad|metric)(?:_|$)|(?:_token|_token_ids?|_ids?|_tokens?)$|token_position|^relative_step$|^pos_ffn_|(?:^|_)scale_window$|composition|exposition|supposition|disposition|norm_position/;

/** Words of a name about positions that concern their computation. */
const COMPUTATION =
  /(?:^|_)(?:dropout|drop|impl|fusion|fused|fuse|fp32|dtype|kernel(?!_size)|init|initializer|lr|std|cache|cached|liger|jitter|rescale|starting_size)(?:_|$)/;

/** Names about positions, first match first. */
const NAMES: readonly (readonly [RegExp, PositionTopic])[] = [
  [
    /^(?:n_positions|n_ctx|ctx_len(?:gth)?|n_context|context_(?:length|len|size|window)|block_size|model_max_length|(?:encoder_|decoder_)?seq_?len(?:gth)?|sequence_?len(?:gth)?|max_(?:seq|sequence|context|text|source|target|encoder|decoder|model|input)?_?(?:positions?|position_embeddings?|seq_?len(?:gth)?|len(?:gth)?_?seq|context_?len(?:gth)?|sequence_length|ctx))$/,
    "length",
  ],
  [
    /(?:^|_)(?:sliding|local_attention|attention|attn|swa|dense_attention|sparse)_?window|(?:^|_)window(?:_(?:size|sizes|length|width|layers|pattern|attention))?(?:_|$)|window_layers|(?:^|_)swa(?:_|$)|attention_chunk_size|(?:^|_)(?:local|global)_attn|global_attention_every|local_attention|^(?:layer_types|layers_block_type|attention_types|attn_types|attention_pattern)$/,
    "window",
  ],
  [
    /(?:^|_)(?:no)?(?:rope|ropes|rotary|alibi|yarn|ntk|xpos|mrope|longrope|rpe|kerple|nope_layers?)(?:_|\d|$)|(?:^|_)theta$|^theta_|freq_base|base_freq|timescale$/,
    "encoding",
  ],
  [
    /position|(?:^|_)pos(?:_|$)|(?:^|_)n?pos_?(?:emb|enc|att|bias|bucket|type)|posemb|posenc|(?:abs|rel|absolute|relative)_?pos|absolute_emb/,
    "encoding",
  ],
  [
    /relative_(?:attention|key|bias|bucket|max|dist)|max_relative|(?:attention|attn)_relative|rel_(?:att|bias|bucket|dist)|use_rel(?:_|$)|num_buckets|max_distance|clamp_len/,
    "encoding",
  ],
  [
    /^mscale(?:_all_dim)?$|^beta_(?:fast|slow)$|^(?:low|high)_freq_factor$|^(?:short|long)_(?:factor|mscale)$/,
    "encoding",
  ],
  [/(?:^|_)log_?n(?:_attn|_attention|_scaling|$)|attn_temperature|temperature_tuning|floor_scale/, "encoding"],
];

/** `maxSeqLen` and `max-seq-len` are `max_seq_len`. */
function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}

const knownTopics = new Map<string, PositionTopic | null>();
/** Names of files are many, and may be hostile. */
const MAX_KNOWN_TOPICS = 5000;
const MAX_NAME_LENGTH = 100;

function findNameTopic(name: string): PositionTopic | undefined {
  const known = knownTopics.get(name);
  if (known !== undefined) return known ?? undefined;
  const found = matchName(name);
  if (knownTopics.size < MAX_KNOWN_TOPICS) knownTopics.set(name, found ?? null);
  return found;
}

function matchName(name: string): PositionTopic | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const snake = toSnakeCase(name);
  if (OTHER_NAMES.test(snake)) return undefined;
  const topic = NAMES.find(([pattern]) => pattern.test(snake))?.[1];
  return topic !== undefined && COMPUTATION.test(snake) ? "computation" : topic;
}

/** What the key at a path is about; undefined if it is not about positions. */
export function findPositionTopic(path: Path): PositionTopic | undefined {
  const names = path.filter((step) => typeof step === "string");
  const name = names.at(-1);
  if (name === undefined || names.some((step) => OTHER_SECTIONS.test(toSnakeCase(step)))) return undefined;
  const own = findNameTopic(name);
  if (own !== undefined) return own;
  const isInside = names.slice(0, -1).some((step) => POSITION_SECTIONS.test(toSnakeCase(step)));
  return isInside && name.length <= MAX_NAME_LENGTH ? "encoding" : undefined;
}

/** Keys that count only where another key of the same object is absent. */
export const OVERRULED_BY: Readonly<Record<string, string>> = {
  sliding_window_pattern: "layer_types",
  _sliding_window_pattern: "layer_types",
  max_window_layers: "layer_types",
  global_attn_every_n_layers: "layer_types",
  full_attention_interval: "layer_types",
  no_rope_layer_interval: "no_rope_layers",
};

/** Flags of the same object that a key belongs to, and has no effect without. */
export const NEEDS_FLAG: Readonly<Record<string, string>> = {
  alibi_bias_max: "alibi",
  max_window_layers: "use_sliding_window",
  sliding_window: "use_sliding_window",
};

/** Code that reads a key of this name; for keys that a file has and its own model does not read. */
export const KEY_READERS: Readonly<Record<string, string>> = {
  rotary_pct: "GPT-NeoX",
  rotary_emb_base: "GPT-NeoX, Qwen 1",
  rotary_base: "Megatron-LM, NeMo",
  rotary_percent: "Megatron-LM",
  rotary_percentage: "NeMo, litgpt",
  rotary_interleaved: "Megatron-LM, NeMo",
  rotary_seq_len_interpolation_factor: "Megatron-LM",
  seq_len_interpolation_factor: "NeMo",
  rope_base: "torchtune, litgpt",
  rope_condense_ratio: "litgpt",
  rope_adjustments: "litgpt",
  rope_ratio: "ChatGLM",
  rope_freq_base: "llama.cpp, ExecuTorch",
  rope_max_timescale: "MaxText",
  rope_min_timescale: "MaxText",
  use_scaled_rope: "Llama (params.json)",
  rope_local_base_freq: "Gemma 3",
  no_rope_layers: "Llama 4, SmolLM3",
  no_rope_layer_interval: "Llama 4, SmolLM3",
  use_dynamic_ntk: "Qwen 1",
  alibi_bias_max: "MPT",
  rotary_dim: "GPT-J, ChatGLM, MiniMax",
  position_buckets: "DeBERTa",
  relative_attention_num_buckets: "T5",
  relative_attention_max_distance: "T5",
  mrope_section: "Qwen2-VL",
  sliding_window_pattern: "Gemma 3, Cohere 2",
};

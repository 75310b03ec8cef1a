import { ownValue } from "../../../util/ownValue.ts";
import type { RopeBlock } from "./ropeBlocks.ts";

/** Keys of each `rope_type` (transformers 5.18, modeling_rope_utils.py, `_validate_*_rope_parameters`). */
interface TypeKeys {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const YARN_OPTIONAL = ["attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"];

export const ROPE_TYPE_KEYS: Readonly<Record<string, TypeKeys>> = {
  default: { required: [], optional: [] },
  axial: { required: [], optional: [] },
  linear: { required: ["factor"], optional: [] },
  dynamic: { required: ["factor"], optional: [] },
  yarn: { required: ["factor", "original_max_position_embeddings"], optional: YARN_OPTIONAL },
  longrope: {
    required: ["short_factor", "long_factor", "original_max_position_embeddings"],
    optional: ["attention_factor", "factor"],
  },
  llama3: {
    required: ["factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"],
    optional: [],
  },
  proportional: { required: [], optional: ["factor"] },
};

/** Accepted by all types. */
const KEYS_OF_ALL_TYPES = ["rope_type", "type", "rope_theta", "partial_rotary_factor"];

const MROPE_KEYS = ["mrope_section", "mrope_interleaved", "interleaved"];

/** The keys of this dictionary that transformers accepts without a warning. */
export function acceptedKeys({ type, facts }: RopeBlock): ReadonlySet<string> {
  const { required = [], optional = [] } = ownValue(ROPE_TYPE_KEYS, type) ?? {};
  const { ropeKeys = [], requiredRopeKeys = [] } = facts.attributes.type;
  const multimodal = facts.stack.encoding === "mrope" ? MROPE_KEYS : [];
  return new Set([...KEYS_OF_ALL_TYPES, ...required, ...optional, ...ropeKeys, ...requiredRopeKeys, ...multimodal]);
}

/** An accepted key that a misspelt one probably stands for. */
export function findNearMiss(key: string, known: ReadonlySet<string>): string | undefined {
  const meant = ownValue(KEY_ALIASES, key);
  if (meant !== undefined && known.has(meant)) return meant;
  return [...known].find((name) => name.length > 5 && isNear(key, name));
}

const KEY_ALIASES: Readonly<Record<string, string>> = {
  attn_factor: "attention_factor",
  original_context_length: "original_max_position_embeddings",
  original_max_seq_len: "original_max_position_embeddings",
  original_max_position: "original_max_position_embeddings",
  original_max_positions: "original_max_position_embeddings",
  original_max_length: "original_max_position_embeddings",
  original_context_len: "original_max_position_embeddings",
  old_context_len: "original_max_position_embeddings",
  scale: "factor",
  scaling_factor: "factor",
  scale_factor: "factor",
  rope_factor: "factor",
  scaling_type: "rope_type",
  base: "rope_theta",
  theta: "rope_theta",
  low_freq: "low_freq_factor",
  high_freq: "high_freq_factor",
  beta: "beta_fast",
  alpha: "beta_slow",
};

/**
 * Whether two keys are at most two edits apart. Lengths and letters rule out most pairs early: a config has a hundred
 * keys.
 */
export function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 2) return false;
  // Two edits leave at least one third of a name unchanged.
  const third = Math.ceil(b.length / 3);
  const hasUnchangedThird = [b.slice(0, third), b.slice(third, -third), b.slice(-third)].some((part) =>
    a.includes(part),
  );
  return hasUnchangedThird && editDistance(a, b) <= 2;
}

/** Levenshtein distance of at most 64 characters each: keys may be hostile. */
function editDistance(a: string, b: string): number {
  const [left, right] = [a.slice(0, 64), b.slice(0, 64)];
  let row = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const change = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

import { encodingById } from "../../encodings/index.ts";
import type { EncodingSpec } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import type { PositionKey } from "./positionKey.ts";

/** Parameters that other names are in use for. */
const COMPARED_PARAMS = [
  "rope_theta",
  "partial_rotary_factor",
  "rotary_dim",
  "factor",
  "max_position_embeddings",
  "original_max_position_embeddings",
  "sliding_window",
  "num_buckets",
  "max_distance",
  "alibi_bias_max",
];

/** Names that files have for encodings. */
const ENCODING_NAMES: Readonly<Record<string, string>> = {
  absolute: "learned_absolute",
  learned: "learned_absolute",
  rotary: "rope",
  rope_gptj: "rope",
  rope_neox: "rope",
  relative: "t5_bias",
};

/**
 * Whether an unread key only states what was read anyway: the name of an encoding, a parameter's value, or a flag for
 * an encoding that the model has.
 */
export function statesWhatIsRead({ path, value }: PositionKey, specs: readonly EncodingSpec[]): boolean {
  if (typeof value === "string")
    return specs.some(({ encoding }) => encoding === (ownValue(ENCODING_NAMES, value) ?? value));
  if (typeof value === "number")
    return specs.some(({ params }) => COMPARED_PARAMS.some((name) => ownValue(params, name) === value));
  return value === true && specs.some((spec) => isFlagFor(String(path.at(-1)), spec));
}

function isFlagFor(name: string, { encoding }: EncodingSpec): boolean {
  if (/rope|rotary/.test(name)) return encodingById(encoding)?.rotation !== undefined;
  if (name.includes("alibi")) return encoding === "alibi";
  return /pos/.test(name) && ["learned_absolute", "sinusoidal", "decomposed_rel_pos"].includes(encoding);
}

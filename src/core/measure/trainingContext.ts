import type { Encoding } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";

export function positiveOrNull(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}

/** `original_max_position_embeddings`, defaulting to `max_position_embeddings`. */
export function configuredTrainingContext(params: Params): number | null {
  return positiveOrNull(params.original_max_position_embeddings) ?? positiveOrNull(params.max_position_embeddings);
}

/** Context of a scaled model: given in the config, or the training context times the factor. */
export function configuredExtendedContext(params: Params): number | null {
  const trainingContext = configuredTrainingContext(params);
  const maxPositions = positiveOrNull(params.max_position_embeddings);
  if (trainingContext === null) return null;
  if (maxPositions !== null && maxPositions > trainingContext) return maxPositions;
  const factor = positiveOrNull(params.factor);
  const scaled = typeof params.rope_type === "string" && params.rope_type !== "default";
  return scaled && factor !== null && factor > 1 ? Math.round(trainingContext * factor) : null;
}

/** Number of tokens that the model was trained on, and where the number comes from. */
export interface TrainingContext {
  readonly length: number;
  /** A parameter, the size of a table, or a typical value if neither is known. */
  readonly source: "parameter" | "table" | "usual";
}

/** Typical training contexts of models with distance buckets (T5, DeBERTa) and of all others. */
const TYPICAL_BUCKET_CONTEXT = 512;
const TYPICAL_CONTEXT = 2048;

/**
 * The context before scaling, the size of the table, max_position_embeddings or a typical value: the first that is
 * known.
 */
export function resolveTrainingContext(encoding: Encoding, params: Params): TrainingContext {
  const original = positiveOrNull(params.original_max_position_embeddings);
  if (original !== null) return { length: original, source: "parameter" };
  const domain = encoding.domain(params);
  if (domain.kind === "table") return { length: domain.size, source: "table" };
  const longest = positiveOrNull(params.max_position_embeddings);
  if (longest !== null) return { length: longest, source: "parameter" };
  return {
    length: encoding.buckets?.(params) === undefined ? TYPICAL_CONTEXT : TYPICAL_BUCKET_CONTEXT,
    source: "usual",
  };
}

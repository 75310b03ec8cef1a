import { alibi, alibiSlopes, falconColumn, modelSlopes, positionsFromMask } from "../../../src/core/encodings/alibi.ts";
import { readVector } from "../../../src/core/terms/read.ts";
import { buildGoldenScene, computeGoldenAttention } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const heads = Number(golden.params.num_heads);
  const biasMax = Number(golden.params.alibi_bias_max ?? 8);
  const variant = String(golden.params.variant ?? "paper");
  const padding = readAttentionMask(golden.inputs.attention_mask);
  const length = Number(golden.params.sequence_length ?? padding?.length ?? buildGoldenScene(golden, 0).keyLength);
  const params = {
    num_heads: heads,
    head_dim: Number(golden.params.head_dim ?? 1),
    alibi_bias_max: biasMax,
    variant,
  };
  const slopes = modelSlopes(params);
  const columns = (position: (j: number) => number) =>
    slopes.map((slope) => Array.from({ length }, (_, j) => slope * position(j)));
  const positions = padding === undefined ? undefined : positionsFromMask(padding);
  const result: Record<string, unknown> = {
    slopes,
    slopes_mpt: alibiSlopes(heads, biasMax),
    alibi: columns((j) => positions?.[j] ?? (variant === "mpt" ? j - (length - 1) : j)),
    alibi_bfloat16: slopes.map((slope) => falconColumn(slope, length)),
  };
  if (golden.inputs.q === undefined) return result;
  const own = computeGoldenAttention(alibi, params, golden);
  const paper = computeGoldenAttention(alibi, { ...params, variant: "paper" }, golden);
  return {
    ...result,
    ...own,
    bias: own.terms("bias"),
    relative_bias: paper.terms("bias"),
    scores_relative: paper.scores,
  };
}

function readAttentionMask(value: unknown): number[] | undefined {
  return value === undefined ? undefined : readVector(value, "attention_mask");
}

export const adapter: GoldenAdapter = { encoding: alibi, files: ["alibi"], compute: computeGolden };

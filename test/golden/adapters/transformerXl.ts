import { getNumber } from "../../../src/core/encodings/support/schema.ts";
import {
  distanceSinusoid,
  preparedDistances,
  projectDistanceSinusoid,
} from "../../../src/core/encodings/transformerXl/distances.ts";
import { readBiasVector, transformerXl } from "../../../src/core/encodings/transformerXl/transformerXl.ts";
import type { Params } from "../../../src/core/spec.ts";
import { indexRange } from "../../../src/core/terms/engine.ts";
import { dotProduct, evaluateRow, translatedFactor } from "../../../src/core/terms/linear.ts";
import type { Scene } from "../../../src/core/terms/scene.ts";
import { buildGoldenScene, computeGoldenAttention, type GoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(transformerXl, golden);
  const { queryLength, keyLength } = buildGoldenScene(golden, 0);
  const attention = computeGoldenAttention(transformerXl, params, golden);
  // ac and ef are defined everywhere, bd only up to the diagonal in the causal forms.
  const bidirectional = computeGoldenAttention(transformerXl, { ...params, attn_type: "bi" }, golden);
  const distances = preparedDistances(params, queryLength, keyLength);
  const sinusoid = distanceSinusoid(params);
  const heads = indexRange(0, getNumber(params, "num_heads"));
  return {
    ...attention,
    ac: sumUnscaledTerms(params, bidirectional, ["content", "position_content"]),
    bd: sumUnscaledTerms(params, attention, ["content_position", "position_position"]),
    ...(golden.inputs.seg_embed === undefined ? {} : { ef: sumUnscaledTerms(params, bidirectional, ["segment"]) }),
    pos_emb: distances.map((m) => Array.from(evaluateRow(sinusoid, m))),
    k_head_r: heads.map((head) => {
      const rows = projectDistanceSinusoid(params, golden.inputs, head);
      return distances.map((m) => Array.from(evaluateRow(rows, m)));
    }),
    bd_before_shift: heads.map((head) => computeUnshiftedScores(params, buildGoldenScene(golden, head), distances)),
  };
}

/** Sum of terms before the scale 1/√head_dim, [heads][queries][keys]. */
function sumUnscaledTerms(params: Params, attention: GoldenAttention, ids: readonly string[]): number[][][] {
  const unscale = Math.sqrt(getNumber(params, "head_dim"));
  const parts = ids.map((id) => attention.terms(id));
  return (parts[0] ?? []).map((matrix, h) =>
    matrix.map((row, i) => row.map((_, j) => unscale * parts.reduce((sum, part) => sum + (part[h]?.[i]?.[j] ?? 0), 0))),
  );
}

/** (q_i + v) · W_r R for every prepared row, before rows are shifted into place. */
function computeUnshiftedScores(params: Params, scene: Scene, distances: readonly number[]): number[][] {
  const dim = getNumber(params, "head_dim");
  const query = translatedFactor(scene.content.rows("q", scene.head, dim), readBiasVector(params, scene, "r_r_bias"));
  const rows = projectDistanceSinusoid(params, scene.inputs, scene.head);
  return indexRange(0, scene.queryLength).map((i) =>
    distances.map((distance) => dotProduct(evaluateRow(query, i), evaluateRow(rows, distance))),
  );
}

export const adapter: GoldenAdapter = { encoding: transformerXl, files: ["transformer_xl"], compute: computeGolden };

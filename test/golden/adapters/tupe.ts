import { getNumber } from "../../../src/core/encodings/support/schema.ts";
import {
  computeClsResets,
  projectPositionTable,
  tupe,
  tupeBucket,
  tupeScale,
} from "../../../src/core/encodings/tupe/tupe.ts";
import type { Params } from "../../../src/core/spec.ts";
import { factorRows, indexRange } from "../../../src/core/terms/engine.ts";
import { dotProduct } from "../../../src/core/terms/linear.ts";
import type { Scene } from "../../../src/core/terms/scene.ts";
import { buildGoldenScene, computeGoldenAttention, nestRows, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

/** Scaled ⟨P_(i+1) W_Q, P_(j+1) W_K⟩ of every pair of tokens, before the [CLS] row and column are overwritten. */
function computeUntiedScores(params: Params, scene: Scene): number[][] {
  const rows = indexRange(1, scene.queryLength + 1);
  const keys = indexRange(1, scene.keyLength + 1);
  const dim = getNumber(params, "head_dim");
  const q = nestRows(factorRows(projectPositionTable(params, scene, "query"), rows), dim);
  const k = nestRows(factorRows(projectPositionTable(params, scene, "key"), keys), dim);
  return q.map((a) => k.map((b) => tupeScale(params) * dotProduct(a, b)));
}

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(tupe, golden);
  const scenes = indexRange(0, getNumber(params, "num_heads")).map((head) => buildGoldenScene(golden, head));
  const attention = computeGoldenAttention(tupe, params, golden);
  const sum = (ids: readonly string[]) =>
    ids
      .map((id) => attention.terms(id))
      .reduce((a, b) => a.map((m, h) => m.map((row, i) => row.map((value, j) => value + (b[h]?.[i]?.[j] ?? 0)))));
  const absolute = ["position", "cls_row", "cls_column"];
  const theta = scenes.map((scene) =>
    computeClsResets(projectPositionTable(params, scene, "query"), projectPositionTable(params, scene, "key")),
  );
  const tokens = indexRange(0, scenes[0]?.keyLength ?? 0);
  return {
    ...attention,
    untied_position_scores: scenes.map((scene) => computeUntiedScores(params, scene)),
    theta_cls_to_others: theta.map(({ fromCls }) => tupeScale(params) * fromCls),
    theta_others_to_cls: theta.map(({ toCls }) => tupeScale(params) * toCls),
    absolute_bias: sum(absolute),
    bias: sum(params.rel_pos === true ? [...absolute, "relative"] : absolute),
    rel_bucket: tokens.map((i) => tokens.map((j) => tupeBucket(params, i, j))),
  };
}

export const adapter: GoldenAdapter = { encoding: tupe, files: ["tupe"], compute: computeGolden };

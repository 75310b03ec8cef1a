import { buildAttention } from "../../../src/core/encodings/buildAttention.ts";
import { cope, copeGates, copePositions } from "../../../src/core/encodings/cope.ts";
import { getNumber } from "../../../src/core/encodings/support/schema.ts";
import { deltaAt, indexRange, logitMatrix } from "../../../src/core/terms/engine.ts";
import type { Scene } from "../../../src/core/terms/scene.ts";
import { buildGoldenScene, computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

/** Values of the cells on and below the diagonal; undefined cells are written as 0. */
function collectCausalCells(scene: Scene, values: (i: number) => ArrayLike<number>): number[][] {
  const offset = scene.keyLength - scene.queryLength;
  return indexRange(0, scene.queryLength).map((i) => {
    const row = values(i);
    return indexRange(0, scene.keyLength).map((j) => (j <= i + offset ? (row[j] ?? 0) : 0));
  });
}

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(cope, golden);
  const attention = computeGoldenAttention(cope, params, golden);
  const scenes = indexRange(0, attention.scores.length).map((head) => buildGoldenScene(golden, head));
  const maxPosition = getNumber(params, "npos_max") - 1;
  const computeGates = (scene: Scene, i: number) => {
    const attention = buildAttention(cope, params, scene, { causal: true });
    const logits = logitMatrix(attention, [i], indexRange(0, scene.keyLength), ["bias"]);
    return copeGates(logits, deltaAt(attention, i, 0));
  };
  return {
    ...attention,
    bias: attention.terms("bias"),
    gates: scenes.map((scene) => collectCausalCells(scene, (i) => computeGates(scene, i))),
    positions: scenes.map((scene) =>
      collectCausalCells(scene, (i) => copePositions(computeGates(scene, i), maxPosition)),
    ),
  };
}

export const adapter: GoldenAdapter = { encoding: cope, files: ["cope"], compute: computeGolden };

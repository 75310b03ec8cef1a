import { buildInput, readSinusoidSpec, sinusoidal } from "../../../src/core/encodings/sinusoidal/sinusoidal.ts";
import { shiftMatrix, sinusoidFactor } from "../../../src/core/encodings/sinusoidal/table.ts";
import { absoluteHiddenStates, absoluteValues } from "../../../src/core/terms/absolute.ts";
import { dotProduct, evaluateRow } from "../../../src/core/terms/linear.ts";
import { readVector } from "../../../src/core/terms/read.ts";
import { buildGoldenScene, computeGoldenAttention, nestFactorRows, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(sinusoidal, golden);
  const spec = readSinusoidSpec(params);
  const input = buildInput(params);
  if (golden.inputs.positions !== undefined) {
    const table = sinusoidFactor(spec);
    return {
      embedding: readVector(golden.inputs.positions, "positions").map((p) => Array.from(evaluateRow(table, p))),
    };
  }
  const scene = buildGoldenScene(golden, 0);
  const rows = Array.from({ length: scene.keyLength }, (_, n) => evaluateRow(input.position, n));
  return {
    ...computeGoldenAttention(sinusoidal, params, golden, (head) => absoluteValues(head, input)),
    hidden: nestFactorRows(absoluteHiddenStates(scene, input), scene.keyLength),
    shift_matrix: shiftMatrix(spec, Number(golden.inputs.shift)),
    position_dot_products: rows.map((a) => rows.map((b) => dotProduct(a, b))),
  };
}

export const adapter: GoldenAdapter = { encoding: sinusoidal, files: ["sinusoidal"], compute: computeGolden };

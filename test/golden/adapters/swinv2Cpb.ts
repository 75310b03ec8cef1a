import { offsetTableRow, readGridShape } from "../../../src/core/encodings/support/grid.ts";
import {
  coordinateTable,
  countPatches,
  headTemperature,
  projectHeadVectors,
  swinv2Cpb,
} from "../../../src/core/encodings/swinv2Cpb/swinv2Cpb.ts";
import { indexRange } from "../../../src/core/terms/engine.ts";
import { buildGoldenScene, computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(swinv2Cpb, golden);
  const attention = computeGoldenAttention(swinv2Cpb, params, golden, (scene) =>
    projectHeadVectors(params, scene, "value"),
  );
  const grid = readGridShape(params, "window_size");
  const tokens = indexRange(0, countPatches(grid));
  const scaled = attention.terms("content");
  const output = attention.output ?? [];
  return {
    ...attention,
    output: tokens.map((i) => output.flatMap((head) => head[i] ?? [])),
    bias: attention.terms("bias"),
    cosine: scaled.map((matrix, head) => {
      const scale = headTemperature(params, buildGoldenScene(golden, head));
      return matrix.map((row) => row.map((value) => value / scale));
    }),
    relative_coords_table: coordinateTable(params),
    relative_position_index: tokens.map((i) => tokens.map((j) => offsetTableRow(grid, i, j))),
  };
}

export const adapter: GoldenAdapter = { encoding: swinv2Cpb, files: ["swinv2_cpb"], compute: computeGolden };

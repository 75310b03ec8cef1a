import {
  complexWordVectors,
  isComplex,
  multiplicative,
  multiplyByPositions,
  projectHidden,
} from "../../../src/core/encodings/multiplicative.ts";
import { resolveHiddenSize } from "../../../src/core/encodings/support/parameters.ts";
import { findInputVector } from "../../../src/core/terms/learned.ts";
import { buildGoldenScene, computeGoldenAttention, nestFactorRows, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(multiplicative, golden);
  const scene = buildGoldenScene(golden, 0);
  if (isComplex(params)) {
    const rows = nestFactorRows(
      complexWordVectors(params, scene),
      findInputVector(golden.inputs, "positions")?.length ?? 0,
    );
    const dim = resolveHiddenSize(params);
    return { real: rows.map((row) => row.slice(0, dim)), imag: rows.map((row) => row.slice(dim)) };
  }
  return {
    ...computeGoldenAttention(multiplicative, params, golden, (head) => projectHidden(params, head, "w_v")),
    hidden: nestFactorRows(multiplyByPositions(params, scene), scene.keyLength),
  };
}

export const adapter: GoldenAdapter = { encoding: multiplicative, files: ["multiplicative"], compute: computeGolden };

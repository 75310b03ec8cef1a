import { buildInput, sincos2d, sincos2dFactor, tokenCount } from "../../../src/core/encodings/sincos2d.ts";
import { absoluteValues } from "../../../src/core/terms/absolute.ts";
import { indexRange } from "../../../src/core/terms/engine.ts";
import { evaluateRow } from "../../../src/core/terms/linear.ts";
import { toFloat32 } from "../../../src/core/terms/precision.ts";
import type { Scene } from "../../../src/core/terms/scene.ts";
import { computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(sincos2d, golden);
  const factor = sincos2dFactor(params);
  const embedding = indexRange(0, tokenCount(params)).map((token) => Array.from(evaluateRow(factor, token)));
  const values = (scene: Scene) => absoluteValues(scene, buildInput(params));
  return {
    embedding,
    embedding_f32: embedding.map((row) => row.map(toFloat32)),
    ...(golden.inputs.x === undefined ? {} : computeGoldenAttention(sincos2d, params, golden, values)),
  };
}

export const adapter: GoldenAdapter = { encoding: sincos2d, files: ["sincos2d"], compute: computeGolden };

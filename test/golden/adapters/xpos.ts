import { readPairLayout } from "../../../src/core/encodings/rope/attention.ts";
import { pairIndices, rotatedFactor } from "../../../src/core/encodings/rope/rotation.ts";
import { getNumber } from "../../../src/core/encodings/support/schema.ts";
import { decayingRotation, xpos, xposZeta } from "../../../src/core/encodings/xpos.ts";
import type { Factor } from "../../../src/core/terms/term.ts";
import { buildGoldenScene, computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";
import { rotateHeads } from "../rotary.ts";

/** torchscale's centre: minus its smallest exponent, ⌊−(length + offset)/2⌋. */
function torchscaleCentre(length: number, offset: number): number {
  return -Math.floor(-(length + offset) / 2);
}

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(xpos, golden);
  const { queryLength, keyLength } = buildGoldenScene(golden, 0);
  const from = getNumber(params, "offset");
  const centre = torchscaleCentre(keyLength, from);
  const zeta = xposZeta(getNumber(params, "head_dim"));
  const power = (index: number) => (index + from - centre) / getNumber(params, "scale_base");
  const scales = (count: number, sign: number) =>
    Array.from({ length: count }, (_, index) => zeta.map((value) => value ** (sign * power(index))));
  const pairs = pairIndices(readPairLayout(params), zeta.length);
  const rotated = (which: "q" | "k", sign: 1 | -1) => {
    const rotation = decayingRotation(params, (index) => index + from, centre, sign);
    return rotateHeads(golden, (rows: Factor) => rotatedFactor(rows, pairs, rotation), which);
  };
  return {
    scale_base_vector: zeta,
    scale_q: scales(queryLength, 1),
    scale_k: scales(keyLength, -1),
    q_rot: rotated("q", 1),
    k_rot: rotated("k", -1),
    ...computeGoldenAttention(xpos, params, golden),
  };
}

export const adapter: GoldenAdapter = { encoding: xpos, files: ["xpos"], compute: computeGolden };

import { kerple } from "../../../src/core/encodings/kerple.ts";
import { computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const attention = computeGoldenAttention(kerple, readGoldenParams(kerple, golden), golden);
  return { ...attention, bias: attention.terms("bias") };
}

export const adapter: GoldenAdapter = { encoding: kerple, files: ["kerple"], compute: computeGolden };

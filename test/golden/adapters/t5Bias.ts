import { t5Bucket } from "../../../src/core/encodings/t5Bias/buckets.ts";
import { readBucketSpec, t5Bias } from "../../../src/core/encodings/t5Bias/t5Bias.ts";
import { keepFloat64 } from "../../../src/core/terms/precision.ts";
import { readVector } from "../../../src/core/terms/read.ts";
import { computeGoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(t5Bias, golden);
  const spec = readBucketSpec(params);
  if (golden.inputs.relative_position !== undefined) {
    const relative = readVector(golden.inputs.relative_position, "relative_position");
    return {
      bucket: relative.map((r) => t5Bucket(spec, r)),
      bucket_float64: relative.map((r) => t5Bucket(spec, r, keepFloat64)),
      distances_where_float32_and_float64_differ: relative.filter(
        (r) => t5Bucket(spec, r) !== t5Bucket(spec, r, keepFloat64),
      ),
    };
  }
  const attention = computeGoldenAttention(t5Bias, params, golden);
  return { ...attention, bias: attention.terms("bias") };
}

export const adapter: GoldenAdapter = { encoding: t5Bias, files: ["t5_bias"], compute: computeGolden };

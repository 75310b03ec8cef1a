import { bucketedDistance, deberta } from "../../../src/core/encodings/deberta/deberta.ts";
import { hasPositionTerm, projectContent } from "../../../src/core/encodings/deberta/weights.ts";
import type { Params } from "../../../src/core/spec.ts";
import { indexRange } from "../../../src/core/terms/engine.ts";
import { keepFloat64 } from "../../../src/core/terms/precision.ts";
import { readVector } from "../../../src/core/terms/read.ts";
import { buildGoldenScene, computeGoldenAttention, type GoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

/** Concatenates the outputs of all heads, [tokens][hidden]. */
function concatenateHeads(heads: readonly (readonly (readonly number[])[])[] | undefined): number[][] {
  const first = heads?.[0] ?? [];
  return first.map((_, i) => (heads ?? []).flatMap((head) => head[i] ?? []));
}

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const { inputs } = golden;
  const version = golden.params.version ?? 2;
  const params = readGoldenParams(deberta, { params: { ...golden.params, version } });
  if (inputs.relative_position !== undefined) {
    const given = readVector(inputs.relative_position, "relative_position");
    const exact = (d: number) => bucketedDistance(params, d, keepFloat64);
    return {
      bucket: given.map((d) => bucketedDistance(params, d)),
      bucket_float64: given.map(exact),
      distances_where_float32_and_float64_differ: given.filter((d) => bucketedDistance(params, d) !== exact(d)),
    };
  }
  const attention = computeGoldenAttention(deberta, params, golden, (scene) => projectContent(params, scene, "value"));
  const { keyLength, queryLength } = buildGoldenScene(golden, 0);
  return {
    ...attention,
    ...goldenPositionTerms(params, attention),
    output: concatenateHeads(attention.output),
    output_causal: concatenateHeads(attention.output_causal),
    content_to_content: attention.terms("content"),
    relative_position: indexRange(0, queryLength).map((i) =>
      indexRange(0, keyLength).map((j) => bucketedDistance(params, i - j)),
    ),
  };
}

function goldenPositionTerms(params: Params, attention: GoldenAttention): Record<string, unknown> {
  return {
    ...(hasPositionTerm(params, "c2p") ? { content_to_position: attention.terms("content_position") } : {}),
    ...(hasPositionTerm(params, "p2c") ? { position_to_content: attention.terms("position_content") } : {}),
  };
}

export const adapter: GoldenAdapter = { encoding: deberta, files: ["deberta"], compute: computeGolden };

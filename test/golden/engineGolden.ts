import { buildAttention } from "../../src/core/encodings/buildAttention.ts";
import { none } from "../../src/core/encodings/none.ts";
import { type AbsoluteInput, absoluteValues, buildAbsoluteTerms } from "../../src/core/terms/absolute.ts";
import { factorFromRows } from "../../src/core/terms/content.ts";
import { indexRange, maskMatrix } from "../../src/core/terms/engine.ts";
import {
  exampleAbsolute,
  exampleDistanceBias,
  exampleFourTerms,
  exampleRope,
  exampleWithoutPositions,
  type WorkedExample,
} from "../../src/core/terms/example.ts";
import { readMatrix, readMatrixList, readVector } from "../../src/core/terms/read.ts";
import type { Scene } from "../../src/core/terms/scene.ts";
import { streamingCache } from "../../src/core/terms/streaming.ts";
import type { Attention, Mask } from "../../src/core/terms/term.ts";
import { evaluateGoldenAttention, nestRows } from "./attention.ts";
import type { GoldenAdapter, GoldenCase } from "./case.ts";

/** Golden files of the engine (masks, the four-term expansion, the worked example) without an encoding. */

function fourTerms(golden: GoldenCase): Record<string, unknown> {
  const setting: AbsoluteInput = {
    hiddenSize: Number(golden.params.hidden_size),
    numHeads: Number(golden.params.num_heads),
    position: factorFromRows(readMatrix(golden.inputs.p, "p")),
  };
  const attention = (scene: Scene, mask: Mask): Attention => ({
    queryLength: scene.queryLength,
    keyLength: scene.keyLength,
    deltaOffset: 0,
    terms: buildAbsoluteTerms(scene, setting),
    mask,
  });
  const result = evaluateGoldenAttention(attention, golden, (scene) => absoluteValues(scene, setting));
  const roles = ["content_content", "content_position", "position_content", "position_position"];
  return { ...result, ...Object.fromEntries(roles.map((role) => [role, result.terms(role)])) };
}

function maskOf(params: GoldenCase["params"]): Mask {
  const number = (name: string) => Number(params[name]);
  switch (params.variant) {
    case "sliding_window":
      return { causal: true, window: number("sliding_window") };
    case "sliding_window_bidirectional":
      return { window: number("sliding_window") };
    case "chunked":
      return { causal: true, chunk: number("attention_chunk_size") };
    case "streaming_llm":
      return { causal: true, keepFirst: number("start_size"), window: number("recent_size") };
    default:
      return { causal: true };
  }
}

function masked(golden: GoldenCase): Record<string, unknown> {
  const mask = maskOf(golden.params);
  const sinks = golden.inputs.sinks === undefined ? [] : readVector(golden.inputs.sinks, "sinks");
  const dim = readMatrixList(golden.inputs.q, "q")[0]?.[0]?.length ?? 1;
  const attention = (scene: Scene) =>
    buildAttention(none, { num_heads: 1, head_dim: dim }, scene, mask, sinks[scene.head]);
  // The case's own mask holds for every key, so the causal keys are the masked ones.
  return { ...evaluateGoldenAttention(attention, golden), ...maskKeys(golden, mask) };
}

function maskKeys(golden: GoldenCase, mask: Mask): Record<string, unknown> {
  const length = readMatrixList(golden.inputs.q, "q")[0]?.length ?? 0;
  const rows = indexRange(0, length);
  const shape = { mask, queryLength: length, keyLength: length };
  const allowed = maskMatrix({ ...shape, deltaOffset: 0, terms: [] }, rows, rows);
  const cache = streamingCache(shape, length - 1);
  return {
    allowed: nestRows(Float64Array.from(allowed), length),
    kept_keys_last_query: cache.keys,
    cache_positions_last_query: cache.positions,
  };
}

function workedExample(golden: GoldenCase): Record<string, unknown> {
  const x = readMatrix(golden.inputs.x, "x");
  const keys = ({ scores, probs, bias, vectors }: WorkedExample) => ({ scores, probs, bias, vectors });
  switch (golden.params.kind) {
    case "absolute": {
      const p = readMatrix(golden.inputs.p, "p");
      const example = exampleAbsolute(x, p);
      return { ...keys(example), x_plus_p: example.vectors, ...exampleFourTerms(x, p) };
    }
    case "bias": {
      const given = golden.params.bias_by_distance;
      const values = typeof given === "object" && given !== null ? Object.values(given).map(Number) : [];
      return keys(exampleDistanceBias(x, values));
    }
    case "rope": {
      const example = exampleRope(x, Number(golden.params.theta), readVector(golden.inputs.positions, "positions"));
      return { ...keys(example), rotated: example.vectors };
    }
    default:
      return keys(exampleWithoutPositions(x));
  }
}

export const engineGolden: readonly GoldenAdapter[] = [
  { files: ["absolute_four_term"], compute: fourTerms },
  { files: ["masks"], compute: masked },
  { files: ["worked_example"], compute: workedExample },
];

import { frequenciesForLength, readPairLayout } from "../../../src/core/encodings/rope/attention.ts";
import {
  inverseFrequencies,
  inverseFrequenciesFloat32,
  llama3Bands,
  ntkBase,
  type RotaryFrequencies,
  readYarnParams,
  replayDynamicCalls,
  rotaryDim,
  unscaledFrequencies,
  wavelengths,
} from "../../../src/core/encodings/rope/frequencies.ts";
import { gptjEmbedPositions, layoutPermutation, rotationMatrix } from "../../../src/core/encodings/rope/matrix.ts";
import { rope } from "../../../src/core/encodings/rope/rope.ts";
import { lineRotation, pairIndices, type Rotation, rotatedFactor } from "../../../src/core/encodings/rope/rotation.ts";
import { correctionRange, deepseekSoftmaxScale, yarnMscale } from "../../../src/core/encodings/rope/yarn.ts";
import { getNumber, optionalNumber } from "../../../src/core/encodings/support/schema.ts";
import type { Params } from "../../../src/core/spec.ts";
import { readVector } from "../../../src/core/terms/read.ts";
import { buildGoldenScene, computeGoldenAttention, type GoldenAttention, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";
import { listCosSinRows, rotateHeads } from "../rotary.ts";

/** Golden values of `rope`: the keys of `expected` and the functions of core that compute them. */

/** A golden case with its parameters read, shared by all keys below. */
interface RopeCase {
  readonly golden: GoldenCase;
  readonly params: Params;
  /** Position of each key. */
  readonly positions: readonly number[];
  readonly frequencies: RotaryFrequencies;
  readonly attention: () => GoldenAttention;
}

function readCaseRopeType(golden: GoldenCase): unknown {
  return golden.params.rope_type ?? { rope_ntk_aware: "ntk", yarn: "yarn" }[golden.encoding] ?? "default";
}

function readRopeCase(golden: GoldenCase): RopeCase {
  const params = readGoldenParams(rope, { params: { ...golden.params, rope_type: readCaseRopeType(golden) } });
  const length = buildGoldenScene(golden, 0).keyLength;
  const positions =
    golden.inputs.position_ids === undefined
      ? Array.from({ length }, (_, index) => index)
      : readVector(golden.inputs.position_ids, "position_ids");
  const frequencies = frequenciesForLength(params, Math.max(0, ...positions) + 1);
  let attention: GoldenAttention | undefined;
  return {
    golden,
    params,
    positions,
    frequencies,
    attention: () => {
      attention ??= computeGoldenAttention(rope, params, golden);
      return attention;
    },
  };
}

function caseRotation(c: RopeCase): Rotation {
  return lineRotation(c.frequencies.inv_freq, (index) => c.positions[index] ?? 0, c.frequencies.attention_scaling);
}

function listCaseCosSin(c: RopeCase, which: "cos" | "sin"): number[][] {
  return listCosSinRows(caseRotation(c), c.positions.length, which, c.golden.inputs.q !== undefined);
}

function rotateCaseHeads(c: RopeCase, which: "q" | "k"): number[][][] {
  const pairs = pairIndices(readPairLayout(c.params), c.frequencies.inv_freq.length);
  return rotateHeads(c.golden, (rows) => rotatedFactor(rows, pairs, caseRotation(c)), which);
}

/** One list, or one per call if the case lists call lengths (dynamic NTK). */
function listFrequencies(c: RopeCase): unknown {
  const lengths = c.golden.inputs.seq_len;
  if (!Array.isArray(lengths)) return c.frequencies.inv_freq;
  return readVector(lengths, "seq_len").map((seq_len) => inverseFrequencies({ ...c.params, seq_len }).inv_freq);
}

/** Scores are the same at each offset of `offsets`; the largest offset is compared. */
function computeOffsetScores(c: RopeCase): number[][][] {
  const offset = readVector(c.golden.params.offsets, "offsets").at(-1) ?? 0;
  const { keyLength } = buildGoldenScene(c.golden, 0);
  const position_ids = Array.from({ length: keyLength }, (_, index) => index + offset);
  return computeGoldenAttention(rope, c.params, { ...c.golden, inputs: { ...c.golden.inputs, position_ids } }).scores;
}

type GoldenReader = (c: RopeCase) => unknown;

const matrixAt = (c: RopeCase, layout: "half" | "interleaved") =>
  rotationMatrix(c.frequencies.inv_freq, Number(c.golden.inputs.position), layout);

const GOLDEN_READERS: Readonly<Record<string, GoldenReader>> = {
  inv_freq: listFrequencies,
  inv_freq_init_f32: (c) => inverseFrequenciesFloat32(c.params),
  inv_freq_after_call: (c) =>
    replayDynamicCalls(c.params, readVector(c.golden.inputs.seq_len_of_calls, "seq_len_of_calls")),
  attention_scaling: (c) => c.frequencies.attention_scaling,
  cos: (c) => listCaseCosSin(c, "cos"),
  sin: (c) => listCaseCosSin(c, "sin"),
  q_rot: (c) => rotateCaseHeads(c, "q"),
  k_rot: (c) => rotateCaseHeads(c, "k"),
  scores: (c) => (c.golden.params.offsets === undefined ? c.attention().scores : computeOffsetScores(c)),
  probs: (c) => c.attention().probs,
  probs_causal: (c) => c.attention().probs_causal,
  output: (c) => c.attention().output,
  output_causal: (c) => c.attention().output_causal,
  matrix_rotate_half: (c) => matrixAt(c, "half"),
  matrix_interleaved: (c) => matrixAt(c, "interleaved"),
  permutation: (c) => layoutPermutation(c.frequencies.inv_freq.length),
  embed_positions: (c) => gptjEmbedPositions(c.frequencies.inv_freq, c.positions.length),
  scaled_base: (c) => ntkBase(getNumber(c.params, "rope_theta"), getNumber(c.params, "factor"), rotaryDim(c.params)),
  correction_range: (c) => correctionRange(readYarnParams(c.params)),
  mscale: (c) => yarnMscale(getNumber(c.params, "factor"), getNumber(c.params, "mscale_all_dim")),
  softmax_scale: (c) =>
    deepseekSoftmaxScale(
      getNumber(c.params, "qk_head_dim"),
      getNumber(c.params, "factor"),
      optionalNumber(c.params, "mscale_all_dim") ?? 0,
    ),
  wavelength: (c) => wavelengths(unscaledFrequencies(c.params)),
  band: (c) => llama3Bands(c.params),
};

/** Values of the keys in the case's `expected`. */
function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const ropeCase = readRopeCase(golden);
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(golden.expected)) {
    const reader = GOLDEN_READERS[key];
    if (reader !== undefined) values[key] = reader(ropeCase);
  }
  return values;
}

export const adapter: GoldenAdapter = {
  encoding: rope,
  files: [
    "rope",
    "rope_linear_interpolation",
    "rope_ntk_aware",
    "rope_dynamic_ntk",
    "partial_rope",
    "proportional_rope",
    "yarn",
    "longrope",
    "llama3_rope",
  ],
  compute: computeGolden,
};

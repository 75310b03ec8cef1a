import { wavelengths } from "../../measure/frequencies.ts";
import type { Params, ParamValue } from "../../spec.ts";
import { readVector } from "../../terms/read.ts";
import type { Factor } from "../../terms/term.ts";
import type { Encoding, GoldenCase, Scene } from "../encoding.ts";
import { buildGoldenScene, computeGoldenAttention, type GoldenAttention, nestFactorRows } from "../support/golden.ts";
import { getNumber, optionalNumber, requireParams } from "../support/schema.ts";
import { frequenciesForLength, readPairLayout } from "./attention.ts";
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
} from "./frequencies.ts";
import { gptjEmbedPositions, layoutPermutation, rotationMatrix } from "./matrix.ts";
import { lineRotation, pairIndices, type Rotation, rotatedFactor } from "./rotation.ts";
import { correctionRange, deepseekSoftmaxScale, yarnMscale } from "./yarn.ts";

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

function isParamValue(value: unknown): value is ParamValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === "number");
  return value === null || ["number", "string", "boolean"].includes(typeof value);
}

/** Checked values of the case, limited to parameters of the encoding. */
export function readCaseParams(encoding: Encoding, given: Readonly<Record<string, unknown>>): Params {
  const known = new Set(encoding.parameters.flatMap((parameter) => [parameter.name, ...(parameter.aliases ?? [])]));
  const params: Record<string, ParamValue> = {};
  for (const [name, value] of Object.entries(given)) if (known.has(name) && isParamValue(value)) params[name] = value;
  return requireParams(encoding, params);
}

function readCaseRopeType(golden: GoldenCase): unknown {
  return golden.params.rope_type ?? { rope_ntk_aware: "ntk", yarn: "yarn" }[golden.encoding] ?? "default";
}

function readRopeCase(rope: Encoding, golden: GoldenCase): RopeCase {
  const params = readCaseParams(rope, { ...golden.params, rope_type: readCaseRopeType(golden) });
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

/**
 * Cosines or sines at every position, as the golden files have them: [f|f] if the case contains vectors, else one
 * column per frequency.
 */
export function listCosSinRows(rotation: Rotation, count: number, which: "cos" | "sin", doubled: boolean): number[][] {
  const cos = new Float64Array(rotation.pairs);
  const sin = new Float64Array(rotation.pairs);
  return Array.from({ length: count }, (_, index) => {
    rotation.write(index, cos, sin);
    const row = Array.from(which === "cos" ? cos : sin);
    return doubled ? [...row, ...row] : row;
  });
}

/** Rotated rows of every head, [heads][positions][head_dim]. */
export function rotateHeads(
  golden: GoldenCase,
  rotate: (rows: Factor, scene: Scene) => Factor,
  which: "q" | "k",
): number[][][] {
  const list = golden.inputs[which];
  const heads = Array.isArray(list) ? list.length : 0;
  return Array.from({ length: heads }, (_, head) => {
    const scene = buildGoldenScene(golden, head);
    const count = which === "q" ? scene.queryLength : scene.keyLength;
    return nestFactorRows(rotate(scene.content.rows(which, head, 0), scene), count);
  });
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
function computeOffsetScores(rope: Encoding, c: RopeCase): number[][][] {
  const offset = readVector(c.golden.params.offsets, "offsets").at(-1) ?? 0;
  const { keyLength } = buildGoldenScene(c.golden, 0);
  const position_ids = Array.from({ length: keyLength }, (_, index) => index + offset);
  return computeGoldenAttention(rope, c.params, { ...c.golden, inputs: { ...c.golden.inputs, position_ids } }).scores;
}

type GoldenReader = (c: RopeCase, rope: Encoding) => unknown;

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
  scores: (c, rope) => (c.golden.params.offsets === undefined ? c.attention().scores : computeOffsetScores(rope, c)),
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
export function computeRopeGolden(rope: Encoding, golden: GoldenCase): Record<string, unknown> {
  const ropeCase = readRopeCase(rope, golden);
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(golden.expected)) {
    const reader = GOLDEN_READERS[key];
    if (reader !== undefined) values[key] = reader(ropeCase, rope);
  }
  return values;
}

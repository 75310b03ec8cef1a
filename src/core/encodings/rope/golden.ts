import { wavelengths } from "../../measure/frequencies.ts";
import type { Params, ParamValue } from "../../spec.ts";
import { readVector } from "../../terms/read.ts";
import type { Factor } from "../../terms/term.ts";
import type { Encoding, GoldenCase, Scene } from "../encoding.ts";
import { type AttentionGolden, attentionGolden, nestedRows, sceneOf } from "../support/golden.ts";
import { numberOf, optionalNumber, requireParams } from "../support/schema.ts";
import { callFrequencies, layoutOf } from "./attention.ts";
import {
  dynamicCallSequence,
  inverseFrequencies,
  inverseFrequenciesFloat32,
  llama3Bands,
  ntkBase,
  plainFrequencies,
  type RotaryFrequencies,
  rotaryDim,
  yarnShape,
} from "./frequencies.ts";
import { gptjEmbedPositions, layoutPermutation, rotationMatrix } from "./matrix.ts";
import { lineRotation, pairsOf, type Rotation, rotatedFactor } from "./rotation.ts";
import { correctionRange, deepseekSoftmaxScale, yarnMscale } from "./yarn.ts";

/** Adapter of the golden files of `rope`: each key of `expected`, and the function of core that yields it. */

/** A case read once, so that each key below is one line. */
interface RopeCase {
  readonly golden: GoldenCase;
  readonly params: Params;
  /** Every position of the call. */
  readonly positions: readonly number[];
  readonly frequencies: RotaryFrequencies;
  readonly attention: () => AttentionGolden;
}

function isParamValue(value: unknown): value is ParamValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === "number");
  return value === null || ["number", "string", "boolean"].includes(typeof value);
}

/** Values of a case that the encoding has a parameter for, checked. */
export function caseParams(encoding: Encoding, given: Readonly<Record<string, unknown>>): Params {
  const known = new Set(encoding.parameters.flatMap((parameter) => [parameter.name, ...(parameter.aliases ?? [])]));
  const params: Record<string, ParamValue> = {};
  for (const [name, value] of Object.entries(given)) if (known.has(name) && isParamValue(value)) params[name] = value;
  return requireParams(encoding, params);
}

function caseType(golden: GoldenCase): unknown {
  return golden.params.rope_type ?? { rope_ntk_aware: "ntk", yarn: "yarn" }[golden.encoding] ?? "default";
}

function readCase(rope: Encoding, golden: GoldenCase): RopeCase {
  const params = caseParams(rope, { ...golden.params, rope_type: caseType(golden) });
  const length = sceneOf(golden, 0).keyLength;
  const positions =
    golden.inputs.position_ids === undefined
      ? Array.from({ length }, (_, index) => index)
      : readVector(golden.inputs.position_ids, "position_ids");
  const frequencies = callFrequencies(params, Math.max(0, ...positions) + 1);
  let attention: AttentionGolden | undefined;
  return {
    golden,
    params,
    positions,
    frequencies,
    attention: () => {
      attention ??= attentionGolden(rope, params, golden);
      return attention;
    },
  };
}

/**
 * Cosines or sines at every position: as [f|f] where a model's vectors go with them, else one column per frequency,
 * which is how the files print them.
 */
export function turnTable(rotation: Rotation, count: number, which: "cos" | "sin", doubled: boolean): number[][] {
  const cos = new Float64Array(rotation.pairs);
  const sin = new Float64Array(rotation.pairs);
  return Array.from({ length: count }, (_, index) => {
    rotation.write(index, cos, sin);
    const row = Array.from(which === "cos" ? cos : sin);
    return doubled ? [...row, ...row] : row;
  });
}

/** The rows of every head, turned. [heads][positions][head_dim] */
export function rotatedHeads(
  golden: GoldenCase,
  turn: (rows: Factor, scene: Scene) => Factor,
  which: "q" | "k",
): number[][][] {
  const list = golden.inputs[which];
  const heads = Array.isArray(list) ? list.length : 0;
  return Array.from({ length: heads }, (_, head) => {
    const scene = sceneOf(golden, head);
    const count = which === "q" ? scene.queryLength : scene.keyLength;
    return nestedRows(turn(scene.content.rows(which, head, 0), scene), count);
  });
}

function rotationOf(c: RopeCase): Rotation {
  return lineRotation(c.frequencies.inv_freq, (index) => c.positions[index] ?? 0, c.frequencies.attention_scaling);
}

function table(c: RopeCase, which: "cos" | "sin"): number[][] {
  return turnTable(rotationOf(c), c.positions.length, which, c.golden.inputs.q !== undefined);
}

function rotated(c: RopeCase, which: "q" | "k"): number[][][] {
  const pairs = pairsOf(layoutOf(c.params), c.frequencies.inv_freq.length);
  return rotatedHeads(c.golden, (rows) => rotatedFactor(rows, pairs, rotationOf(c)), which);
}

/** A list of call lengths gives a list of lists (dynamic NTK). */
function frequencyLists(c: RopeCase): unknown {
  const lengths = c.golden.inputs.seq_len;
  if (!Array.isArray(lengths)) return c.frequencies.inv_freq;
  return readVector(lengths, "seq_len").map((seq_len) => inverseFrequencies({ ...c.params, seq_len }).inv_freq);
}

/** Scores at each offset of `offsets` are the same; the last, which is the farthest, is compared. */
function offsetScores(rope: Encoding, c: RopeCase): number[][][] {
  const offset = readVector(c.golden.params.offsets, "offsets").at(-1) ?? 0;
  const { keyLength } = sceneOf(c.golden, 0);
  const position_ids = Array.from({ length: keyLength }, (_, index) => index + offset);
  return attentionGolden(rope, c.params, { ...c.golden, inputs: { ...c.golden.inputs, position_ids } }).scores;
}

type Reader = (c: RopeCase, rope: Encoding) => unknown;

const matrixAt = (c: RopeCase, layout: "half" | "interleaved") =>
  rotationMatrix(c.frequencies.inv_freq, Number(c.golden.inputs.position), layout);

const KEYS: Readonly<Record<string, Reader>> = {
  inv_freq: frequencyLists,
  inv_freq_init_f32: (c) => inverseFrequenciesFloat32(c.params),
  inv_freq_after_call: (c) =>
    dynamicCallSequence(c.params, readVector(c.golden.inputs.seq_len_of_calls, "seq_len_of_calls")),
  attention_scaling: (c) => c.frequencies.attention_scaling,
  cos: (c) => table(c, "cos"),
  sin: (c) => table(c, "sin"),
  q_rot: (c) => rotated(c, "q"),
  k_rot: (c) => rotated(c, "k"),
  scores: (c, rope) => (c.golden.params.offsets === undefined ? c.attention().scores : offsetScores(rope, c)),
  probs: (c) => c.attention().probs,
  probs_causal: (c) => c.attention().probs_causal,
  output: (c) => c.attention().output,
  output_causal: (c) => c.attention().output_causal,
  matrix_rotate_half: (c) => matrixAt(c, "half"),
  matrix_interleaved: (c) => matrixAt(c, "interleaved"),
  permutation: (c) => layoutPermutation(c.frequencies.inv_freq.length),
  embed_positions: (c) => gptjEmbedPositions(c.frequencies.inv_freq, c.positions.length),
  scaled_base: (c) => ntkBase(numberOf(c.params, "rope_theta"), numberOf(c.params, "factor"), rotaryDim(c.params)),
  correction_range: (c) => correctionRange(yarnShape(c.params)),
  mscale: (c) => yarnMscale(numberOf(c.params, "factor"), numberOf(c.params, "mscale_all_dim")),
  softmax_scale: (c) =>
    deepseekSoftmaxScale(
      numberOf(c.params, "qk_head_dim"),
      numberOf(c.params, "factor"),
      optionalNumber(c.params, "mscale_all_dim") ?? 0,
    ),
  wavelength: (c) => wavelengths(plainFrequencies(c.params)),
  band: (c) => llama3Bands(c.params),
};

/** Values of the keys that a case asks for. */
export function ropeGolden(rope: Encoding, golden: GoldenCase): Record<string, unknown> {
  const read = readCase(rope, golden);
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(golden.expected)) {
    const reader = KEYS[key];
    if (reader !== undefined) values[key] = reader(read, rope);
  }
  return values;
}

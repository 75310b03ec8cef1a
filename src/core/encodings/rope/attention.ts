import type { Layout, Params } from "../../spec.ts";
import type { ProductTerm } from "../../terms/term.ts";
import type { PositionTable, Scene } from "../encoding.ts";
import { numberOf, optionalNumber, stringOf } from "../schema.ts";
import { factorOf, inverseFrequencies, type RotaryFrequencies, rotaryDim } from "./frequencies.ts";
import { positionsOf } from "./positions.ts";
import { lineRotation, pairsOf, rotatedFactor, rotatedProfile, type TablePrecision } from "./rotation.ts";
import { headRows, rotatedTerm } from "./term.ts";
import { yarnMscale } from "./yarn.ts";

/** `rope` in a scene: its one term, and its table of cosines and sines. */

export function layoutOf(params: Params): Layout {
  return params.layout === "interleaved" ? "interleaved" : "half";
}

export function precisionOf(params: Params): TablePrecision {
  const value = params.table_precision;
  return value === "float32" || value === "bfloat16" ? value : "exact";
}

/** The frequencies of this call: `seq_len`, or else the largest position + 1, as transformers takes it. */
export function callFrequencies(params: Params, length: number): RotaryFrequencies {
  return inverseFrequencies({ ...params, seq_len: optionalNumber(params, "seq_len") ?? length });
}

const SCALING_NAMES: Readonly<Record<string, string>> = { yarn: "YaRN", longrope: "LongRoPE" };

/** The scale of the term, and what it is made of. */
function scaleOf(params: Params, attentionScaling: number): Pick<ProductTerm, "scale" | "scaleParts"> {
  const dim = optionalNumber(params, "qk_head_dim") ?? numberOf(params, "head_dim");
  const parts = [{ value: 1 / Math.sqrt(dim), text: `1/√${dim}` }];
  const squared = (value: number, name: string) =>
    parts.push({ value: value * value, text: `${Number(value.toPrecision(5))}² (${name})` });
  if (attentionScaling !== 1) squared(attentionScaling, SCALING_NAMES[stringOf(params, "rope_type")] ?? "RoPE");
  const mscale = softmaxMscale(params);
  if (mscale !== 1) squared(mscale, "mscale");
  return { scale: parts.reduce((product, part) => product * part.value, 1), scaleParts: parts };
}

/** DeepSeek's factor whose square multiplies the softmax scale; 1 for everyone else. */
export function softmaxMscale(params: Params): number {
  if (params.rope_type !== "yarn" || params.yarn_apply_mscale !== true) return 1;
  const all = optionalNumber(params, "mscale_all_dim") ?? 0;
  return all === 0 ? 1 : yarnMscale(factorOf(params), all);
}

/**
 * content · content with both factors turned. The square of the attention scaling stands in the term's scale where
 * the whole head turns; where a part of it passes through, only the turned part carries it: then it is in the
 * factors, as in the code.
 */
export function ropeTerm(params: Params, scene: Scene): ProductTerm {
  const positions = positionsOf(scene);
  const { inv_freq, attention_scaling } = callFrequencies(params, positions.length);
  const whole = rotaryDim(params) === numberOf(params, "head_dim") && precisionOf(params) === "exact";
  const inFactors = whole ? 1 : attention_scaling;
  const pairs = pairsOf(layoutOf(params), inv_freq.length);
  const turn = (position: (index: number) => number) =>
    lineRotation(inv_freq, position, inFactors, precisionOf(params));
  const query = headRows(scene, params, "q");
  const key = headRows(scene, params, "k");
  const deltaOnly = scene.content.constant && positions.consecutive && precisionOf(params) === "exact";
  return rotatedTerm(
    rotatedFactor(query, pairs, turn(positions.query)),
    rotatedFactor(key, pairs, turn(positions.key)),
    scaleOf(params, whole ? attention_scaling : 1),
    deltaOnly ? rotatedProfile(query, key, pairs, inv_freq, inFactors) : undefined,
  );
}

/** Rows [cos of all pairs | sin of all pairs] of each key's position, the attention scaling included. */
export function ropeTable(params: Params, scene: Scene): PositionTable {
  const positions = positionsOf(scene);
  const { inv_freq, attention_scaling } = callFrequencies(params, positions.length);
  const count = inv_freq.length;
  const rotation = lineRotation(inv_freq, positions.key, attention_scaling, precisionOf(params));
  return {
    rows: {
      dim: 2 * count,
      write: (index, out, offset) =>
        rotation.write(index, out.subarray(offset, offset + count), out.subarray(offset + count, offset + 2 * count)),
    },
    column: (index) => `${index < count ? "cos" : "sin"} ω${subscript(index % count)}`,
  };
}

export function subscript(value: number): string {
  return [...String(value)].map((digit) => String.fromCharCode(0x2080 + Number(digit))).join("");
}

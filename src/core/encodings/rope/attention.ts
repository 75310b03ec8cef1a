import type { Layout, Params } from "../../spec.ts";
import type { ProductTerm } from "../../terms/term.ts";
import type { PositionTable, Scene } from "../encoding.ts";
import { numberOf, optionalNumber, stringOf } from "../support/schema.ts";
import { axialTable, axialTerm } from "./axial.ts";
import { factorOf, inverseFrequencies, type RotaryFrequencies, rotaryDim } from "./frequencies.ts";
import { positionsOf } from "./positions.ts";
import { rotatedProfile } from "./profile.ts";
import { lineRotation, pairsOf, rotatedFactor, type TablePrecision } from "./rotation.ts";
import { turnColumns } from "./table.ts";
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

/** Where the factor on cosine and sine stands: in the rows, or (squared) in the term's scale. */
export interface AttentionScale {
  readonly inFactors: number;
  readonly ofTerm: Pick<ProductTerm, "scale" | "scaleParts">;
}

/**
 * The square of the attention scaling stands in the term's scale where the whole head turns; where a part of it
 * passes through, only the turned part carries it: then it is in the factors, as in the code.
 */
export function attentionScale(params: Params, attentionScaling: number): AttentionScale {
  const whole = rotaryDim(params) === numberOf(params, "head_dim") && precisionOf(params) === "exact";
  const dim = optionalNumber(params, "qk_head_dim") ?? numberOf(params, "head_dim");
  const parts = [{ value: 1 / Math.sqrt(dim), text: `1/√${dim}` }];
  const squared = (value: number, name: string) =>
    parts.push({ value: value * value, text: `${Number(value.toPrecision(7))}² (${name})` });
  if (whole && attentionScaling !== 1) {
    squared(attentionScaling, SCALING_NAMES[stringOf(params, "rope_type")] ?? "RoPE");
  }
  const mscale = softmaxMscale(params);
  if (mscale !== 1) squared(mscale, "mscale");
  return {
    inFactors: whole ? 1 : attentionScaling,
    ofTerm: { scale: parts.reduce((product, part) => product * part.value, 1), scaleParts: parts },
  };
}

/** DeepSeek's factor whose square multiplies the softmax scale; 1 for everyone else. */
export function softmaxMscale(params: Params): number {
  if (params.rope_type !== "yarn" || params.yarn_apply_mscale !== true) return 1;
  const all = optionalNumber(params, "mscale_all_dim") ?? 0;
  return all === 0 ? 1 : yarnMscale(factorOf(params), all);
}

/** `rope_type` axial is that of the Qwen2-VL vision tower; `axial_rope` has the other models' ways. */
export function axialParams(params: Params): Params {
  return { ...params, variant: "qwen2_vl_vision", image_size: null, num_prefix_tokens: 0 };
}

/** content · content with both factors turned. */
export function ropeTerm(params: Params, scene: Scene): ProductTerm {
  if (params.rope_type === "axial") return axialTerm(axialParams(params), scene);
  const positions = positionsOf(scene);
  const { inv_freq, attention_scaling } = callFrequencies(params, positions.length);
  const { inFactors, ofTerm } = attentionScale(params, attention_scaling);
  const pairs = pairsOf(layoutOf(params), inv_freq.length);
  const turn = (position: (index: number) => number) =>
    lineRotation(inv_freq, position, inFactors, precisionOf(params));
  const query = headRows(scene, params, "q");
  const key = headRows(scene, params, "k");
  const deltaOnly = scene.content.constant && positions.consecutive && precisionOf(params) === "exact";
  return rotatedTerm(
    rotatedFactor(query, pairs, turn(positions.query)),
    rotatedFactor(key, pairs, turn(positions.key)),
    ofTerm,
    deltaOnly ? rotatedProfile(query, key, pairs, inv_freq, inFactors ** 2) : undefined,
  );
}

/** Cosines and sines at each key's position, the attention scaling included. */
export function ropeTable(params: Params, scene: Scene): PositionTable {
  if (params.rope_type === "axial") return axialTable(axialParams(params), scene);
  const positions = positionsOf(scene);
  const { inv_freq, attention_scaling } = callFrequencies(params, positions.length);
  return turnColumns(lineRotation(inv_freq, positions.key, attention_scaling, precisionOf(params)));
}

import type { PairLayout, Params } from "../../spec.ts";
import type { PositionTable, Scene } from "../../terms/scene.ts";
import type { ProductTerm } from "../../terms/term.ts";
import { ownValue } from "../../util/ownValue.ts";
import { getNumber, getString, optionalNumber } from "../support/schema.ts";
import { buildAxialTable, buildAxialTerm } from "./axial.ts";
import { contextFactor, inverseFrequencies, type RotaryFrequencies, rotaryDim } from "./frequencies.ts";
import { resolvePositions } from "./positions.ts";
import { buildRotatedProfile } from "./profile.ts";
import { lineRotation, pairIndices, rotatedFactor, type TablePrecision } from "./rotation.ts";
import { buildRotationTable } from "./table.ts";
import { buildRotatedTerm, readHeadRows } from "./term.ts";
import { yarnMscale } from "./yarn.ts";

/** The term and the table of `rope` for a scene. */

export function readPairLayout(params: Params): PairLayout {
  return params.layout === "interleaved" ? "interleaved" : "half";
}

export function readTablePrecision(params: Params): TablePrecision {
  const value = params.table_precision;
  return value === "float32" || value === "bfloat16" ? value : "exact";
}

/** The frequencies of a call: for `seq_len` if set, else for the largest position + 1, as in transformers. */
export function frequenciesForLength(params: Params, length: number): RotaryFrequencies {
  return inverseFrequencies({ ...params, seq_len: optionalNumber(params, "seq_len") ?? length });
}

const SCALING_NAMES: Readonly<Record<string, string>> = { yarn: "YaRN", longrope: "LongRoPE" };

/** Where the factor on cosine and sine is applied: to the rows, or squared in the term's scale. */
export interface AttentionScale {
  readonly cosSinFactor: number;
  readonly termScale: Pick<ProductTerm, "scale" | "scaleParts">;
}

/**
 * If the whole head rotates, the squared attention scaling goes into the term's scale. If only part of it rotates, the
 * factor applies to that part only, so it goes into the rows, as in the models' code.
 */
export function resolveAttentionScale(params: Params, attentionScaling: number): AttentionScale {
  const scalesWholeProduct =
    rotaryDim(params) === getNumber(params, "head_dim") && readTablePrecision(params) === "exact";
  const dim = optionalNumber(params, "qk_head_dim") ?? getNumber(params, "head_dim");
  const parts = [{ value: 1 / Math.sqrt(dim), text: `1/√${dim}` }];
  const appendSquare = (value: number, name: string) =>
    parts.push({ value: value * value, text: `${Number(value.toPrecision(7))}² (${name})` });
  if (scalesWholeProduct && attentionScaling !== 1) {
    appendSquare(attentionScaling, ownValue(SCALING_NAMES, getString(params, "rope_type")) ?? "RoPE");
  }
  const mscale = softmaxMscale(params);
  if (mscale !== 1) appendSquare(mscale, "mscale");
  return {
    cosSinFactor: scalesWholeProduct ? 1 : attentionScaling,
    termScale: { scale: parts.reduce((product, part) => product * part.value, 1), scaleParts: parts },
  };
}

/** DeepSeek's mscale, whose square multiplies the softmax scale; 1 for other models. */
export function softmaxMscale(params: Params): number {
  if (params.rope_type !== "yarn" || params.yarn_apply_mscale !== true) return 1;
  const mscaleAllDim = optionalNumber(params, "mscale_all_dim") ?? 0;
  return mscaleAllDim === 0 ? 1 : yarnMscale(contextFactor(params), mscaleAllDim);
}

/** `rope_type` axial is the Qwen2-VL vision tower; `axial_rope` has the variants of other models. */
export function asAxialRopeParams(params: Params): Params {
  return { ...params, variant: "qwen2_vl_vision", image_size: null, num_prefix_tokens: 0 };
}

/** content · content with both factors rotated. */
export function buildRopeTerm(params: Params, scene: Scene): ProductTerm {
  if (params.rope_type === "axial") return buildAxialTerm(asAxialRopeParams(params), scene);
  const positions = resolvePositions(scene);
  const { inv_freq, attention_scaling } = frequenciesForLength(params, positions.length);
  const { cosSinFactor, termScale } = resolveAttentionScale(params, attention_scaling);
  const pairs = pairIndices(readPairLayout(params), inv_freq.length);
  const rotation = (position: (index: number) => number) =>
    lineRotation(inv_freq, position, cosSinFactor, readTablePrecision(params));
  const query = readHeadRows(scene, params, "q");
  const key = readHeadRows(scene, params, "k");
  const deltaOnly = scene.content.constant && positions.consecutive && readTablePrecision(params) === "exact";
  return buildRotatedTerm(
    rotatedFactor(query, pairs, rotation(positions.query)),
    rotatedFactor(key, pairs, rotation(positions.key)),
    termScale,
    deltaOnly ? buildRotatedProfile(query, key, pairs, inv_freq, cosSinFactor ** 2) : undefined,
  );
}

/** Cosines and sines at the position of each key, times the attention scaling. */
export function buildRopeTable(params: Params, scene: Scene): PositionTable {
  if (params.rope_type === "axial") return buildAxialTable(asAxialRopeParams(params), scene);
  const positions = resolvePositions(scene);
  const { inv_freq, attention_scaling } = frequenciesForLength(params, positions.length);
  return buildRotationTable(lineRotation(inv_freq, positions.key, attention_scaling, readTablePrecision(params)));
}

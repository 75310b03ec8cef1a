import type { Params } from "../../spec.ts";
import { readMatrix, readVector } from "../../terms/read.ts";
import type { Factor, ProductTerm } from "../../terms/term.ts";
import type { Encoding, GoldenCase, PositionTable, Scene } from "../encoding.ts";
import { attentionGolden, sceneOf } from "../support/golden.ts";
import { numbersOf } from "../support/schema.ts";
import { attentionScale, callFrequencies, layoutOf } from "./attention.ts";
import { inverseFrequencies } from "./frequencies.ts";
import { caseParams, rotatedHeads, turnTable } from "./golden.ts";
import { mropeAxes, mropePositions, mropeScene } from "./mropePositions.ts";
import { rotatedProfile } from "./profile.ts";
import { axesRotation, pairsOf, type Rotation, rotatedFactor } from "./rotation.ts";
import { turnColumns } from "./table.ts";
import { headRows, rotatedTerm } from "./term.ts";

/** `mrope` in a scene, its table, and its golden file. */

export function sectionOf(params: Params): readonly number[] {
  return numbersOf(params, "mrope_section") ?? [];
}

function axesOf(params: Params, pairs: number): number[] {
  return mropeAxes(pairs, sectionOf(params), params.mrope_interleaved === true);
}

export function mropeTerm(params: Params, scene: Scene): ProductTerm {
  const { at, textOnly, length } = mropeScene(params, scene);
  const { inv_freq, attention_scaling } = callFrequencies(params, length);
  const { inFactors, ofTerm } = attentionScale(params, attention_scaling);
  const axes = axesOf(params, inv_freq.length);
  const pairs = pairsOf(layoutOf(params), inv_freq.length);
  const offset = scene.keyLength - scene.queryLength;
  const query = headRows(scene, params, "q");
  const key = headRows(scene, params, "k");
  const turned = (rows: Factor, from: number) =>
    rotatedFactor(
      rows,
      pairs,
      axesRotation(inv_freq, axes, (index, axis) => at(index + from, axis), inFactors),
    );
  const deltaOnly = textOnly && scene.content.constant;
  return rotatedTerm(
    turned(query, offset),
    turned(key, 0),
    ofTerm,
    deltaOnly ? rotatedProfile(query, key, pairs, inv_freq, inFactors ** 2) : undefined,
  );
}

function keyRotation(params: Params, scene: Scene): Rotation {
  const { at, length } = mropeScene(params, scene);
  const { inv_freq, attention_scaling } = callFrequencies(params, length);
  return axesRotation(inv_freq, axesOf(params, inv_freq.length), at, attention_scaling);
}

export function mropeTable(params: Params, scene: Scene): PositionTable {
  return turnColumns(keyRotation(params, scene));
}

export function mropeDerived(params: Params): Record<string, unknown> {
  const frequencies = inverseFrequencies({ ...params, seq_len: null });
  return { ...frequencies, axis: axesOf(params, frequencies.inv_freq.length) };
}

/** The case that asks for positions alone. */
function positionIds(golden: GoldenCase): Record<string, unknown> {
  const types = readVector(golden.inputs.mm_token_type_ids, "mm_token_type_ids");
  const grids = readMatrix(golden.params.image_grid_thw, "image_grid_thw");
  const { positions, delta } = mropePositions(types, grids, Number(golden.params.spatial_merge_size));
  return { position_ids_thw: positions, mrope_position_delta: delta };
}

export function mropeGolden(mrope: Encoding, golden: GoldenCase): Record<string, unknown> {
  if (golden.inputs.mm_token_type_ids !== undefined) return positionIds(golden);
  const params = caseParams(mrope, golden.params);
  const scene = sceneOf(golden, 0);
  const { inv_freq } = inverseFrequencies(params);
  const rotation = keyRotation(params, scene);
  const pairs = pairsOf(layoutOf(params), inv_freq.length);
  const values: Record<string, unknown> = {
    inv_freq,
    axis_of_frequency: axesOf(params, inv_freq.length),
    cos: turnTable(rotation, scene.keyLength, "cos", true),
    sin: turnTable(rotation, scene.keyLength, "sin", true),
  };
  if (golden.inputs.q === undefined) return values;
  return {
    ...values,
    q_rot: rotatedHeads(golden, (rows) => rotatedFactor(rows, pairs, rotation), "q"),
    k_rot: rotatedHeads(golden, (rows) => rotatedFactor(rows, pairs, rotation), "k"),
    ...attentionGolden(mrope, params, golden),
  };
}

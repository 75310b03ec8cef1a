import type { Params } from "../../spec.ts";
import { readMatrix, readVector } from "../../terms/read.ts";
import type { Factor, ProductTerm } from "../../terms/term.ts";
import type { Encoding, GoldenCase, PositionTable, Scene } from "../encoding.ts";
import { buildGoldenScene, computeGoldenAttention } from "../support/golden.ts";
import { optionalNumbers } from "../support/schema.ts";
import { frequenciesForLength, readPairLayout, resolveAttentionScale } from "./attention.ts";
import { inverseFrequencies } from "./frequencies.ts";
import { listCosSinRows, readCaseParams, rotateHeads } from "./golden.ts";
import { assignMropeAxes, computeMropePositions, resolveMropeCoordinates } from "./mropePositions.ts";
import { buildRotatedProfile } from "./profile.ts";
import { axesRotation, pairIndices, type Rotation, rotatedFactor } from "./rotation.ts";
import { buildRotationTable } from "./table.ts";
import { buildRotatedTerm, readHeadRows } from "./term.ts";

/** The term, the table and the golden values of `mrope`. */

export function readMropeSection(params: Params): readonly number[] {
  return optionalNumbers(params, "mrope_section") ?? [];
}

function resolveMropeAxes(params: Params, pairs: number): number[] {
  return assignMropeAxes(pairs, readMropeSection(params), params.mrope_interleaved === true);
}

export function buildMropeTerm(params: Params, scene: Scene): ProductTerm {
  const { coordinate, textOnly, length } = resolveMropeCoordinates(params, scene);
  const { inv_freq, attention_scaling } = frequenciesForLength(params, length);
  const { cosSinFactor, termScale } = resolveAttentionScale(params, attention_scaling);
  const axes = resolveMropeAxes(params, inv_freq.length);
  const pairs = pairIndices(readPairLayout(params), inv_freq.length);
  const offset = scene.keyLength - scene.queryLength;
  const query = readHeadRows(scene, params, "q");
  const key = readHeadRows(scene, params, "k");
  const rotated = (rows: Factor, from: number) =>
    rotatedFactor(
      rows,
      pairs,
      axesRotation(inv_freq, axes, (index, axis) => coordinate(index + from, axis), cosSinFactor),
    );
  const deltaOnly = textOnly && scene.content.constant;
  return buildRotatedTerm(
    rotated(query, offset),
    rotated(key, 0),
    termScale,
    deltaOnly ? buildRotatedProfile(query, key, pairs, inv_freq, cosSinFactor ** 2) : undefined,
  );
}

function buildKeyRotation(params: Params, scene: Scene): Rotation {
  const { coordinate, length } = resolveMropeCoordinates(params, scene);
  const { inv_freq, attention_scaling } = frequenciesForLength(params, length);
  return axesRotation(inv_freq, resolveMropeAxes(params, inv_freq.length), coordinate, attention_scaling);
}

export function buildMropeTable(params: Params, scene: Scene): PositionTable {
  return buildRotationTable(buildKeyRotation(params, scene));
}

export function deriveMropeValues(params: Params): Record<string, unknown> {
  const frequencies = inverseFrequencies({ ...params, seq_len: null });
  return { ...frequencies, axis: resolveMropeAxes(params, frequencies.inv_freq.length) };
}

/** Golden case that covers only the position ids. */
function computePositionIds(golden: GoldenCase): Record<string, unknown> {
  const types = readVector(golden.inputs.mm_token_type_ids, "mm_token_type_ids");
  const grids = readMatrix(golden.params.image_grid_thw, "image_grid_thw");
  const { positions, delta } = computeMropePositions(types, grids, Number(golden.params.spatial_merge_size));
  return { position_ids_thw: positions, mrope_position_delta: delta };
}

export function computeMropeGolden(mrope: Encoding, golden: GoldenCase): Record<string, unknown> {
  if (golden.inputs.mm_token_type_ids !== undefined) return computePositionIds(golden);
  const params = readCaseParams(mrope, golden.params);
  const scene = buildGoldenScene(golden, 0);
  const { inv_freq } = inverseFrequencies(params);
  const rotation = buildKeyRotation(params, scene);
  const pairs = pairIndices(readPairLayout(params), inv_freq.length);
  const values: Record<string, unknown> = {
    inv_freq,
    axis_of_frequency: resolveMropeAxes(params, inv_freq.length),
    cos: listCosSinRows(rotation, scene.keyLength, "cos", true),
    sin: listCosSinRows(rotation, scene.keyLength, "sin", true),
  };
  if (golden.inputs.q === undefined) return values;
  return {
    ...values,
    q_rot: rotateHeads(golden, (rows) => rotatedFactor(rows, pairs, rotation), "q"),
    k_rot: rotateHeads(golden, (rows) => rotatedFactor(rows, pairs, rotation), "k"),
    ...computeGoldenAttention(mrope, params, golden),
  };
}

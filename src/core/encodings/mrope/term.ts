import type { Params } from "../../spec.ts";
import type { PositionTable, Scene } from "../../terms/scene.ts";
import type { Factor, ProductTerm } from "../../terms/term.ts";
import { frequenciesForLength, readPairLayout, resolveAttentionScale } from "../rope/attention.ts";
import { inverseFrequencies } from "../rope/frequencies.ts";
import { buildRotatedProfile } from "../rope/profile.ts";
import { axesRotation, pairIndices, type Rotation, rotatedFactor } from "../rope/rotation.ts";
import { buildRotationTable } from "../rope/table.ts";
import { buildRotatedTerm, readHeadRows } from "../rope/term.ts";
import { optionalNumbers } from "../support/schema.ts";
import { assignMropeAxes, resolveMropeCoordinates } from "./positions.ts";

/** The term, the table and the golden values of `mrope`. */

export function readMropeSection(params: Params): readonly number[] {
  return optionalNumbers(params, "mrope_section") ?? [];
}

export function resolveMropeAxes(params: Params, pairs: number): number[] {
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

export function buildKeyRotation(params: Params, scene: Scene): Rotation {
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

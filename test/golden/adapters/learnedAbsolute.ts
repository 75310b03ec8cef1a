import {
  buildInput,
  firstTokenRow,
  learnedAbsolute,
  resolveTableRows,
  TABLE_ARRAY_NAMES,
} from "../../../src/core/encodings/learnedAbsolute/learnedAbsolute.ts";
import { embedInput, embedTokens } from "../../../src/core/encodings/learnedAbsolute/positions.ts";
import { getNumber } from "../../../src/core/encodings/support/schema.ts";
import { absoluteValues } from "../../../src/core/terms/absolute.ts";
import { findInputArray } from "../../../src/core/terms/learned.ts";
import { readMatrix } from "../../../src/core/terms/read.ts";
import type { Scene } from "../../../src/core/terms/scene.ts";
import { buildGoldenScene, computeGoldenAttention, nestFactorRows, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(learnedAbsolute, golden);
  const { inputs } = golden;
  const rows = resolveTableRows(params, inputs);
  const given = findInputArray(inputs, TABLE_ARRAY_NAMES);
  if (given === undefined) return { position_ids: rows };
  const table = readMatrix(given.value, given.name);
  if (inputs.x !== undefined) {
    const values = (scene: Scene) => absoluteValues(scene, buildInput(params, inputs));
    return { ...computeGoldenAttention(learnedAbsolute, params, golden, values) };
  }
  const tokens = embedTokens(inputs)?.length ?? rows?.length ?? buildGoldenScene(golden, 0).keyLength;
  const tableRows = rows ?? Array.from({ length: tokens }, (_, n) => n + firstTokenRow(params));
  const eps = getNumber(params, "layer_norm_eps");
  return {
    position_ids: tableRows,
    embedding: nestFactorRows(buildInput(params, inputs).position, tokens),
    ...embedInput(inputs, table, tableRows, eps),
  };
}

export const adapter: GoldenAdapter = {
  encoding: learnedAbsolute,
  files: ["learned_absolute"],
  compute: computeGolden,
};

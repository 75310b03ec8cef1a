import { buildAttention } from "../../src/core/encodings/buildAttention.ts";
import type { Encoding } from "../../src/core/encodings/encoding.ts";
import { pickKnownParams, requireParams } from "../../src/core/encodings/support/schema.ts";
import type { Params, ParamValue } from "../../src/core/spec.ts";
import { isParamValue } from "../../src/core/spec.ts";
import {
  factorRows,
  indexRange,
  logitMatrix,
  outputMatrix,
  termMatrix,
  weightMatrix,
} from "../../src/core/terms/engine.ts";
import { buildInputScene } from "../../src/core/terms/inputScene.ts";
import { readMatrixList, readVector } from "../../src/core/terms/read.ts";
import type { Inputs, Scene } from "../../src/core/terms/scene.ts";
import type { Attention, Factor, Mask } from "../../src/core/terms/term.ts";
import type { GoldenCase } from "./case.ts";

/** Scene with the vectors of the golden case, whose lengths are the query and key lengths. */
export function buildGoldenScene({ inputs }: Pick<GoldenCase, "inputs">, head: number): Scene {
  return buildInputScene(inputs, head);
}

/** [rows][columns] as nested lists, the matrix format of the golden files. */
export function nestRows(values: Float64Array, columns: number): number[][] {
  const rows = columns === 0 ? 0 : values.length / columns;
  return Array.from({ length: rows }, (_, r) => Array.from(values.subarray(r * columns, (r + 1) * columns)));
}

/** Rows 0 … count − 1 of a factor as nested lists. */
export function nestFactorRows(factor: Factor, count: number): number[][] {
  return nestRows(factorRows(factor, indexRange(0, count)), factor.dim);
}

/** Parameters of the case under Posenc's names, with defaults filled in and checked. */
export function readGoldenParams(encoding: Encoding, golden: Pick<GoldenCase, "params">): Params {
  const values: Record<string, ParamValue> = {};
  for (const [name, value] of Object.entries(golden.params)) {
    if (isParamValue(value)) values[name] = value;
  }
  return requireParams(encoding, pickKnownParams(encoding, values));
}

export interface GoldenAttention {
  readonly scores: number[][][];
  readonly probs: number[][][];
  readonly probs_causal: number[][][];
  readonly output?: number[][][];
  readonly output_causal?: number[][][];
  /** Scaled values of one term, [heads][queries][keys]. */
  terms(id: string): number[][][];
}

function countGoldenHeads(golden: Pick<GoldenCase, "inputs" | "params">): number {
  if (golden.inputs.q !== undefined) return readMatrixList(golden.inputs.q, "q").length;
  return Number(golden.params.num_heads ?? golden.params.num_attention_heads ?? 1);
}

/**
 * Keys shared by all attention cases of the golden files: `scores`, `probs`, `output`, `probs_causal`, `output_causal`,
 * each [num_heads][query][key or head_dim].
 * @param params checked parameters of the encoding
 * @param values value vectors of a head, if they are not `inputs.v`
 */
export function computeGoldenAttention(
  encoding: Encoding,
  params: Params,
  golden: GoldenCase,
  values?: (scene: Scene) => Factor,
): GoldenAttention {
  return evaluateGoldenAttention((scene, mask) => buildAttention(encoding, params, scene, mask), golden, values);
}

/** The same keys for an attention without an encoding (the four-term expansion, the worked example). */
export function evaluateGoldenAttention(
  attention: (scene: Scene, mask: Mask) => Attention,
  golden: Pick<GoldenCase, "inputs" | "params">,
  values?: (scene: Scene) => Factor,
): GoldenAttention {
  const heads = Array.from({ length: countGoldenHeads(golden) }, (_, head) => buildGoldenScene(golden, head));
  const perHead = (
    read: (attention: Attention, scene: Scene) => Float64Array,
    mask: Mask,
    columns: (scene: Scene) => number,
  ) => heads.map((scene) => nestRows(read(attention(scene, mask), scene), columns(scene)));
  const queryIndices = (scene: Scene) => indexRange(0, scene.queryLength);
  const keyIndices = (scene: Scene) => indexRange(0, scene.keyLength);
  const computeWeights = (mask: Mask) =>
    perHead(
      (a, scene) => weightMatrix(a, queryIndices(scene), keyIndices(scene)),
      mask,
      (s) => s.keyLength,
    );
  const readValues = values ?? sceneValues;
  const computeOutput = (mask: Mask) =>
    perHead(
      (a, scene) => outputMatrix(a, readValues(scene), queryIndices(scene)),
      mask,
      (scene) => readValues(scene).dim,
    );
  const hasValues = values !== undefined || golden.inputs.v !== undefined;
  return {
    scores: perHead(
      (a, scene) => logitMatrix(a, queryIndices(scene), keyIndices(scene)),
      {},
      (scene) => scene.keyLength,
    ),
    probs: computeWeights({}),
    probs_causal: computeWeights({ causal: true }),
    ...(hasValues ? { output: computeOutput({}), output_causal: computeOutput({ causal: true }) } : {}),
    terms: (id) =>
      perHead(
        (a, scene) => computeScaledTerm(a, id, scene),
        {},
        (scene) => scene.keyLength,
      ),
  };
}

function sceneValues(scene: Scene): Factor {
  return scene.content.rows("v", scene.head, 0);
}

function computeScaledTerm(attention: Attention, id: string, scene: Scene): Float64Array {
  const term = attention.terms.find((candidate) => candidate.id === id);
  if (term === undefined) throw new Error(`no term ${id}`);
  const values = termMatrix(attention, term, indexRange(0, scene.queryLength), indexRange(0, scene.keyLength));
  return values.map((value) => value * term.scale);
}

/** `output` of the same attention with the tokens in the order of `inputs.permutation`. */
export function computePermutedOutput(encoding: Encoding, params: Params, golden: GoldenCase): number[][][] {
  const order = readVector(golden.inputs.permutation, "permutation");
  const permute = (name: string) =>
    readMatrixList(golden.inputs[name], name).map((head) => order.map((index) => head[index] ?? []));
  const inputs: Inputs = { q: permute("q"), k: permute("k"), v: permute("v") };
  return computeGoldenAttention(encoding, params, { ...golden, inputs }).output ?? [];
}

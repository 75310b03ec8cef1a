import type { Params, ParamValue } from "../../spec.ts";
import { givenContent } from "../../terms/content.ts";
import { factorRows, indexRange, logitMatrix, outputMatrix, termMatrix, weightMatrix } from "../../terms/engine.ts";
import { readMatrix, readTensor, readVector } from "../../terms/read.ts";
import type { Attention, Factor, Mask } from "../../terms/term.ts";
import { attentionOf, type Encoding, type GoldenCase, type Inputs, type Scene } from "../encoding.ts";
import { knownParams, requireParams } from "./schema.ts";

/** Helpers for the adapters that read the golden files' schema (also the command line's `--inputs`). */

function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}

/** A scene with the case's own vectors. Query and key lengths are those of the vectors. */
export function sceneOf(golden: Pick<GoldenCase, "inputs">, head: number): Scene {
  const { inputs } = golden;
  const q = optional(inputs.q, (value) => readTensor(value, "q"));
  const k = optional(inputs.k, (value) => readTensor(value, "k"));
  const v = optional(inputs.v, (value) => readTensor(value, "v"));
  const x = optional(inputs.x ?? inputs.hidden_states, (value) => readMatrix(value, "x"));
  const content = givenContent({
    ...(q === undefined ? {} : { q }),
    ...(k === undefined ? {} : { k }),
    ...(v === undefined ? {} : { v }),
    ...(x === undefined ? {} : { x }),
  });
  const queryLength = q?.[0]?.length ?? x?.length ?? 0;
  const keyLength = k?.[0]?.length ?? x?.length ?? 0;
  return { queryLength, keyLength, shift: 0, head, centre: 0, content, inputs };
}

/** [rows][columns] of nested lists, as the golden files write matrices. */
export function nested(values: Float64Array, columns: number): number[][] {
  const rows = columns === 0 ? 0 : values.length / columns;
  return Array.from({ length: rows }, (_, r) => Array.from(values.subarray(r * columns, (r + 1) * columns)));
}

/** Rows 0 … count − 1 of a factor as nested lists. */
export function nestedRows(factor: Factor, count: number): number[][] {
  return nested(factorRows(factor, indexRange(0, count)), factor.dim);
}

/** The case's parameters under our names, completed and checked. */
export function paramsOf(encoding: Encoding, golden: Pick<GoldenCase, "params">): Params {
  const values: Record<string, ParamValue> = {};
  for (const [name, value] of Object.entries(golden.params)) {
    if (isParamValue(value)) values[name] = value;
  }
  return requireParams(encoding, knownParams(encoding, values));
}

function isParamValue(value: unknown): value is ParamValue {
  if (Array.isArray(value)) {
    return (
      value.every((item: unknown) => typeof item === "number") ||
      value.every((item: unknown) => typeof item === "string")
    );
  }
  return value === null || ["number", "string", "boolean"].includes(typeof value);
}

export interface AttentionGolden {
  readonly scores: number[][][];
  readonly probs: number[][][];
  readonly probs_causal: number[][][];
  readonly output?: number[][][];
  readonly output_causal?: number[][][];
  /** Scaled values of one term, [heads][queries][keys]. */
  terms(id: string): number[][][];
}

function headCount(golden: Pick<GoldenCase, "inputs" | "params">): number {
  if (golden.inputs.q !== undefined) return readTensor(golden.inputs.q, "q").length;
  return Number(golden.params.num_heads ?? golden.params.num_attention_heads ?? 1);
}

/**
 * The keys that every attention case of the golden files has: `scores`, `probs`, `output`, `probs_causal`,
 * `output_causal`, each [num_heads][query][key or head_dim].
 * @param params checked parameters of the encoding
 * @param values the value vectors of a head, when they are not `inputs.v`
 */
export function attentionGolden(
  encoding: Encoding,
  params: Params,
  golden: GoldenCase,
  values?: (scene: Scene) => Factor,
): AttentionGolden {
  return goldenOf((scene, mask) => attentionOf(encoding, params, scene, mask), golden, values);
}

/** The same keys for an attention that is no encoding's own (the four-term expansion, the worked example). */
export function goldenOf(
  attention: (scene: Scene, mask: Mask) => Attention,
  golden: Pick<GoldenCase, "inputs" | "params">,
  values?: (scene: Scene) => Factor,
): AttentionGolden {
  const heads = Array.from({ length: headCount(golden) }, (_, head) => sceneOf(golden, head));
  const each = (
    read: (attention: Attention, scene: Scene) => Float64Array,
    mask: Mask,
    columns: (scene: Scene) => number,
  ) => heads.map((scene) => nested(read(attention(scene, mask), scene), columns(scene)));
  const rows = (scene: Scene) => indexRange(0, scene.queryLength);
  const keys = (scene: Scene) => indexRange(0, scene.keyLength);
  const weights = (mask: Mask) =>
    each(
      (a, scene) => weightMatrix(a, rows(scene), keys(scene)),
      mask,
      (s) => s.keyLength,
    );
  const readValues = values ?? valueRows;
  const output = (mask: Mask) =>
    each(
      (a, scene) => outputMatrix(a, readValues(scene), rows(scene)),
      mask,
      (scene) => readValues(scene).dim,
    );
  const hasValues = values !== undefined || golden.inputs.v !== undefined;
  return {
    scores: each(
      (a, scene) => logitMatrix(a, rows(scene), keys(scene)),
      {},
      (scene) => scene.keyLength,
    ),
    probs: weights({}),
    probs_causal: weights({ causal: true }),
    ...(hasValues ? { output: output({}), output_causal: output({ causal: true }) } : {}),
    terms: (id) =>
      each(
        (a, scene) => scaledTerm(a, id, scene),
        {},
        (scene) => scene.keyLength,
      ),
  };
}

function valueRows(scene: Scene): Factor {
  return scene.content.rows("v", scene.head, 0);
}

function scaledTerm(attention: Attention, id: string, scene: Scene): Float64Array {
  const term = attention.terms.find((candidate) => candidate.id === id);
  if (term === undefined) throw new Error(`no term ${id}`);
  const values = termMatrix(attention, term, indexRange(0, scene.queryLength), indexRange(0, scene.keyLength));
  return values.map((value) => value * term.scale);
}

/** `output` of the same attention with its tokens in the order of `inputs.permutation`. */
export function outputOfPermuted(encoding: Encoding, params: Params, golden: GoldenCase): number[][][] {
  const order = readVector(golden.inputs.permutation, "permutation");
  const permute = (name: string) =>
    readTensor(golden.inputs[name], name).map((head) => order.map((index) => head[index] ?? []));
  const inputs: Inputs = { q: permute("q"), k: permute("k"), v: permute("v") };
  return attentionGolden(encoding, params, { ...golden, inputs }).output ?? [];
}

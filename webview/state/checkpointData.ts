import type { CheckpointContent, PanelState, WeightsReference } from "../../src/core/protocol/state.ts";
import type { CheckpointRows } from "../../src/core/terms/content.ts";
import type { Inputs } from "../../src/core/terms/scene.ts";

/** Learned arrays in place of an encoding's example values. */
interface LoadedWeights {
  readonly key: string;
  /** File and tensor. */
  readonly title: string;
  readonly inputs: Inputs;
}

/** What was read from checkpoints. Too large for the panel state, which only names the sources. */
export interface CheckpointData {
  /** Only the last ones read: a panel shows one at a time, and they are large. */
  readonly weights: LoadedWeights | null;
  /** Queries and keys, by request. */
  readonly rows: ReadonlyMap<string, CheckpointRows>;
}

export const NO_CHECKPOINT_DATA: CheckpointData = { weights: null, rows: new Map() };

/** A row-major array from the host. */
export interface LearnedArray {
  readonly input: string;
  /** One to three dimensions, slowest first. */
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
}

function nestValues({ shape, values }: LearnedArray): unknown {
  const [, ...inner] = shape;
  let lists: unknown[] = Array.from(values);
  for (const side of inner.toReversed()) {
    lists = Array.from({ length: lists.length / side }, (_, n) => lists.slice(n * side, (n + 1) * side));
  }
  return lists;
}

function weightsKey({ encoding, uri, tensor }: WeightsReference): string {
  return JSON.stringify([encoding, uri, tensor]);
}

export function addWeights(
  data: CheckpointData,
  reference: WeightsReference,
  title: string,
  arrays: readonly LearnedArray[],
): CheckpointData {
  const inputs = Object.fromEntries(arrays.map((array) => [array.input, nestValues(array)]));
  return { ...data, weights: { key: weightsKey(reference), title, inputs } };
}

/** The state's weights, if they belong to its encoding. */
export function activeWeights({ weights, encoding }: PanelState): WeightsReference | null {
  return weights?.encoding === encoding ? weights : null;
}

/** The learned arrays of a state; null before they are read, and then encodings use example values. */
export function findWeights({ weights }: CheckpointData, panel: PanelState): LoadedWeights | null {
  const reference = activeWeights(panel);
  return reference !== null && weights?.key === weightsKey(reference) ? weights : null;
}

/** Tokens of a checkpoint file, for one head. */
export interface RowsRequest extends CheckpointContent {
  readonly head: number;
  readonly headDim: number;
}

function rowsKey({ uri, ids, head, headDim }: RowsRequest): string {
  return JSON.stringify([uri, ids, head, headDim]);
}

const MAX_HEADS = 16;

export function addRows(data: CheckpointData, request: RowsRequest, q: Float64Array, k: Float64Array): CheckpointData {
  const kept = data.rows.size < MAX_HEADS ? data.rows : [];
  return { ...data, rows: new Map([...kept, [rowsKey(request), { q, k, dim: request.headDim }]]) };
}

export function findRows({ rows }: CheckpointData, request: RowsRequest): CheckpointRows | undefined {
  return rows.get(rowsKey(request));
}

export function checkpointContent({ content }: Pick<PanelState, "content">): CheckpointContent | null {
  return typeof content === "object" && "checkpoint" in content ? content.checkpoint : null;
}

import type { EncodingId, Params } from "../spec.ts";
import { LEARNED_SLOTS, type SlotMatch, type StoredArray } from "./learnedSlots.ts";
import type { RangeReader, TensorInfo } from "./rangeReader.ts";
import { isReadable, readTensorValues } from "./tensorValues.ts";

/** Whether learned arrays of this encoding can be read from checkpoints. */
export function hasLearnedArrays(encoding: EncodingId): boolean {
  return LEARNED_SLOTS.some((slot) => slot.encoding === encoding);
}

/** Learned arrays of an encoding, listed under one of their tensors. */
export interface LearnedArrays extends SlotMatch {
  readonly tensor: TensorInfo;
}

/** Numbers that an array may have: 8,192 positions × 4,096 dimensions. */
const MAX_ARRAY_NUMBERS = 2 ** 25;

function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, side) => product * side, 1);
}

function isLoadable({ tensor, shape }: StoredArray): boolean {
  const count = elementCount(tensor.shape);
  return isReadable(tensor) && count > 0 && count <= MAX_ARRAY_NUMBERS && count === elementCount(shape);
}

export function findLearnedArrays(
  encoding: EncodingId,
  params: Params,
  tensors: readonly TensorInfo[],
): LearnedArrays[] {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  return LEARNED_SLOTS.filter((slot) => slot.encoding === encoding).flatMap(({ pattern, match }) =>
    tensors
      .filter(({ name }) => pattern.test(name))
      .flatMap((tensor) => {
        const found = match(tensor, params, (name) => byName.get(name));
        return found?.arrays.every(isLoadable) ? [{ tensor, ...found }] : [];
      }),
  );
}

/** An array in the shape that encodings take, row-major. */
export interface ArrayValues {
  readonly input: string;
  /** One to three dimensions, slowest first. */
  readonly shape: readonly number[];
  readonly values: Float64Array<ArrayBuffer>;
}

function reverseRows(values: Float64Array<ArrayBuffer>, rows: number): Float64Array<ArrayBuffer> {
  const columns = values.length / rows;
  return values.map((_, n) => values[(rows - 1 - Math.floor(n / columns)) * columns + (n % columns)] ?? 0);
}

/**
 * Reads the numbers of learned arrays, piece by piece.
 * @param progress called with the completed fraction after each piece
 * @throws CheckpointError if the file is truncated
 */
export async function readLearnedArrays(
  reader: RangeReader,
  { arrays }: LearnedArrays,
  progress: (fraction: number) => void,
): Promise<ArrayValues[]> {
  const all = arrays.reduce((sum, { shape }) => sum + elementCount(shape), 0);
  const read: ArrayValues[] = [];
  let before = 0;
  for (const { input, tensor, shape, reversed } of arrays) {
    const own = elementCount(shape);
    const values = await readTensorValues(reader, tensor, (fraction) => progress((before + fraction * own) / all));
    read.push({ input, shape, values: reversed === true ? reverseRows(values, shape[0] ?? 1) : values });
    before += own;
  }
  return read;
}

import type { EncodingId, Params } from "../spec.ts";
import { type Found, SLOTS, type StoredArray } from "./learnedSlots.ts";
import type { RangeReader, TensorInfo } from "./rangeReader.ts";
import { isReadable, tensorValues } from "./tensorValues.ts";

/** Encodings whose learned arrays are read from checkpoints. */
export function hasLearnedArrays(encoding: EncodingId): boolean {
  return SLOTS.some((slot) => slot.encoding === encoding);
}

/** Learned arrays of an encoding under the tensor that stands for them. */
export interface LearnedArrays extends Found {
  readonly tensor: TensorInfo;
}

/** Numbers of an array at most: 8,192 positions of 4,096 numbers. */
const MOST = 2 ** 25;

function countOf(shape: readonly number[]): number {
  return shape.reduce((product, side) => product * side, 1);
}

function isWithinReach({ tensor, shape }: StoredArray): boolean {
  const count = countOf(tensor.shape);
  return isReadable(tensor) && count > 0 && count <= MOST && count === countOf(shape);
}

export function learnedArrays(encoding: EncodingId, params: Params, tensors: readonly TensorInfo[]): LearnedArrays[] {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  return SLOTS.filter((slot) => slot.encoding === encoding).flatMap(({ pattern, read }) =>
    tensors
      .filter(({ name }) => pattern.test(name))
      .flatMap((tensor) => {
        const found = read(tensor, params, (name) => byName.get(name));
        return found?.arrays.every(isWithinReach) ? [{ tensor, ...found }] : [];
      }),
  );
}

/** An array as the encodings take it, row-major. */
export interface ArrayValues {
  readonly input: string;
  /** One to three sides, slowest first. */
  readonly shape: readonly number[];
  readonly values: Float64Array<ArrayBuffer>;
}

function rowsReversed(values: Float64Array<ArrayBuffer>, rows: number): Float64Array<ArrayBuffer> {
  const columns = values.length / rows;
  return values.map((_, n) => values[(rows - 1 - Math.floor(n / columns)) * columns + (n % columns)] ?? 0);
}

/**
 * The numbers of learned arrays, read in pieces.
 * @param progress called with the fraction done after each piece
 * @throws CheckpointError where the file ends too early
 */
export async function readArrays(
  reader: RangeReader,
  { arrays }: LearnedArrays,
  progress: (fraction: number) => void,
): Promise<ArrayValues[]> {
  const all = arrays.reduce((sum, { shape }) => sum + countOf(shape), 0);
  const read: ArrayValues[] = [];
  let before = 0;
  for (const { input, tensor, shape, reversed } of arrays) {
    const own = countOf(shape);
    const values = await tensorValues(reader, tensor, (fraction) => progress((before + fraction * own) / all));
    read.push({ input, shape, values: reversed === true ? rowsReversed(values, shape[0] ?? 1) : values });
    before += own;
  }
  return read;
}

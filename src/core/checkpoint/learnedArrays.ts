import { numberOf } from "../encodings/schema.ts";
import type { EncodingId, Params } from "../spec.ts";
import type { TensorInfo } from "./rangeReader.ts";
import { isReadable } from "./tensorValues.ts";

/** Which tensor of a checkpoint is which learned array of an encoding. */
interface Slot {
  readonly encoding: EncodingId;
  /** Name of the array in the encoding's inputs. */
  readonly input: string;
  readonly pattern: RegExp;
  /** What the shape says of the parameters; undefined where it cannot be this array. */
  read(shape: readonly number[], params: Params): Params | undefined;
}

/** Two sides, slowest first; a leading 1 goes (ViT keeps [1, rows, width]). */
function sides(shape: readonly number[]): readonly [rows: number, columns: number] | undefined {
  const [first, second, ...rest] = shape[0] === 1 && shape.length === 3 ? shape.slice(1) : shape;
  return first === undefined || second === undefined || rest.length > 0 ? undefined : [first, second];
}

const SLOTS: readonly Slot[] = [
  {
    encoding: "learned_absolute",
    input: "position_embeddings",
    pattern: /(?:position_embeddings?|embed_positions|wpe|positions_embed|pos_embed|position_embds)(?:\.weight)?$/,
    read: (shape, params) => {
      const [rows, columns] = sides(shape) ?? [];
      if (rows === undefined || columns === undefined) return undefined;
      const heads = numberOf(params, "num_heads");
      const offset = numberOf(params, "offset");
      const fits = columns % heads === 0 ? {} : { num_heads: 1 };
      return { hidden_size: columns, max_position_embeddings: rows - offset, ...fits };
    },
  },
  {
    encoding: "t5_bias",
    input: "relative_attention_bias",
    pattern: /relative_attention_bias(?:\.weight)?$/,
    read: (shape) => {
      const [buckets, heads] = sides(shape) ?? [];
      return buckets === undefined || heads === undefined ? undefined : { num_buckets: buckets, num_heads: heads };
    },
  },
];

/** Encodings whose learned arrays are read from checkpoints. */
export function hasLearnedArrays(encoding: EncodingId): boolean {
  return SLOTS.some((slot) => slot.encoding === encoding);
}

/** A tensor that an encoding's learned array can be taken from. */
export interface LearnedArray {
  readonly tensor: TensorInfo;
  readonly input: string;
  /** Parameters that follow from its shape. */
  readonly params: Params;
}

/** Numbers of an array at most: 8,192 positions of 4,096 numbers. */
const MOST = 2 ** 25;

export function learnedArrays(encoding: EncodingId, params: Params, tensors: readonly TensorInfo[]): LearnedArray[] {
  return SLOTS.filter((slot) => slot.encoding === encoding).flatMap(({ input, pattern, read }) =>
    tensors.flatMap((tensor) => {
      const count = tensor.shape.reduce((product, side) => product * side, 1);
      const fits = pattern.test(tensor.name) && isReadable(tensor) && count <= MOST;
      const follows = fits ? read(tensor.shape, params) : undefined;
      return follows === undefined ? [] : [{ tensor, input, params: follows }];
    }),
  );
}

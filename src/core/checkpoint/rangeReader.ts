/** Random access to a file that may be far larger than memory. */
export interface RangeReader {
  readonly size: number;
  /** Up to `length` bytes from `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A file opened for random access. */
export interface OpenedFile {
  readonly reader: RangeReader;
  close(): Promise<void>;
}

export function memoryReader(bytes: Uint8Array): RangeReader {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

/** A checkpoint that is not what it claims to be, with the byte offset of the problem. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** A tensor's name, shape and location in the file. */
export interface TensorInfo {
  readonly name: string;
  /** Dimensions in the order of the format: GGUF fastest first, safetensors slowest first. */
  readonly shape: readonly number[];
  readonly type: string;
  /** In bytes, from the start of the file. */
  readonly offset: number;
  /** Length in bytes, where the format stores it. */
  readonly length: number | undefined;
}

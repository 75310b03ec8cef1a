/** Bytes of a file that may be far larger than memory. */
export interface RangeReader {
  readonly size: number;
  /** Up to `length` bytes from `offset`; fewer at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A file opened for reading in pieces. */
export interface OpenRange {
  readonly reader: RangeReader;
  close(): Promise<void>;
}

export function memoryReader(bytes: Uint8Array): RangeReader {
  return {
    size: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
}

/** A file that is not what it claims to be, with where it broke off. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** A tensor's name and shape; the data is never read here. */
export interface TensorInfo {
  readonly name: string;
  /** Dimensions as the format writes them: GGUF fastest first, safetensors slowest first. */
  readonly shape: readonly number[];
  readonly type: string;
  /** From the start of the file. */
  readonly offset: number;
  /** Length in bytes where the format says it. */
  readonly length: number | undefined;
}

/** Header of a GGUF file (ggml-org/ggml docs/gguf.md): scalars and short arrays; the tokenizer's arrays are skipped. */

import * as l10n from "@vscode/l10n";
import { Budget } from "../util/budget.ts";
import { Cursor } from "./cursor.ts";
import { CheckpointError, type RangeReader, type TensorInfo } from "./rangeReader.ts";

export type GgufValue = number | boolean | string | readonly (number | boolean | string)[];

export interface GgufHeader {
  readonly version: number;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  /** Key → length of the arrays that were too long to keep. */
  readonly skipped: ReadonlyMap<string, number>;
  readonly tensors: readonly TensorInfo[];
}

const MAX_HEADER_BYTES = 256 << 20;
const MAX_STRING_BYTES = 1 << 20;
const MAX_KEPT_ARRAY_LENGTH = 4096;
const MAX_METADATA_PAIRS = 100_000;
const MAX_TENSORS = 1_000_000;
const MAX_ARRAY_DEPTH = 4;

const STRING_TYPE = 8;
const ARRAY_TYPE = 9;

type ScalarType = { readonly size: number; read(view: DataView, littleEndian: boolean): number | boolean };

/** Scalar types by their number in the format. 64-bit integers become doubles: positions stay below 2^53. */
const SCALAR_TYPES: Readonly<Record<number, ScalarType>> = {
  0: { size: 1, read: (view) => view.getUint8(0) },
  1: { size: 1, read: (view) => view.getInt8(0) },
  2: { size: 2, read: (view, le) => view.getUint16(0, le) },
  3: { size: 2, read: (view, le) => view.getInt16(0, le) },
  4: { size: 4, read: (view, le) => view.getUint32(0, le) },
  5: { size: 4, read: (view, le) => view.getInt32(0, le) },
  6: { size: 4, read: (view, le) => view.getFloat32(0, le) },
  7: { size: 1, read: (view) => view.getUint8(0) !== 0 },
  10: { size: 8, read: (view, le) => Number(view.getBigUint64(0, le)) },
  11: { size: 8, read: (view, le) => Number(view.getBigInt64(0, le)) },
  12: { size: 8, read: (view, le) => view.getFloat64(0, le) },
};

const decoder = new TextDecoder();

/**
 * Reads the header, never the tensors' data.
 * @throws CheckpointError if the file is not GGUF, is truncated or has impossible lengths
 * @throws BudgetError if it has more metadata and tensors than any model
 */
export async function readGgufHeader(reader: RangeReader, budget = new Budget()): Promise<GgufHeader> {
  const start = await reader.read(0, 8);
  if (start.length < 8 || decoder.decode(start.subarray(0, 4)) !== "GGUF") {
    throw new CheckpointError(l10n.t("not a GGUF file"), 0);
  }
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  // Read with the wrong byte order, a version is a multiple of 65536.
  const littleEndian = (view.getUint32(4, true) & 0xffff) !== 0;
  const version = view.getUint32(4, littleEndian);
  if (version < 1 || version > 3) throw new CheckpointError(l10n.t("unsupported GGUF version {0}", version), 4);
  const cursor = new Cursor(reader, MAX_HEADER_BYTES, littleEndian, version === 1 ? 4 : 8, budget);
  cursor.skip(8);
  return { version, ...(await readMetadataAndTensors(cursor)) };
}

async function readMetadataAndTensors(cursor: Cursor): Promise<Omit<GgufHeader, "version">> {
  const tensorCount = await cursor.count();
  const pairCount = await cursor.count();
  if (pairCount > MAX_METADATA_PAIRS || tensorCount > MAX_TENSORS) cursor.fail(l10n.t("invalid length in the file"));
  const metadata = new Map<string, GgufValue>();
  const skipped = new Map<string, number>();
  for (let n = 0; n < pairCount; n++) {
    cursor.spendNodes(1);
    const key = await readString(cursor);
    const type = await cursor.uint32();
    if (type === ARRAY_TYPE) await readArray(cursor, key, metadata, skipped, 0);
    else metadata.set(key, await readScalar(cursor, type));
  }
  const tensors: TensorInfo[] = [];
  cursor.spendNodes(tensorCount);
  for (let n = 0; n < tensorCount; n++) tensors.push(await readTensorInfo(cursor));
  return { metadata, skipped, tensors: withFileOffsets(tensors, cursor.position, metadata.get("general.alignment")) };
}

/**
 * Tensor offsets count from the end of the header, rounded up to the alignment; the result counts from the start of the
 * file.
 */
function withFileOffsets(
  tensors: readonly TensorInfo[],
  headerEnd: number,
  alignment: GgufValue | undefined,
): TensorInfo[] {
  const unit = typeof alignment === "number" && alignment > 0 ? alignment : 32;
  const base = Math.ceil(headerEnd / unit) * unit;
  return tensors.map((tensor) => ({ ...tensor, offset: tensor.offset + base }));
}

async function readString(cursor: Cursor): Promise<string> {
  const length = await cursor.count();
  if (length > MAX_STRING_BYTES) {
    cursor.skip(length);
    return "";
  }
  return decoder.decode(await cursor.bytes(length));
}

async function readScalar(cursor: Cursor, type: number): Promise<number | boolean | string> {
  if (type === STRING_TYPE) return await readString(cursor);
  const scalar = SCALAR_TYPES[type];
  if (scalar === undefined) return cursor.fail(l10n.t("unknown GGUF value type {0}", type));
  return scalar.read(await cursor.view(scalar.size), cursor.littleEndian);
}

async function readArray(
  cursor: Cursor,
  key: string,
  metadata: Map<string, GgufValue>,
  skipped: Map<string, number>,
  depth: number,
): Promise<void> {
  const type = await cursor.uint32();
  const length = await cursor.count();
  if (type === ARRAY_TYPE) {
    if (depth >= MAX_ARRAY_DEPTH) cursor.fail(l10n.t("arrays nested too deeply"));
    cursor.spendNodes(length);
    for (let n = 0; n < length; n++) await readArray(cursor, key, new Map(), new Map(), depth + 1);
    skipped.set(key, length);
  } else if (length <= MAX_KEPT_ARRAY_LENGTH && key !== "" && !key.startsWith("tokenizer.")) {
    cursor.spendNodes(length);
    const values: (number | boolean | string)[] = [];
    for (let n = 0; n < length; n++) values.push(await readScalar(cursor, type));
    metadata.set(key, values);
  } else {
    await skipArray(cursor, type, length);
    skipped.set(key, length);
  }
}

async function skipArray(cursor: Cursor, type: number, length: number): Promise<void> {
  if (type === STRING_TYPE) return await cursor.skipStrings(length);
  const scalar = SCALAR_TYPES[type];
  if (scalar === undefined) return cursor.fail(l10n.t("unknown GGUF value type {0}", type));
  cursor.skip(length * scalar.size);
}

async function readTensorInfo(cursor: Cursor): Promise<TensorInfo> {
  const name = await readString(cursor);
  const dimensions = await cursor.uint32();
  if (dimensions > 8) cursor.fail(l10n.t("invalid length in the file"));
  const shape: number[] = [];
  for (let n = 0; n < dimensions; n++) shape.push(await cursor.count());
  const type = await cursor.uint32();
  const offset = await cursor.uint64();
  return { name, shape, type: `ggml ${type}`, offset, length: undefined };
}

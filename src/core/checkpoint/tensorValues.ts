import * as l10n from "@vscode/l10n";
import { ownValue } from "../util/ownValue.ts";
import { CheckpointError, type RangeReader, type TensorInfo } from "./rangeReader.ts";

interface Decoder {
  readonly bytes: number;
  value(view: DataView, offset: number): number;
}

const bitBuffer = new DataView(new ArrayBuffer(4));

/** The upper half of a float32. */
function bfloat16(bits: number): number {
  bitBuffer.setUint32(0, bits * 65_536);
  return bitBuffer.getFloat32(0);
}

/** IEEE half precision: 5 bits of exponent, 10 of fraction. */
function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Decoders of the formats that weights are stored in, by safetensors' name. */
const DECODERS: Readonly<Record<string, Decoder>> = {
  F64: { bytes: 8, value: (view, offset) => view.getFloat64(offset, true) },
  F32: { bytes: 4, value: (view, offset) => view.getFloat32(offset, true) },
  F16: { bytes: 2, value: (view, offset) => float16(view.getUint16(offset, true)) },
  BF16: { bytes: 2, value: (view, offset) => bfloat16(view.getUint16(offset, true)) },
};

export function isReadable({ type }: Pick<TensorInfo, "type">): boolean {
  return Object.hasOwn(DECODERS, type);
}

/** Reads rows from … to − 1 of a tensor (its slowest dimension), and nothing else of it. */
export function readTensorRows(
  reader: RangeReader,
  info: TensorInfo,
  from: number,
  to: number,
): Promise<Float64Array<ArrayBuffer>> {
  const [, ...rest] = info.shape;
  const columns = rest.reduce((product, side) => product * side, 1);
  const bytes = ownValue(DECODERS, info.type)?.bytes ?? 1;
  const offset = info.offset + from * columns * bytes;
  return readTensorValues(reader, { ...info, shape: [to - from, ...rest], offset, length: undefined });
}

/** Bytes per read. */
const PIECE_BYTES = 2 ** 20;

/**
 * Reads all numbers of a safetensors tensor as float64, row-major, piece by piece.
 * @param progress called with the completed fraction after each piece
 * @throws CheckpointError for unsupported types, and if the file is truncated
 */
export async function readTensorValues(
  reader: RangeReader,
  { type, shape, offset, length, name }: TensorInfo,
  progress: (fraction: number) => void = () => undefined,
): Promise<Float64Array<ArrayBuffer>> {
  const decoder = ownValue(DECODERS, type);
  if (decoder === undefined)
    throw new CheckpointError(l10n.t("cannot display {0}: unsupported type {1}", name, type), offset);
  const count = shape.reduce((product, side) => product * side, 1);
  const bytes = count * decoder.bytes;
  if (length !== undefined && length !== bytes)
    throw new CheckpointError(l10n.t("the size of {0} does not match its shape", name), offset);
  const values = new Float64Array(count);
  for (let done = 0; done < bytes; ) {
    const piece = await reader.read(offset + done, Math.min(PIECE_BYTES, bytes - done));
    const whole = piece.length - (piece.length % decoder.bytes);
    if (whole === 0) throw new CheckpointError(l10n.t("unexpected end of file"), offset + done);
    const view = new DataView(piece.buffer, piece.byteOffset, whole);
    for (let at = 0; at < whole; at += decoder.bytes) values[(done + at) / decoder.bytes] = decoder.value(view, at);
    done += whole;
    progress(done / bytes);
  }
  return values;
}

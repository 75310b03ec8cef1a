/** Head of a safetensors file (huggingface/safetensors README): 8 bytes of length, then JSON. */

import { t } from "@vscode/l10n";
import { isRecord } from "../util/isRecord.ts";
import { CheckpointError, type RangeReader, type TensorInfo } from "./rangeReader.ts";

export interface SafetensorsHead {
  readonly tensors: readonly TensorInfo[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** The format's own limit. */
const HEAD_LIMIT = 100_000_000;

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}

/**
 * Reads the head, never the tensors' data.
 * @throws CheckpointError when the file is no safetensors file or is cut off
 */
export async function readSafetensors(reader: RangeReader): Promise<SafetensorsHead> {
  const start = await reader.read(0, 8);
  const notOne = () => new CheckpointError(t("not a safetensors file"), 0);
  if (start.length < 8) throw notOne();
  const length = Number(new DataView(start.buffer, start.byteOffset, 8).getBigUint64(0, true));
  if (length < 2 || length > HEAD_LIMIT) throw notOne();
  if (8 + length > reader.size) throw new CheckpointError(t("unexpected end of file"), 8);
  const head = parseHead(await reader.read(8, length));
  if (head === undefined) throw notOne();
  return { tensors: tensorsOf(head, 8 + length), metadata: metadataOf(head.__metadata__) };
}

function parseHead(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function tensorsOf(head: Readonly<Record<string, unknown>>, dataStart: number): TensorInfo[] {
  const tensors: TensorInfo[] = [];
  for (const [name, entry] of Object.entries(head)) {
    if (name === "__metadata__" || !isRecord(entry)) continue;
    const { dtype, shape, data_offsets: offsets } = entry;
    if (typeof dtype !== "string" || !isCounts(shape) || !isCounts(offsets)) continue;
    const [from = 0, to = 0] = offsets;
    tensors.push({ name, shape, type: dtype, offset: dataStart + from, length: Math.max(0, to - from) });
  }
  return tensors;
}

function metadataOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

/** The shards that an index file names, each once. */
export interface SafetensorsIndex {
  /** Tensor name → file name. */
  readonly weightMap: ReadonlyMap<string, string>;
  /** Names that would leave the index's folder: refused. */
  readonly refused: readonly string[];
}

/** A plain file name: no folder, no drive, no way up. */
export function staysInFolder(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\:\0]/.test(name);
}

/** Reads `model.safetensors.index.json`, already parsed; undefined when it is not one. */
export function readSafetensorsIndex(value: unknown): SafetensorsIndex | undefined {
  if (!isRecord(value) || !isRecord(value.weight_map)) return undefined;
  const weightMap = new Map<string, string>();
  const refused = new Set<string>();
  for (const [tensor, file] of Object.entries(value.weight_map)) {
    if (typeof file === "string" && staysInFolder(file)) weightMap.set(tensor, file);
    else refused.add(String(file));
  }
  return { weightMap, refused: [...refused] };
}

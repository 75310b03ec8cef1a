/** Header of a safetensors file (huggingface/safetensors README): 8 bytes of length, then JSON. */

import * as l10n from "@vscode/l10n";
import { Budget } from "../util/budget.ts";
import { isRecord } from "../util/isRecord.ts";
import { CheckpointError, type RangeReader, type TensorInfo } from "./rangeReader.ts";

export interface SafetensorsHeader {
  readonly tensors: readonly TensorInfo[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** The format's own limit. */
const MAX_HEADER_BYTES = 100_000_000;

function isCountList(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}

/**
 * Reads the header, never the tensors' data.
 * @throws CheckpointError if the file is not safetensors or is truncated
 * @throws BudgetError if it has more tensors than any model
 */
export async function readSafetensorsHeader(reader: RangeReader, budget = new Budget()): Promise<SafetensorsHeader> {
  const start = await reader.read(0, 8);
  const notSafetensors = () => new CheckpointError(l10n.t("not a safetensors file"), 0);
  if (start.length < 8) throw notSafetensors();
  const length = Number(new DataView(start.buffer, start.byteOffset, 8).getBigUint64(0, true));
  if (length < 2 || length > MAX_HEADER_BYTES) throw notSafetensors();
  if (8 + length > reader.size) throw new CheckpointError(l10n.t("unexpected end of file"), 8);
  const bytes = await budget.waitFor(reader.read(8, length));
  spendHeader(bytes, budget);
  const header = parseHeader(bytes);
  if (header === undefined) throw notSafetensors();
  return { tensors: readTensorInfos(header, 8 + length), metadata: readMetadata(header.__metadata__) };
}

/** Lists, objects and their entries in a tensor's description: its name, type, shape and offsets. */
const VALUES_PER_TENSOR = 16;

/** Counts values before they are parsed: in memory each is many times as large. */
function spendHeader(bytes: Uint8Array, budget: Budget): void {
  let separators = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) separators++;
  budget.spendNodes(Math.ceil(separators / VALUES_PER_TENSOR));
}

function parseHeader(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readTensorInfos(header: Readonly<Record<string, unknown>>, dataStart: number): TensorInfo[] {
  const tensors: TensorInfo[] = [];
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__" || !isRecord(entry)) continue;
    const { dtype, shape, data_offsets: offsets } = entry;
    if (typeof dtype !== "string" || !isCountList(shape) || !isCountList(offsets)) continue;
    const [from = 0, to = 0] = offsets;
    tensors.push({ name, shape, type: dtype, offset: dataStart + from, length: Math.max(0, to - from) });
  }
  return tensors;
}

function readMetadata(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

/** Which shard of a checkpoint contains which tensor. */
export interface SafetensorsIndex {
  /** Tensor name → file name. */
  readonly weightMap: ReadonlyMap<string, string>;
  /** File names that lead out of the index's folder. */
  readonly refused: readonly string[];
}

/** Parses the text of an index; undefined if it is not JSON. */
export function parseIndex(bytes: Uint8Array, budget = new Budget()): unknown {
  spendHeader(bytes, budget);
  return parseHeader(bytes);
}

/** Whether a file name has no folder, drive or parent reference. */
export function staysInFolder(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\:\0]/.test(name);
}

/** Reads a parsed `model.safetensors.index.json`; undefined if it is not an index. */
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

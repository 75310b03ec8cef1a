import * as l10n from "@vscode/l10n";
import { type GgufHeader, readGgufHeader } from "../../checkpoint/gguf.ts";
import { CheckpointError, type RangeReader, type TensorInfo } from "../../checkpoint/rangeReader.ts";
import { readSafetensorsHeader, readSafetensorsIndex } from "../../checkpoint/safetensors.ts";
import type { FileFormat } from "../formats.ts";
import type { ConfigReading } from "../readConfig.ts";
import { FREQUENCY_TENSORS, readGgufSpecs } from "./gguf.ts";
import { readSafetensorsSpecs } from "./safetensors.ts";

/** Longer lists are not read: no head has that many pairs. */
const MAX_FREQUENCIES = 4096;

/** Reads the header of a checkpoint; undefined if the bytes are neither GGUF nor safetensors. */
export async function readCheckpoint(reader: RangeReader): Promise<ConfigReading | undefined> {
  const start = await reader.read(0, 9);
  const isGguf = start[0] === 0x47 && start[1] === 0x47 && start[2] === 0x55 && start[3] === 0x46;
  if (isGguf) return await catchCheckpointError("gguf", () => readGgufFile(reader));
  return start[8] === 0x7b ? await catchCheckpointError("safetensors", () => readSafetensorsFile(reader)) : undefined;
}

type WeightsReading = Pick<ConfigReading, "modelType" | "specs">;

async function catchCheckpointError(format: FileFormat, read: () => Promise<WeightsReading>): Promise<ConfigReading> {
  try {
    return { format, ...(await read()), problems: [], error: null };
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    return { format, modelType: null, specs: [], problems: [], error: { message: error.message, line: 1, column: 1 } };
  }
}

async function readGgufFile(reader: RangeReader): Promise<WeightsReading> {
  const header = await readGgufHeader(reader);
  return readGgufSpecs(header, await readFrequencyData(reader, header));
}

async function readFrequencyData(reader: RangeReader, header: GgufHeader): Promise<Map<string, readonly number[]>> {
  const data = new Map<string, readonly number[]>();
  for (const name of FREQUENCY_TENSORS) {
    const tensor = header.tensors.find((candidate) => candidate.name === name);
    const count = tensor?.shape[0] ?? 0;
    // Type 0 is float32, the only type that converters write these tensors in.
    if (
      tensor === undefined ||
      tensor.type !== "ggml 0" ||
      count > MAX_FREQUENCIES ||
      tensor.shape.slice(1).some((side) => side !== 1)
    )
      continue;
    const bytes = await reader.read(tensor.offset, 4 * count);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length === 4 * count)
      data.set(
        name,
        Array.from({ length: count }, (_, k) => view.getFloat32(4 * k, true)),
      );
  }
  return data;
}

async function readSafetensorsFile(reader: RangeReader): Promise<WeightsReading> {
  const { tensors } = await readSafetensorsHeader(reader);
  return { modelType: null, specs: readSafetensorsSpecs(tensors) };
}

/**
 * Reads an index and the shards that it names.
 * @param value the parsed index
 * @param open opens a shard in the index's folder; undefined if it does not exist
 */
export async function readShardedCheckpoint(
  value: unknown,
  open: (name: string) => Promise<RangeReader | undefined>,
): Promise<ConfigReading | undefined> {
  const index = readSafetensorsIndex(value);
  if (index === undefined) return undefined;
  const { weightMap, refused } = index;
  if (refused.length > 0) {
    const message = l10n.t("path outside the index folder, rejected: {0}", refused[0] ?? "");
    return {
      format: "safetensors-index",
      modelType: null,
      specs: [],
      problems: [],
      error: { message, line: 1, column: 1 },
    };
  }
  return await catchCheckpointError("safetensors-index", async () => {
    const tensors: Pick<TensorInfo, "name" | "shape">[] = [];
    for (const file of new Set(weightMap.values())) {
      const reader = await open(file);
      if (reader !== undefined) tensors.push(...(await readSafetensorsHeader(reader)).tensors);
    }
    const known = new Set(tensors.map(({ name }) => name));
    const named = [...weightMap.keys()].filter((name) => !known.has(name)).map((name) => ({ name, shape: [] }));
    return { modelType: null, specs: readSafetensorsSpecs([...tensors, ...named]) };
  });
}

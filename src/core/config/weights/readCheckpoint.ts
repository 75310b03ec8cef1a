import * as l10n from "@vscode/l10n";
import { type GgufHeader, readGgufHeader } from "../../checkpoint/gguf.ts";
import { CheckpointError, type OpenedFile, type RangeReader, type TensorInfo } from "../../checkpoint/rangeReader.ts";
import { parseIndex, readSafetensorsHeader, readSafetensorsIndex } from "../../checkpoint/safetensors.ts";
import { Budget, BudgetError } from "../../util/budget.ts";
import type { FileFormat } from "../formats.ts";
import { type ConfigReading, failedReading } from "../readConfig.ts";
import { limitSizes, ProblemList } from "../sizeLimits.ts";
import { FREQUENCY_TENSORS, readGgufSpecs } from "./gguf.ts";
import { readSafetensorsSpecs } from "./safetensors.ts";

/** Longer lists are not read: no head has that many pairs. */
const MAX_FREQUENCIES = 4096;

/** Reads the header of a checkpoint; undefined if the bytes are neither GGUF nor safetensors. */
export async function readCheckpoint(reader: RangeReader, budget = new Budget()): Promise<ConfigReading | undefined> {
  const start = await reader.read(0, 9);
  const isGguf = start[0] === 0x47 && start[1] === 0x47 && start[2] === 0x55 && start[3] === 0x46;
  if (isGguf) return await catchCheckpointError("gguf", () => readGgufFile(reader, budget));
  return start[8] === 0x7b
    ? await catchCheckpointError("safetensors", () => readSafetensorsFile(reader, budget))
    : undefined;
}

type WeightsReading = Pick<ConfigReading, "modelType" | "specs">;

async function catchCheckpointError(format: FileFormat, read: () => Promise<WeightsReading>): Promise<ConfigReading> {
  try {
    const { modelType, specs } = await read();
    const problems = new ProblemList();
    const limited = limitSizes(specs, (problem) => problems.add(problem));
    return { format, modelType, specs: limited, problems: problems.list(), ignored: [], error: null };
  } catch (error) {
    if (!(error instanceof CheckpointError || error instanceof BudgetError)) throw error;
    return { ...failedReading(error.message), format };
  }
}

async function readGgufFile(reader: RangeReader, budget: Budget): Promise<WeightsReading> {
  const header = await readGgufHeader(reader, budget);
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

async function readSafetensorsFile(reader: RangeReader, budget: Budget): Promise<WeightsReading> {
  const { tensors } = await readSafetensorsHeader(reader, budget);
  return { modelType: null, specs: readSafetensorsSpecs(tensors) };
}

/** Published checkpoints have at most a few hundred. */
const MAX_SHARDS = 2000;

/**
 * Reads an index and the shards that it names, one after the other: a process may open only so many files.
 * @param bytes the index
 * @param open opens a shard in the index's folder; undefined if it does not exist
 */
export async function readShardedCheckpoint(
  bytes: Uint8Array,
  open: (name: string) => Promise<OpenedFile | undefined>,
  budget = new Budget(),
): Promise<ConfigReading | undefined> {
  const index = readSafetensorsIndex(parseIndex(bytes, budget));
  if (index === undefined) return undefined;
  const { weightMap, refused } = index;
  if (refused.length > 0) {
    const message = l10n.t("path outside the index folder, rejected: {0}", refused[0] ?? "");
    return { ...failedReading(message), format: "safetensors-index" };
  }
  return await catchCheckpointError("safetensors-index", async () => {
    const shards = new Set(weightMap.values());
    if (shards.size > MAX_SHARDS) throw new CheckpointError(l10n.t("names more than {0} files", MAX_SHARDS), 0);
    const tensors = new Map<string, Pick<TensorInfo, "name" | "shape">>();
    for (const file of shards)
      for (const tensor of await readShard(() => open(file), budget)) tensors.set(tensor.name, tensor);
    for (const name of weightMap.keys()) if (!tensors.has(name)) tensors.set(name, { name, shape: [] });
    return { modelType: null, specs: readSafetensorsSpecs([...tensors.values()]) };
  });
}

/** The tensors of one shard; none if it does not exist. */
async function readShard(open: () => Promise<OpenedFile | undefined>, budget: Budget): Promise<readonly TensorInfo[]> {
  const shard = await budget.waitFor(open());
  if (shard === undefined) return [];
  try {
    return (await readSafetensorsHeader(shard.reader, budget)).tensors;
  } finally {
    await shard.close();
  }
}

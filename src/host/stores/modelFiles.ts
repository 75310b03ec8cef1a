import * as vscode from "vscode";
import type { RangeReader } from "../../core/checkpoint/rangeReader.ts";
import { looksLikeTomlConfig, readTomlConfig } from "../../core/config/frameworks/readTomlConfig.ts";
import { looksLikeYamlConfig, readYamlConfig } from "../../core/config/frameworks/readYamlConfig.ts";
import { type ConfigReading, looksLikeModelConfig, readConfig } from "../../core/config/readConfig.ts";
import { decodeText } from "../../core/config/text/json.ts";
import { readCheckpoint, readShardedCheckpoint } from "../../core/config/weights/readCheckpoint.ts";
import { openFile, withFile } from "../platform/openFile.ts";
import { readRegularFile } from "../platform/readRegularFile.ts";
import type { RunQueued } from "../platform/workQueue.ts";
import type { SiblingFiles } from "./siblingFiles.ts";

/** A model's config is a few kB; a larger file is a vocabulary. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
/** Large enough for an index that lists every tensor. */
const MAX_INDEX_BYTES = 32 * 1024 * 1024;

export type ModelFileKind = "checkpoint" | "index" | "yaml" | "toml" | "json";

/** The kind of a file, by its name. */
export function modelFileKind({ path }: vscode.Uri): ModelFileKind {
  if (/\.(?:gguf|safetensors)$/i.test(path)) return "checkpoint";
  if (/\.safetensors\.index\.json$/i.test(path)) return "index";
  if (/\.toml$/i.test(path)) return "toml";
  return /\.ya?ml$/i.test(path) ? "yaml" : "json";
}

export interface ModelFileOptions {
  /** Runs each piece of work that blocks the host. */
  readonly runQueued?: RunQueued;
  /** Skips headers and indices that are too large for a scan. */
  readonly skipLargeFiles?: boolean;
}

/** Reads a file on disk; undefined if it does not belong to a model. */
export async function readModelFile(
  uri: vscode.Uri,
  siblingFiles: SiblingFiles,
  options: ModelFileOptions = {},
): Promise<ConfigReading | undefined> {
  const runQueued: RunQueued = options.runQueued ?? (async (work) => work());
  switch (modelFileKind(uri)) {
    case "checkpoint":
      return withFile(uri, (file) => readCheckpointReading(file, options));
    case "index":
      return readIndexFile(uri, options.skipLargeFiles === true ? MAX_TEXT_BYTES : MAX_INDEX_BYTES);
    case "yaml": {
      const text = await readTextUpTo(uri, MAX_TEXT_BYTES);
      return runQueued(() => (text !== undefined && looksLikeYamlConfig(text) ? readYamlConfig(text) : undefined));
    }
    case "toml": {
      const text = await readTextUpTo(uri, MAX_TEXT_BYTES);
      return runQueued(() => (text !== undefined && looksLikeTomlConfig(text) ? readTomlConfig(text) : undefined));
    }
    case "json": {
      const text = await readTextUpTo(uri, MAX_TEXT_BYTES);
      if (text === undefined || !(await runQueued(() => looksLikeModelConfig(text)))) return undefined;
      const siblings = await siblingFiles.read(uri);
      return runQueued(() => readConfig(text, siblings));
    }
  }
}

/** A safetensors header is one JSON text, preceded by its length in 8 bytes. */
async function readCheckpointReading(
  file: RangeReader,
  { runQueued, skipLargeFiles }: ModelFileOptions,
): Promise<ConfigReading | undefined> {
  const prefix = await file.read(0, 9);
  await runQueued?.(() => undefined);
  if (skipLargeFiles === true && prefix[8] === 0x7b) {
    const [length = 0n] =
      prefix.length < 8 ? [] : [new DataView(prefix.buffer, prefix.byteOffset).getBigUint64(0, true)];
    if (length > BigInt(MAX_TEXT_BYTES)) return undefined;
  }
  return readCheckpoint(file);
}

/** Undefined for a file that is gone, too large or not a regular one: it is not a model's. */
function readUpTo(uri: vscode.Uri, limit: number): Promise<Uint8Array | undefined> {
  return readRegularFile(uri, limit).catch(() => undefined);
}

async function readTextUpTo(uri: vscode.Uri, limit: number): Promise<string | undefined> {
  const bytes = await readUpTo(uri, limit);
  return bytes === undefined ? undefined : decodeText(bytes);
}

/** Core rejects names that leave the folder. Tensors of a missing shard are known by name only. */
async function readIndexFile(uri: vscode.Uri, limit: number): Promise<ConfigReading | undefined> {
  const bytes = await readUpTo(uri, limit);
  if (bytes === undefined) return undefined;
  return readShardedCheckpoint(bytes, (name) => openFile(vscode.Uri.joinPath(uri, "..", name)).catch(() => undefined));
}

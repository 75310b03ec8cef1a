import * as vscode from "vscode";
import type { OpenRange, RangeReader } from "../../core/checkpoint/rangeReader.ts";
import { looksLikeYamlConfig, readYamlConfig } from "../../core/config/frameworks/readYamlConfig.ts";
import { type ConfigReading, looksLikeModelConfig, readConfig } from "../../core/config/readConfig.ts";
import { decodeText, readJson } from "../../core/config/text/json.ts";
import { readCheckpoint, readIndex } from "../../core/config/weights/readCheckpoint.ts";
import { openFile, withFile } from "../platform/openFile.ts";
import type { Pace } from "../platform/workQueue.ts";
import { siblingsOf } from "./siblings.ts";

/** A model's config is a few kB; what is larger is a vocabulary. */
const MAX_TEXT = 2 * 1024 * 1024;
/** An index names each tensor once. */
const MAX_INDEX = 32 * 1024 * 1024;

export type ModelFileKind = "checkpoint" | "index" | "yaml" | "json";

/** What a file's name says of how to read it. */
export function kindOf({ path }: vscode.Uri): ModelFileKind {
  if (/\.(?:gguf|safetensors)$/i.test(path)) return "checkpoint";
  if (/\.safetensors\.index\.json$/i.test(path)) return "index";
  return /\.ya?ml$/i.test(path) ? "yaml" : "json";
}

export interface ReadOptions {
  /** Does each piece of work that keeps the host busy. */
  readonly pace?: Pace;
  /** Leaves out heads and indices that are too large to be read in passing. */
  readonly inPassing?: boolean;
}

/** What a file of the disk says of positions; undefined for one that is of no model. */
export async function readModelFile(uri: vscode.Uri, options: ReadOptions = {}): Promise<ConfigReading | undefined> {
  const pace: Pace = options.pace ?? (async (work) => work());
  switch (kindOf(uri)) {
    case "checkpoint":
      return withFile(uri, (file) => readHead(file, options));
    case "index":
      return readIndexFile(uri, options.inPassing === true ? MAX_TEXT : MAX_INDEX);
    case "yaml": {
      const text = await textOf(uri, MAX_TEXT);
      return pace(() => (text !== undefined && looksLikeYamlConfig(text) ? readYamlConfig(text) : undefined));
    }
    case "json": {
      const text = await textOf(uri, MAX_TEXT);
      if (text === undefined || !(await pace(() => looksLikeModelConfig(text)))) return undefined;
      const siblings = await siblingsOf(uri);
      return pace(() => readConfig(text, siblings));
    }
  }
}

/** The head of a safetensors file is one piece of JSON, whose length stands before it. */
async function readHead(file: RangeReader, { pace, inPassing }: ReadOptions): Promise<ConfigReading | undefined> {
  const start = await file.read(0, 9);
  await pace?.(() => undefined);
  if (inPassing === true && start[8] === 0x7b) {
    const [length = 0n] = start.length < 8 ? [] : [new DataView(start.buffer, start.byteOffset).getBigUint64(0, true)];
    if (length > BigInt(MAX_TEXT)) return undefined;
  }
  return readCheckpoint(file);
}

async function textOf(uri: vscode.Uri, limit: number): Promise<string | undefined> {
  if ((await vscode.workspace.fs.stat(uri)).size > limit) return undefined;
  return decodeText(await vscode.workspace.fs.readFile(uri));
}

/** The names that an index gives stay in its folder: core refuses others. A shard that is not there is known by name. */
async function readIndexFile(uri: vscode.Uri, limit: number): Promise<ConfigReading | undefined> {
  const document = readJson((await textOf(uri, limit)) ?? "");
  if (document.root === undefined) return undefined;
  const opened: OpenRange[] = [];
  try {
    return await readIndex(document.valueOf(document.root), async (name) => {
      const shard = await openFile(vscode.Uri.joinPath(uri, "..", name)).catch(() => undefined);
      if (shard !== undefined) opened.push(shard);
      return shard?.reader;
    });
  } finally {
    for (const shard of opened) await shard.close();
  }
}

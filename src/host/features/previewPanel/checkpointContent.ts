import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type NormSettings, readContentRows, readNormSettings } from "../../../core/checkpoint/contentTensors.ts";
import type { StoredTensor } from "../../../core/checkpoint/projections.ts";
import type { OpenedFile, TensorInfo } from "../../../core/checkpoint/rangeReader.ts";
import { parseIndex, readSafetensorsHeader, readSafetensorsIndex } from "../../../core/checkpoint/safetensors.ts";
import { decodeText } from "../../../core/config/text/json.ts";
import type { ViewRequests } from "../../../core/protocol/messages.ts";
import { UserError } from "../../../core/util/errors.ts";
import { openFile } from "../../platform/openFile.ts";
import { readRegularFile } from "../../platform/readRegularFile.ts";
import { showPick, withStatusProgress } from "../../platform/show.ts";
import { requireCheckpoint } from "./learnedWeights.ts";

type PickContent = ViewRequests["pickContent"];
type ReadContent = ViewRequests["readContent"];

/** A longer list is not usable. */
const MAX_LISTED_FILES = 1000;
const MAX_CONFIG_BYTES = 1024 * 1024;
/** Large enough for an index that lists every tensor. */
const MAX_INDEX_BYTES = 32 * 1024 * 1024;

const CHECKPOINT_FILE = /\.safetensors(?:\.index\.json)?$/i;
/** A shard: its index is listed instead. */
const SHARD_FILE = /-\d{5}-of-\d{5}\.safetensors$/i;

/** Lets the user choose a checkpoint: a file, or the index of a sharded one. */
export async function pickContent(): Promise<PickContent["answer"]> {
  const uris = await vscode.workspace.findFiles(
    "**/*.{safetensors,safetensors.index.json}",
    "**/node_modules/**",
    MAX_LISTED_FILES,
  );
  const items = uris
    .filter(({ path }) => !SHARD_FILE.test(path))
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  if (items.length === 0) throw new UserError(l10n.t("No .safetensors file found in the workspace."));
  const title = l10n.t("Load content from checkpoint");
  const chosen = await showPick(items, { title, placeHolder: l10n.t("Select a model") });
  return { uri: chosen?.uri.toString() ?? null };
}

/** The files of a checkpoint: each is opened when one of its tensors is first needed; all are closed together. */
class CheckpointFiles {
  readonly #opened = new Map<string, Promise<{ open: OpenedFile; tensors: ReadonlyMap<string, TensorInfo> }>>();
  readonly #fileOf: (name: string) => vscode.Uri | undefined;

  constructor(fileOf: (name: string) => vscode.Uri | undefined) {
    this.#fileOf = fileOf;
  }

  async find(name: string): Promise<StoredTensor | undefined> {
    const uri = this.#fileOf(name);
    if (uri === undefined) return undefined;
    const { open, tensors } = await this.#open(uri);
    const info = tensors.get(name);
    return info === undefined ? undefined : { info, reader: open.reader };
  }

  async names(uri: vscode.Uri): Promise<string[]> {
    return [...(await this.#open(uri)).tensors.keys()];
  }

  #open(uri: vscode.Uri) {
    const key = uri.toString();
    const opening = this.#opened.get(key) ?? this.#read(uri);
    this.#opened.set(key, opening);
    return opening;
  }

  async #read(uri: vscode.Uri) {
    const open = await openFile(uri);
    try {
      const { tensors } = await readSafetensorsHeader(open.reader);
      return { open, tensors: new Map(tensors.map((info) => [info.name, info])) };
    } catch (error) {
      await open.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const opening of this.#opened.values()) await opening.then(({ open }) => open.close()).catch(() => undefined);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tensor names → file names of an index. Core rejects names that leave the folder. */
async function readWeightMap(index: vscode.Uri): Promise<ReadonlyMap<string, string>> {
  if ((await vscode.workspace.fs.stat(index)).size > MAX_INDEX_BYTES)
    throw new UserError(l10n.t("The checkpoint index is too large."));
  const parsedIndex = readSafetensorsIndex(parseIndex(await readRegularFile(index, MAX_INDEX_BYTES)));
  if (parsedIndex === undefined) throw new UserError(l10n.t("Not a checkpoint index."));
  return parsedIndex.weightMap;
}

/** Norms in the config beside a checkpoint; empty if there is none or it is unreadable. */
async function readSiblingNorms(file: vscode.Uri): Promise<NormSettings> {
  const config = vscode.Uri.joinPath(file, "..", "config.json");
  try {
    return readNormSettings(parseJson(decodeText(await readRegularFile(config, MAX_CONFIG_BYTES))));
  } catch {
    return {};
  }
}

/** Queries and keys of the first layer, with progress in the status bar; other tensors are not read. */
export async function readContent({
  uri,
  ids,
  head,
  headDim,
}: ReadContent["argument"]): Promise<ReadContent["answer"]> {
  const file = requireCheckpoint(uri, CHECKPOINT_FILE);
  const title = vscode.workspace.asRelativePath(file);
  return withStatusProgress(l10n.t("Reading {0}", title), async () => {
    const weightMap = /\.json$/i.test(file.path) ? await readWeightMap(file) : undefined;
    const sibling = (name: string) => vscode.Uri.joinPath(file, "..", name);
    const files = new CheckpointFiles((name) => {
      const shard = weightMap?.get(name);
      if (weightMap !== undefined) return shard === undefined ? undefined : sibling(shard);
      return file;
    });
    try {
      const norms = await readSiblingNorms(file);
      const names = weightMap === undefined ? await files.names(file) : [...weightMap.keys()];
      const { q, k } = await readContentRows(names, (name) => files.find(name), { ids, head, headDim, norms });
      return { title, q, k };
    } finally {
      await files.close();
    }
  });
}

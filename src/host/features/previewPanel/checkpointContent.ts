import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { contentRows, type NormsOfConfig, normsOfConfig } from "../../../core/checkpoint/contentTensors.ts";
import type { Stored } from "../../../core/checkpoint/projections.ts";
import type { OpenRange, TensorInfo } from "../../../core/checkpoint/rangeReader.ts";
import { readSafetensors, readSafetensorsIndex } from "../../../core/checkpoint/safetensors.ts";
import { decodeText } from "../../../core/config/text/json.ts";
import type { ViewRequests } from "../../../core/protocol/messages.ts";
import { UserError } from "../../../core/util/errors.ts";
import { openFile } from "../../platform/openFile.ts";
import { checkpointOf } from "./weights.ts";

type Pick = ViewRequests["pickContent"];
type Read = ViewRequests["readContent"];

/** More than this is no list to choose from. */
const MOST = 1000;
const MAX_CONFIG = 1024 * 1024;
/** An index names each tensor once. */
const MAX_INDEX = 32 * 1024 * 1024;

const KIND = /\.safetensors(?:\.index\.json)?$/i;
/** One of several pieces: its index stands for it. */
const SHARD = /-\d{5}-of-\d{5}\.safetensors$/i;

/** Lets the user choose a checkpoint: a file, or the index of several. */
export async function pickContent(): Promise<Pick["answer"]> {
  const found = await vscode.workspace.findFiles(
    "**/*.{safetensors,safetensors.index.json}",
    "**/node_modules/**",
    MOST,
  );
  const items = found
    .filter(({ path }) => !SHARD.test(path))
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  if (items.length === 0) throw new UserError(t("No .safetensors file found in the workspace."));
  const title = t("Load content from checkpoint");
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: t("Select a model") });
  return { uri: chosen?.uri.toString() ?? null };
}

/** The files of a checkpoint, each opened when a tensor of it is first asked for, and closed together. */
class Checkpoint {
  readonly #opened = new Map<string, Promise<{ open: OpenRange; tensors: ReadonlyMap<string, TensorInfo> }>>();
  readonly #fileOf: (name: string) => vscode.Uri | undefined;

  constructor(fileOf: (name: string) => vscode.Uri | undefined) {
    this.#fileOf = fileOf;
  }

  async find(name: string): Promise<Stored | undefined> {
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
    const known = this.#opened.get(key) ?? this.#read(uri);
    this.#opened.set(key, known);
    return known;
  }

  async #read(uri: vscode.Uri) {
    const open = await openFile(uri);
    try {
      const { tensors } = await readSafetensors(open.reader);
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names → files of an index; names that would leave its folder are refused by core. */
async function weightMap(index: vscode.Uri): Promise<ReadonlyMap<string, string>> {
  if ((await vscode.workspace.fs.stat(index)).size > MAX_INDEX)
    throw new UserError(t("The checkpoint index is too large."));
  const read = readSafetensorsIndex(parsed(decodeText(await vscode.workspace.fs.readFile(index))));
  if (read === undefined) throw new UserError(t("Not a checkpoint index."));
  return read.weightMap;
}

/** What the config beside a checkpoint says of its norms; nothing where there is none that can be read. */
async function normsBeside(file: vscode.Uri): Promise<NormsOfConfig> {
  const config = vscode.Uri.joinPath(file, "..", "config.json");
  try {
    if ((await vscode.workspace.fs.stat(config)).size > MAX_CONFIG) return {};
    return normsOfConfig(parsed(decodeText(await vscode.workspace.fs.readFile(config))));
  } catch {
    return {};
  }
}

/** Queries and keys of the first layer, with progress in the status bar; nothing else of the file is read. */
export async function readContent({ uri, ids, head, headDim }: Read["argument"]): Promise<Read["answer"]> {
  const file = checkpointOf(uri, KIND);
  const title = vscode.workspace.asRelativePath(file);
  const location = vscode.ProgressLocation.Window;
  return vscode.window.withProgress({ location, title: t("Reading {0}", title) }, async () => {
    const map = /\.json$/i.test(file.path) ? await weightMap(file) : undefined;
    const sibling = (name: string) => vscode.Uri.joinPath(file, "..", name);
    const checkpoint = new Checkpoint((name) => {
      const shard = map?.get(name);
      if (map !== undefined) return shard === undefined ? undefined : sibling(shard);
      return file;
    });
    try {
      const norms = await normsBeside(file);
      const names = map === undefined ? await checkpoint.names(file) : [...map.keys()];
      const { q, k } = await contentRows(names, (name) => checkpoint.find(name), { ids, head, headDim, norms });
      return { title, q, k };
    } finally {
      await checkpoint.close();
    }
  });
}

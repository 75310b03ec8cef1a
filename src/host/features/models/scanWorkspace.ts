import * as vscode from "vscode";
import type { ConfigReading } from "../../../core/config/readConfig.ts";
import { isRecord } from "../../../core/util/isRecord.ts";
import { createWorkQueue, type RunQueued } from "../../platform/workQueue.ts";
import type { Services } from "../../services.ts";
import { modelFileKind } from "../../stores/modelFiles.ts";

export const MODEL_FILES =
  "**/{*config*.json,params.json,*.yaml,*.yml,*.toml,*.gguf,*.safetensors,*.safetensors.index.json}";
/** Installed packages and caches have models of others. VS Code leaves out what `files.exclude` names by itself. */
const EXCLUDED_FOLDERS = ["node_modules", ".git", ".venv", "venv", "site-packages"];
/** More would not be usable in a tree; the view reports the limit. */
export const MAX_FILES = 5000;
/** Files read concurrently. */
const FILES_PER_BATCH = 16;

/** A shard: its index stands for the whole checkpoint. */
const SHARD_FILE = /-\d{5}-of-\d{5}\.safetensors$/i;

export interface ModelFile {
  readonly uri: vscode.Uri;
  readonly reading: ConfigReading;
}

export interface ScanListener {
  onModel(model: ModelFile): void;
  onProgress(done: number, all: number): void;
}

/** Reads all models of the workspace, yielding to other work, until cancelled. Returns the number of files found. */
export async function scanWorkspace(
  services: Services,
  listener: ScanListener,
  token: vscode.CancellationToken,
): Promise<number> {
  const files = await vscode.workspace.findFiles(MODEL_FILES, excludedFiles(), MAX_FILES, token);
  const runQueued = createWorkQueue();
  const runUntilCancelled: RunQueued = (work) =>
    runQueued(() => {
      if (token.isCancellationRequested) throw new vscode.CancellationError();
      return work();
    });
  for (let start = 0; start < files.length && !token.isCancellationRequested; start += FILES_PER_BATCH) {
    listener.onProgress(start, files.length);
    const models = await Promise.all(
      files.slice(start, start + FILES_PER_BATCH).map((uri) => readModel(services, uri, runUntilCancelled)),
    );
    for (const model of models) if (model !== undefined) listener.onModel(model);
  }
  return files.length;
}

function excludedFiles(): string {
  const searchExclude: unknown = vscode.workspace.getConfiguration("search").get("exclude");
  const patterns = Object.entries(isRecord(searchExclude) ? searchExclude : {}).filter(([, value]) => value === true);
  return `{${[...EXCLUDED_FOLDERS.map((name) => `**/${name}/**`), ...patterns.map(([pattern]) => pattern)].join(",")}}`;
}

/** The model of a file; undefined if the file is gone, ignored by the project, or not a model. */
export async function readModel(
  { configs, rules }: Services,
  uri: vscode.Uri,
  runQueued?: RunQueued,
): Promise<ModelFile | undefined> {
  try {
    const path = `/${vscode.workspace.asRelativePath(uri, false)}`;
    const isInstalled = EXCLUDED_FOLDERS.some((name) => path.includes(`/${name}/`));
    if (isInstalled || SHARD_FILE.test(uri.path) || (await rules.ignores(uri))) return undefined;
    const reading = await (await configs.reader()).readFile(uri, {
      skipLargeFiles: true,
      ...(runQueued === undefined ? {} : { runQueued }),
    });
    return reading === undefined || hasNoPositions(uri, reading) ? undefined : { uri, reading };
  } catch {
    return undefined; // Deleted since it was found, or unreadable.
  }
}

/** True for weights without position tensors: the config describes the model. */
function hasNoPositions(uri: vscode.Uri, { format, specs, error }: ConfigReading): boolean {
  if (error !== null || specs.length > 0) return false;
  return modelFileKind(uri) === "index" || format === "safetensors";
}

import * as vscode from "vscode";
import type { ConfigReading } from "../../../core/config/readConfig.ts";
import { type Pace, pacer } from "../../platform/workQueue.ts";
import { kindOf, readModelFile } from "../../stores/modelFiles.ts";
import type { RuleSettings } from "../../stores/ruleSettings.ts";

export const GLOB = "**/{*config*.json,params.json,*.yaml,*.yml,*.gguf,*.safetensors,*.safetensors.index.json}";
const LEFT_OUT = "**/{node_modules,.git}/**";
/** More files than a tree can show; the view says so. */
export const MOST_FILES = 5000;
/** Files asked for at once. */
const BATCH = 16;

/** One of several files that an index puts together. */
const SHARD = /-\d{5}-of-\d{5}\.safetensors$/i;

export interface Model {
  readonly uri: vscode.Uri;
  readonly reading: ConfigReading;
}

export interface ScanListener {
  found(model: Model): void;
  progress(done: number, all: number): void;
}

/** Reads all models of the workspace, giving way to other work, until cancelled. Returns how many files there were. */
export async function scanWorkspace(
  rules: RuleSettings,
  listener: ScanListener,
  token: vscode.CancellationToken,
): Promise<number> {
  const files = await vscode.workspace.findFiles(GLOB, LEFT_OUT, MOST_FILES, token);
  const inTurn = pacer();
  const pace: Pace = (work) =>
    inTurn(() => {
      if (token.isCancellationRequested) throw new vscode.CancellationError();
      return work();
    });
  for (let start = 0; start < files.length && !token.isCancellationRequested; start += BATCH) {
    listener.progress(start, files.length);
    const models = await Promise.all(files.slice(start, start + BATCH).map((uri) => readModel(rules, uri, pace)));
    for (const model of models) if (model !== undefined) listener.found(model);
  }
  return files.length;
}

/** The model that a file is of; undefined if it is gone, left out by the project, or of something else. */
export async function readModel(rules: RuleSettings, uri: vscode.Uri, pace?: Pace): Promise<Model | undefined> {
  try {
    if (uri.path.includes("/node_modules/") || SHARD.test(uri.path) || (await rules.ignores(uri))) return undefined;
    const reading = await readModelFile(uri, { inPassing: true, ...(pace === undefined ? {} : { pace }) });
    return reading === undefined || saysNothing(uri, reading) ? undefined : { uri, reading };
  } catch {
    return undefined; // Gone since it was found, or not to be read: no model to show.
  }
}

/** Weights without a table of positions: what the model does stands in its config. */
function saysNothing(uri: vscode.Uri, { format, specs, error }: ConfigReading): boolean {
  if (error !== null || specs.length > 0) return false;
  return kindOf(uri) === "index" || format === "safetensors";
}

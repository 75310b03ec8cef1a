import * as vscode from "vscode";
import { decodeText } from "../../../core/config/json.ts";
import { type ConfigReading, looksLikeModelConfig, readConfig } from "../../../core/config/readConfig.ts";
import type { RuleSettings } from "../../stores/ruleSettings.ts";

export const GLOB = "**/{*config*.json,params.json}";
const LEFT_OUT = "**/{node_modules,.git}/**";
/** More models than a tree can show; the view says so. */
export const MOST_FILES = 5000;
/** A model's config is a few kB; what is larger is a vocabulary. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Files asked for at once. */
const BATCH = 16;
/** How long the host may be kept from other work, in milliseconds; one file takes a few. */
const SLICE = 16;

export interface Model {
  readonly uri: vscode.Uri;
  readonly reading: ConfigReading;
}

export interface ScanListener {
  found(model: Model): void;
  progress(done: number, all: number): void;
}

/** Reads all model configs of the workspace, in slices, until cancelled. Returns how many files there were to read. */
export async function scanWorkspace(
  rules: RuleSettings,
  listener: ScanListener,
  token: vscode.CancellationToken,
): Promise<number> {
  const files = await vscode.workspace.findFiles(GLOB, LEFT_OUT, MOST_FILES, token);
  let since = Date.now();
  for (let start = 0; start < files.length && !token.isCancellationRequested; start += BATCH) {
    listener.progress(start, files.length);
    const batch = files.slice(start, start + BATCH);
    const texts = await Promise.all(batch.map((uri) => textOf(rules, uri)));
    for (const [index, uri] of batch.entries()) {
      if (Date.now() - since >= SLICE) {
        await new Promise<void>((resolve) => setTimeout(resolve, 0));
        since = Date.now();
      }
      if (token.isCancellationRequested) break;
      const model = modelOf(uri, texts[index]);
      if (model !== undefined) listener.found(model);
    }
  }
  return files.length;
}

/** The model that a file is of; undefined if it is gone, left out by the project, or of something else. */
export async function readModel(rules: RuleSettings, uri: vscode.Uri): Promise<Model | undefined> {
  return modelOf(uri, await textOf(rules, uri));
}

function modelOf(uri: vscode.Uri, text: string | undefined): Model | undefined {
  return text !== undefined && looksLikeModelConfig(text) ? { uri, reading: readConfig(text) } : undefined;
}

async function textOf(rules: RuleSettings, uri: vscode.Uri): Promise<string | undefined> {
  const { fs } = vscode.workspace;
  try {
    if (uri.path.includes("/node_modules/") || (await rules.ignores(uri))) return undefined;
    if ((await fs.stat(uri)).size > MAX_BYTES) return undefined;
    return decodeText(await fs.readFile(uri));
  } catch {
    return undefined; // Gone since it was found, or not to be read: no model to show.
  }
}

import * as vscode from "vscode";
import type { SiblingTexts } from "../../core/config/readConfig.ts";
import type { GgufSibling } from "../../core/config/rules/rule.ts";
import { readCheckpoint } from "../../core/config/weights/readCheckpoint.ts";
import { fileName } from "../platform/fileName.ts";
import { withFile } from "../platform/openFile.ts";
import { readRegularFile } from "../platform/readRegularFile.ts";
import { dropOldest, FileCache } from "./fileCache.ts";

/** A tokenizer's config contains at most some thousand added tokens. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const MAX_CACHED_FOLDERS = 256;
const MAX_CACHED_FILES = 256;

const TOKENIZER_CONFIG = "tokenizer_config.json";
const GENERATION_CONFIG = "generation_config.json";

/** While a config is typed, its folder is listed at most this often: it may be on another machine. */
const FOLDER_CACHE_MS = 2000;

/** Files beside a `config.json` that also state lengths; each is read once per version. */
export class SiblingFiles {
  readonly #texts = new FileCache<string>(MAX_CACHED_FILES);
  readonly #checkpoints = new FileCache<GgufSibling>(MAX_CACHED_FILES);
  readonly #recentFolders = new Map<string, { readonly at: number; readonly siblings: Promise<SiblingTexts> }>();

  read(uri: vscode.Uri): Promise<SiblingTexts> {
    if (!uri.path.endsWith("/config.json")) return Promise.resolve({});
    const folder = vscode.Uri.joinPath(uri, "..");
    const cached = this.#recentFolders.get(folder.toString());
    if (cached !== undefined && Date.now() - cached.at < FOLDER_CACHE_MS) return cached.siblings;
    const siblings = this.#readFolder(folder);
    this.#recentFolders.set(folder.toString(), { at: Date.now(), siblings });
    dropOldest(this.#recentFolders, MAX_CACHED_FOLDERS);
    return siblings;
  }

  /** Lists the folder of a changed file again. */
  forget(changed: vscode.Uri): void {
    this.#recentFolders.delete(vscode.Uri.joinPath(changed, "..").toString());
  }

  async #readFolder(folder: vscode.Uri): Promise<SiblingTexts> {
    const names = await listNames(folder);
    const at = (name: string) => vscode.Uri.joinPath(folder, name);
    const text = (name: string) =>
      names.includes(name) ? this.#texts.read(at(name), () => readText(at(name))) : undefined;
    const [tokenizer, generation, ...gguf] = await Promise.all([
      text(TOKENIZER_CONFIG),
      text(GENERATION_CONFIG),
      ...names
        .filter((name) => /\.gguf$/i.test(name))
        .map((name) => this.#checkpoints.read(at(name), () => readGgufSibling(at(name)))),
    ]);
    return {
      tokenizer: () => tokenizer?.value,
      generation: () => generation?.value,
      gguf: gguf.flatMap((sibling) => sibling?.value ?? []),
    };
  }
}

async function listNames(folder: vscode.Uri): Promise<string[]> {
  try {
    return (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).sort();
  } catch {
    return []; // An untitled document has no folder.
  }
}

async function readText(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await readRegularFile(uri, MAX_TEXT_BYTES));
}

/** The error of a truncated file is shown where that file is listed. */
async function readGgufSibling(uri: vscode.Uri): Promise<GgufSibling | undefined> {
  const reading = await withFile(uri, readCheckpoint);
  if (reading === undefined) return undefined;
  return { name: fileName(uri), specs: reading.specs };
}

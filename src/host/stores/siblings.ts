import * as vscode from "vscode";
import type { SiblingTexts } from "../../core/config/readConfig.ts";
import type { GgufSibling } from "../../core/config/rules/rule.ts";
import { readCheckpoint } from "../../core/config/weights/readCheckpoint.ts";
import { withFile } from "../platform/openFile.ts";

/** A tokenizer's config may hold some thousand added tokens, no more. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Files of this many folders are kept as they were read. */
const MAX_KEPT = 256;

const TOKENIZER = "tokenizer_config.json";
const GENERATION = "generation_config.json";

interface Kept<T> {
  readonly stamp: string;
  readonly value: T;
}

const texts = new Map<string, Kept<string>>();
const checkpoints = new Map<string, Kept<GgufSibling>>();

/** While a config is being typed, its folder is looked at only so often: it may lie on another machine. */
const RECENT = 2000;

const recent = new Map<string, { readonly at: number; readonly found: Promise<SiblingTexts> }>();

/** The files beside a model's `config.json` that say something about lengths too; each is read once a version. */
export function siblingsOf(uri: vscode.Uri): Promise<SiblingTexts> {
  if (!uri.path.endsWith("/config.json")) return Promise.resolve({});
  const folder = vscode.Uri.joinPath(uri, "..");
  const known = recent.get(folder.toString());
  if (known !== undefined && Date.now() - known.at < RECENT) return known.found;
  const found = readSiblings(folder);
  recent.set(folder.toString(), { at: Date.now(), found });
  if (recent.size > MAX_KEPT) recent.delete(recent.keys().next().value ?? "");
  return found;
}

/** A file has changed: its folder is looked at again. */
export function forgetSiblings(changed: vscode.Uri): void {
  recent.delete(vscode.Uri.joinPath(changed, "..").toString());
}

async function readSiblings(folder: vscode.Uri): Promise<SiblingTexts> {
  const names = await namesIn(folder);
  const at = (name: string) => vscode.Uri.joinPath(folder, name);
  const text = (name: string) => (names.includes(name) ? kept(at(name), texts, readText) : undefined);
  const [tokenizer, generation, ...gguf] = await Promise.all([
    text(TOKENIZER),
    text(GENERATION),
    ...names.filter((name) => /\.gguf$/i.test(name)).map((name) => kept(at(name), checkpoints, readGguf)),
  ]);
  return {
    tokenizer: () => tokenizer,
    generation: () => generation,
    gguf: gguf.filter((sibling) => sibling !== undefined),
  };
}

async function namesIn(folder: vscode.Uri): Promise<string[]> {
  try {
    return (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).sort();
  } catch {
    return []; // An untitled document lies in no folder.
  }
}

async function kept<T>(
  uri: vscode.Uri,
  cache: Map<string, Kept<T>>,
  read: (uri: vscode.Uri, size: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const name = uri.toString();
  try {
    const { mtime, size } = await vscode.workspace.fs.stat(uri);
    const stamp = `${mtime} ${size}`;
    const known = cache.get(name);
    if (known?.stamp === stamp) return known.value;
    const value = await read(uri, size);
    if (value === undefined) return undefined;
    cache.set(name, { stamp, value });
    if (cache.size > MAX_KEPT) cache.delete(cache.keys().next().value ?? "");
    return value;
  } catch {
    return undefined; // Gone meanwhile, or not to be read: the config stands by itself.
  }
}

async function readText(uri: vscode.Uri, size: number): Promise<string | undefined> {
  return size > MAX_BYTES ? undefined : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** A file that breaks off says so in its own entry. */
async function readGguf(uri: vscode.Uri): Promise<GgufSibling | undefined> {
  const reading = await withFile(uri, readCheckpoint);
  if (reading === undefined) return undefined;
  return { name: uri.path.slice(uri.path.lastIndexOf("/") + 1), specs: reading.specs };
}

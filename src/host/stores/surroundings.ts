import * as vscode from "vscode";
import { readConfig } from "../../core/config/readConfig.ts";
import { createPythonDocument, type PythonDocument } from "../../core/python/document.ts";
import { type ExplainOptions, relativeImports } from "../../core/python/explain.ts";
import type { EncodingSpec } from "../../core/spec.ts";
import { notebookOf } from "../platform/notebooks.ts";

/** More files than these are not opened for one hover, and none that is larger. */
const MAX_IMPORTS = 16;
const MAX_BYTES = 2 * 1024 * 1024;

/** What files beside a Python file add to its explanation. */
export interface Surroundings {
  /** Changes when one of these files does. */
  readonly key: string;
  readonly options: Pick<ExplainOptions, "neighbour" | "configSpecs">;
}

const NOTHING: Surroundings = { key: "", options: {} };

/** A file in one state of it, and what was made of it then. */
interface Made<T> {
  readonly stamp: string;
  readonly value: T;
}

const neighbours = new Map<string, Made<PythonDocument>>();
const configs = new Map<string, Made<readonly EncodingSpec[]>>();

/** Reads the files that relative imports name and the config in the same folder; each only once a version. */
export async function surroundingsOf(document: vscode.TextDocument, python: PythonDocument): Promise<Surroundings> {
  const file = fileOf(document);
  if (file === undefined) return NOTHING;
  const folder = vscode.Uri.joinPath(file, "..");
  const wanted = relativeImports(python).slice(0, MAX_IMPORTS);
  const [config, ...imported] = await Promise.all([
    madeOf(vscode.Uri.joinPath(folder, "config.json"), configs, (text) => readConfig(text).specs),
    ...wanted.map(({ level, module }) => importedFile(folder, level, module)),
  ]);
  const byName = new Map(wanted.map(({ level, module }, index) => [`${level} ${module}`, imported[index]?.value]));
  return {
    key: [config, ...imported].map((made) => made?.stamp ?? "-").join(" "),
    options: {
      neighbour: (level, module) => byName.get(`${level} ${module}`) ?? null,
      ...(config === undefined ? {} : { configSpecs: config.value }),
    },
  };
}

/** A cell lies where its notebook does; what has not been saved lies nowhere. */
function fileOf(document: vscode.TextDocument): vscode.Uri | undefined {
  if (document.uri.scheme === "untitled") return undefined;
  if (document.uri.scheme !== "vscode-notebook-cell") return document.uri;
  return notebookOf(document)?.uri;
}

async function importedFile(
  folder: vscode.Uri,
  level: number,
  module: string,
): Promise<Made<PythonDocument> | undefined> {
  const steps = [...Array<string>(level - 1).fill(".."), ...module.split(".").filter((name) => name !== "")];
  const target = vscode.Uri.joinPath(folder, ...steps);
  const asFile = module === "" ? undefined : target.with({ path: `${target.path}.py` });
  const found = asFile === undefined ? undefined : await madeOf(asFile, neighbours, createPythonDocument);
  return found ?? madeOf(vscode.Uri.joinPath(target, "__init__.py"), neighbours, createPythonDocument);
}

/** What an editor holds counts before what is saved. Undefined where there is no such file, or too large a one. */
async function madeOf<T>(
  uri: vscode.Uri,
  cache: Map<string, Made<T>>,
  make: (text: string) => T,
): Promise<Made<T> | undefined> {
  const name = uri.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === name);
  try {
    const stamp = open === undefined ? await savedStamp(uri) : `open ${open.version}`;
    if (stamp === undefined) return undefined;
    const known = cache.get(name);
    if (known?.stamp === stamp) return known;
    const text = open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const made = { stamp, value: make(text) };
    cache.set(name, made);
    if (cache.size > 4 * MAX_IMPORTS) cache.delete(cache.keys().next().value ?? "");
    return made;
  } catch {
    // Most often there is no such file: absence is what a hover must live with.
    return undefined;
  }
}

async function savedStamp(uri: vscode.Uri): Promise<string | undefined> {
  const { mtime, size } = await vscode.workspace.fs.stat(uri);
  return size > MAX_BYTES ? undefined : `saved ${mtime} ${size}`;
}

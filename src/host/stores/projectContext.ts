import * as vscode from "vscode";
import { readConfig } from "../../core/config/readConfig.ts";
import { createPythonDocument, type PythonDocument } from "../../core/python/document.ts";
import { type ExplainOptions, relativeImports } from "../../core/python/explain.ts";
import type { EncodingSpec } from "../../core/spec.ts";
import { findNotebook } from "../platform/notebooks.ts";

/** Imports read for one hover. */
const MAX_IMPORTS = 16;
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** What other files contribute to the explanation of a Python file. */
export interface ProjectContext {
  /** Changes if one of these files does. */
  readonly key: string;
  readonly options: Pick<ExplainOptions, "importedModule" | "configSpecs">;
}

const NO_CONTEXT: ProjectContext = { key: "", options: {} };

/** A value computed from one version of a file. */
interface CachedFile<T> {
  readonly stamp: string;
  readonly value: T;
}

const moduleCache = new Map<string, CachedFile<PythonDocument>>();
const configCache = new Map<string, CachedFile<readonly EncodingSpec[]>>();

/** Reads relatively imported files and the config in the same folder, each once per version. */
export async function readProjectContext(
  document: vscode.TextDocument,
  python: PythonDocument,
): Promise<ProjectContext> {
  const file = savedFile(document);
  if (file === undefined) return NO_CONTEXT;
  const folder = vscode.Uri.joinPath(file, "..");
  const imports = relativeImports(python).slice(0, MAX_IMPORTS);
  const [config, ...imported] = await Promise.all([
    readCached(vscode.Uri.joinPath(folder, "config.json"), configCache, (text) => readConfig(text).specs),
    ...imports.map(({ level, module }) => readImportedModule(folder, level, module)),
  ]);
  const byName = new Map(imports.map(({ level, module }, index) => [`${level} ${module}`, imported[index]?.value]));
  return {
    key: [config, ...imported].map((made) => made?.stamp ?? "-").join(" "),
    options: {
      importedModule: (level, module) => byName.get(`${level} ${module}`) ?? null,
      ...(config === undefined ? {} : { configSpecs: config.value }),
    },
  };
}

/** The file itself, or the notebook of a cell; undefined for unsaved documents. */
function savedFile(document: vscode.TextDocument): vscode.Uri | undefined {
  if (document.uri.scheme === "untitled") return undefined;
  if (document.uri.scheme !== "vscode-notebook-cell") return document.uri;
  return findNotebook(document)?.uri;
}

async function readImportedModule(
  folder: vscode.Uri,
  level: number,
  moduleName: string,
): Promise<CachedFile<PythonDocument> | undefined> {
  const steps = [...Array<string>(level - 1).fill(".."), ...moduleName.split(".").filter((name) => name !== "")];
  const target = vscode.Uri.joinPath(folder, ...steps);
  const asFile = moduleName === "" ? undefined : target.with({ path: `${target.path}.py` });
  const module = asFile === undefined ? undefined : await readCached(asFile, moduleCache, createPythonDocument);
  return module ?? readCached(vscode.Uri.joinPath(target, "__init__.py"), moduleCache, createPythonDocument);
}

/** Open documents take precedence over saved files. Undefined if the file is missing or too large. */
async function readCached<T>(
  uri: vscode.Uri,
  cache: Map<string, CachedFile<T>>,
  make: (text: string) => T,
): Promise<CachedFile<T> | undefined> {
  const name = uri.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === name);
  try {
    const stamp = open === undefined ? await savedStamp(uri) : `open ${open.version}`;
    if (stamp === undefined) return undefined;
    const cached = cache.get(name);
    if (cached?.stamp === stamp) return cached;
    const text = open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const made = { stamp, value: make(text) };
    cache.set(name, made);
    if (cache.size > 4 * MAX_IMPORTS) cache.delete(cache.keys().next().value ?? "");
    return made;
  } catch {
    // Usually the file does not exist.
    return undefined;
  }
}

async function savedStamp(uri: vscode.Uri): Promise<string | undefined> {
  const { mtime, size } = await vscode.workspace.fs.stat(uri);
  return size > MAX_FILE_BYTES ? undefined : `saved ${mtime} ${size}`;
}

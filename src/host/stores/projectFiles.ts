import * as vscode from "vscode";
import { readConfig } from "../../core/config/readConfig.ts";
import { createPythonDocument, type PythonDocument } from "../../core/python/document.ts";
import { createAnalysisContext, relativeImports } from "../../core/python/explain.ts";
import type { AnalysisContext } from "../../core/python/recognise/analysedCode.ts";
import type { EncodingSpec } from "../../core/spec.ts";
import { findNotebook } from "../platform/notebooks.ts";
import { readRegularFile } from "../platform/readRegularFile.ts";
import type { ParsedDocument } from "./pythonDocuments.ts";

/** Imports read for one hover. */
const MAX_IMPORTS = 16;
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** A value computed from one version of a file. */
interface CachedFile<T> {
  readonly stamp: string;
  readonly value: T;
}

interface CachedContext {
  /** Versions of the files that the context was made from. */
  readonly key: string;
  readonly context: AnalysisContext;
}

/** Files of the workspace that contribute to the explanation of a Python file, each read once per version. */
export class ProjectFiles {
  readonly #modules = new Map<string, CachedFile<PythonDocument>>();
  readonly #configs = new Map<string, CachedFile<readonly EncodingSpec[]>>();
  readonly #contexts = new WeakMap<vscode.TextDocument, CachedContext>();

  /** Relatively imported files and the config in the same folder; the same object until one of them changes. */
  async contextOf(document: vscode.TextDocument, { python, start }: ParsedDocument): Promise<AnalysisContext> {
    const file = savedFile(document);
    const folder = file === undefined ? undefined : vscode.Uri.joinPath(file, "..");
    const imports = folder === undefined ? [] : relativeImports(python).slice(0, MAX_IMPORTS);
    const [config, ...imported] =
      folder === undefined
        ? []
        : await Promise.all([
            readCached(vscode.Uri.joinPath(folder, "config.json"), this.#configs, (text) => readConfig(text).specs),
            ...imports.map(({ level, module }) => this.#readImport(folder, level, module)),
          ]);
    const names = imports.map(({ level, module }) => `${level} ${module}`);
    const stamps = [config, ...imported].map((cached) => cached?.stamp ?? "-");
    const key = JSON.stringify([start, names, stamps]);
    const known = this.#contexts.get(document);
    if (known?.key === key) return known.context;
    const byName = new Map(names.map((name, index) => [name, imported[index]?.value]));
    const context = createAnalysisContext({
      importedModule: (level, module) => byName.get(`${level} ${module}`) ?? null,
      ...(config === undefined ? {} : { configSpecs: config.value }),
      cellStart: start,
    });
    this.#contexts.set(document, { key, context });
    return context;
  }

  async #readImport(
    folder: vscode.Uri,
    level: number,
    moduleName: string,
  ): Promise<CachedFile<PythonDocument> | undefined> {
    const steps = [...Array<string>(level - 1).fill(".."), ...moduleName.split(".").filter((name) => name !== "")];
    const target = vscode.Uri.joinPath(folder, ...steps);
    const asFile = moduleName === "" ? undefined : target.with({ path: `${target.path}.py` });
    const module = asFile === undefined ? undefined : await readCached(asFile, this.#modules, createPythonDocument);
    return module ?? readCached(vscode.Uri.joinPath(target, "__init__.py"), this.#modules, createPythonDocument);
  }
}

/** The file itself, or the notebook of a cell; undefined for unsaved documents. */
function savedFile(document: vscode.TextDocument): vscode.Uri | undefined {
  if (document.uri.scheme === "untitled") return undefined;
  if (document.uri.scheme !== "vscode-notebook-cell") return document.uri;
  return findNotebook(document)?.uri;
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
    const text = open?.getText() ?? new TextDecoder().decode(await readRegularFile(uri, MAX_FILE_BYTES));
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

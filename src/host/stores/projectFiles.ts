import * as vscode from "vscode";
import { readConfig } from "../../core/config/readConfig.ts";
import { createPythonDocument, type PythonDocument } from "../../core/python/document.ts";
import { createAnalysisContext, relativeImports } from "../../core/python/explain.ts";
import type { AnalysisContext } from "../../core/python/recognise/analysedCode.ts";
import type { EncodingSpec } from "../../core/spec.ts";
import { findNotebook } from "../platform/notebooks.ts";
import { readRegularFile } from "../platform/readRegularFile.ts";
import { type CachedFile, FileCache } from "./fileCache.ts";
import type { ParsedDocument } from "./pythonDocuments.ts";

/** Imports read for one hover. */
const MAX_IMPORTS = 16;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_CACHED_FILES = 4 * MAX_IMPORTS;

interface CachedContext {
  /** Versions of the files that the context was made from. */
  readonly key: string;
  readonly context: AnalysisContext;
}

/** Files of the workspace that contribute to the explanation of a Python file, each read once per version. */
export class ProjectFiles {
  readonly #modules = new FileCache<PythonDocument>(MAX_CACHED_FILES);
  readonly #configs = new FileCache<readonly EncodingSpec[]>(MAX_CACHED_FILES);
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
            readText(vscode.Uri.joinPath(folder, "config.json"), this.#configs, (text) => readConfig(text).specs),
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
    const module = asFile === undefined ? undefined : await readText(asFile, this.#modules, createPythonDocument);
    return module ?? readText(vscode.Uri.joinPath(target, "__init__.py"), this.#modules, createPythonDocument);
  }
}

/** The file itself, or the notebook of a cell; undefined for unsaved documents. */
function savedFile(document: vscode.TextDocument): vscode.Uri | undefined {
  if (document.uri.scheme === "untitled") return undefined;
  if (document.uri.scheme !== "vscode-notebook-cell") return document.uri;
  return findNotebook(document)?.uri;
}

/** Open documents take precedence over saved files. Undefined if the file is missing or too large. */
function readText<T>(
  uri: vscode.Uri,
  cache: FileCache<T>,
  make: (text: string) => T,
): Promise<CachedFile<T> | undefined> {
  const name = uri.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === name);
  if (open !== undefined) return cache.read(uri, async () => make(open.getText()), `open ${open.version}`);
  return cache.read(uri, async () => make(new TextDecoder().decode(await readRegularFile(uri, MAX_FILE_BYTES))));
}

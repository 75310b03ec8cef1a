import type * as vscode from "vscode";
import { createPythonDocument, type PythonDocument } from "../../core/python/document.ts";
import { type JoinedCells, joinCells, type NotebookCell, parseCell } from "../../core/python/notebook/cells.ts";
import { findNotebook, pythonCells } from "../platform/notebooks.ts";

/** A parsed document: a file, or a cell preceded by the earlier cells of its notebook. */
export interface ParsedDocument {
  readonly python: PythonDocument;
  /** Offset of the document's own text. */
  readonly start: number;
}

interface CachedPython {
  readonly python: PythonDocument;
  /** State of the imported files and the config that the analysis used. */
  readonly contextKey: string;
}

const pythonCache = new WeakMap<vscode.TextDocument | vscode.NotebookDocument, CachedPython>();

/** Parses a document by itself; after an edit, only changed parts are parsed again. */
export function parsedAlone(document: vscode.TextDocument): PythonDocument {
  return parseCached(document, document.getText());
}

/** Parses a document together with the earlier cells, whose names its code may use. */
export function parsedDocument(document: vscode.TextDocument): ParsedDocument {
  return parsedWithImports(document, undefined);
}

/**
 * Like `parsedDocument`, but analysed again if imported files or the config changed: the analysis caches values from
 * them.
 * @param contextKey their state; undefined keeps the current one
 */
export function parsedWithImports(document: vscode.TextDocument, contextKey: string | undefined): ParsedDocument {
  const notebook = findNotebook(document);
  if (notebook === undefined) return { python: parseCached(document, document.getText(), contextKey), start: 0 };
  const cells = pythonCells(notebook);
  const { text, starts } = joinDocuments(cells.slice(0, cells.indexOf(document) + 1));
  return { python: parseCached(notebook, text, contextKey), start: starts.at(-1) ?? 0 };
}

/** Parses all given cells of a notebook, and returns where each one starts. */
export function parsedNotebook(notebook: vscode.NotebookDocument, cells: readonly vscode.TextDocument[]) {
  const { text, starts } = joinDocuments(cells);
  return { python: parseCached(notebook, text), starts };
}

/** True if the document or its notebook was parsed before. */
export function isParsed(document: vscode.TextDocument): boolean {
  return pythonCache.has(findNotebook(document) ?? document);
}

/** Longer texts are generated; parsing them at every pause would block the editor. */
const MAX_TEXT_LENGTH = 2_000_000;

function parseCached(
  owner: vscode.TextDocument | vscode.NotebookDocument,
  source: string,
  contextKey: string | undefined = pythonCache.get(owner)?.contextKey ?? "",
): PythonDocument {
  const text = source.length > MAX_TEXT_LENGTH ? "" : source;
  const cached = pythonCache.get(owner);
  if (cached?.contextKey === contextKey && cached.python.text === text) return cached.python;
  const python = cached === undefined ? createPythonDocument(text) : cached.python.withText(text);
  pythonCache.set(owner, { python, contextKey });
  return python;
}

interface CachedCell extends NotebookCell {
  readonly version: number;
}

const cellCache = new WeakMap<vscode.TextDocument, CachedCell>();

function joinDocuments(cells: readonly vscode.TextDocument[]): JoinedCells {
  return joinCells(cells.map(parseCellCached));
}

function parseCellCached(document: vscode.TextDocument): NotebookCell {
  const cached = cellCache.get(document);
  if (cached?.version === document.version) return cached;
  const cell = { version: document.version, ...parseCell(document.getText()) };
  cellCache.set(document, cell);
  return cell;
}

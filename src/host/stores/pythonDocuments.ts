import type * as vscode from "vscode";
import { type Cell, cellOf, type JoinedCells, joinCells } from "../../core/python/cells.ts";
import { createPythonDocument, type PythonDocument } from "../../core/python/document.ts";
import { notebookOf, pythonCells } from "../platform/notebooks.ts";

/** Python as it stands in a document: by itself, or after the earlier cells of its notebook. */
export interface PythonInPlace {
  readonly python: PythonDocument;
  /** Where the document's own text starts in it. */
  readonly from: number;
}

interface Parsed {
  readonly python: PythonDocument;
  /** State of the files around it that its analysis used. */
  readonly around: string;
}

/** By document, and by notebook. */
const parsed = new WeakMap<vscode.TextDocument | vscode.NotebookDocument, Parsed>();

/** The syntax tree of a document by itself; after an edit only what changed is parsed again. */
export function pythonDocument(document: vscode.TextDocument): PythonDocument {
  return pythonOf(document, document.getText());
}

/** A document with the cells that come before it, which its code may name. */
export function pythonInPlace(document: vscode.TextDocument): PythonInPlace {
  return pythonAmong(document, undefined);
}

/**
 * The same, analysed anew where the files around it have changed: an analysis keeps what it learned from them.
 * @param around their state; undefined: whichever it was
 */
export function pythonAmong(document: vscode.TextDocument, around: string | undefined): PythonInPlace {
  const notebook = notebookOf(document);
  if (notebook === undefined) return { python: pythonOf(document, document.getText(), around), from: 0 };
  const cells = pythonCells(notebook);
  const { text, starts } = joined(cells.slice(0, cells.indexOf(document) + 1));
  return { python: pythonOf(notebook, text, around), from: starts.at(-1) ?? 0 };
}

/** All of a notebook's Python, and where each of its cells starts in it. */
export function pythonNotebook(notebook: vscode.NotebookDocument, cells: readonly vscode.TextDocument[]) {
  const { text, starts } = joined(cells);
  return { python: pythonOf(notebook, text), starts };
}

/** Whether something has asked for this document before, or for its notebook. */
export function isParsed(document: vscode.TextDocument): boolean {
  return parsed.has(notebookOf(document) ?? document);
}

/** Longer texts, which no one has written, are let be: they would hold up the editor at every pause in typing. */
const MAX_LENGTH = 2_000_000;

function pythonOf(
  owner: vscode.TextDocument | vscode.NotebookDocument,
  written: string,
  around: string | undefined = parsed.get(owner)?.around ?? "",
): PythonDocument {
  const text = written.length > MAX_LENGTH ? "" : written;
  const known = parsed.get(owner);
  if (known?.around === around && known.python.text === text) return known.python;
  const python = known === undefined ? createPythonDocument(text) : known.python.editTo(text);
  parsed.set(owner, { python, around });
  return python;
}

interface ReadCell extends Cell {
  readonly version: number;
}

const cellsRead = new WeakMap<vscode.TextDocument, ReadCell>();

function joined(cells: readonly vscode.TextDocument[]): JoinedCells {
  return joinCells(cells.map(cellIn));
}

function cellIn(document: vscode.TextDocument): Cell {
  const known = cellsRead.get(document);
  if (known?.version === document.version) return known;
  const cell = { version: document.version, ...cellOf(document.getText()) };
  cellsRead.set(document, cell);
  return cell;
}

import type * as vscode from "vscode";
import { createPythonDocument, MAX_PYTHON_LENGTH, type PythonDocument } from "../../core/python/document.ts";
import { type JoinedCells, joinCells, type NotebookCell, parseCell } from "../../core/python/notebook/cells.ts";
import { findNotebook, pythonCells } from "../platform/notebooks.ts";

/** A parsed document: a file, or a cell preceded by the earlier cells of its notebook. */
export interface ParsedDocument {
  readonly python: PythonDocument;
  /** Offset of the document's own text. */
  readonly start: number;
}

interface CachedCell extends NotebookCell {
  readonly version: number;
}

/** Earlier cells of a notebook that are parsed with a cell. */
const MAX_CELLS = 1000;

/** The parsed Python documents of the editor; after an edit, only changed parts are parsed again. */
export class PythonDocuments {
  readonly #parsed = new WeakMap<vscode.TextDocument | vscode.NotebookDocument, PythonDocument>();
  readonly #cells = new WeakMap<vscode.TextDocument, CachedCell>();

  /** Parses a document together with the earlier cells of its notebook, whose names its code may use. */
  parse(document: vscode.TextDocument): ParsedDocument {
    const notebook = findNotebook(document);
    if (notebook === undefined) return { python: this.parseAlone(document), start: 0 };
    const cells = pythonCells(notebook);
    const { text, starts } = this.#joinCells(cells.slice(0, cells.indexOf(document) + 1).slice(-MAX_CELLS));
    return { python: this.#parseText(notebook, text), start: starts.at(-1) ?? 0 };
  }

  /** Parses a document by itself. */
  parseAlone(document: vscode.TextDocument): PythonDocument {
    return this.#parseText(document, document.getText());
  }

  /** Parses all given cells of a notebook, and returns where each one starts. */
  parseNotebook(
    notebook: vscode.NotebookDocument,
    cells: readonly vscode.TextDocument[],
  ): { readonly python: PythonDocument; readonly starts: readonly number[] } {
    const { text, starts } = this.#joinCells(cells);
    return { python: this.#parseText(notebook, text), starts };
  }

  /** True if the document or its notebook was parsed before. */
  isParsed(document: vscode.TextDocument): boolean {
    return this.#parsed.has(findNotebook(document) ?? document);
  }

  #parseText(owner: vscode.TextDocument | vscode.NotebookDocument, source: string): PythonDocument {
    const text = source.length > MAX_PYTHON_LENGTH ? "" : source;
    const cached = this.#parsed.get(owner);
    if (cached?.text === text) return cached;
    const python = cached === undefined ? createPythonDocument(text) : cached.withText(text);
    this.#parsed.set(owner, python);
    return python;
  }

  #joinCells(cells: readonly vscode.TextDocument[]): JoinedCells {
    return joinCells(cells.map((cell) => this.#parseCell(cell)));
  }

  #parseCell(document: vscode.TextDocument): NotebookCell {
    const cached = this.#cells.get(document);
    if (cached?.version === document.version) return cached;
    const cell = { version: document.version, ...parseCell(document.getText()) };
    this.#cells.set(document, cell);
    return cell;
  }
}

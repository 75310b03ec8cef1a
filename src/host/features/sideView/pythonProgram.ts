import type * as vscode from "vscode";
import type { PythonDocument } from "../../../core/python/document.ts";
import type { TextRange } from "../../../core/spec.ts";
import { findNotebook, pythonCells } from "../../platform/notebooks.ts";
import type { PythonDocuments } from "../../stores/pythonDocuments.ts";

/** Further cells are ignored. */
const MAX_CELLS = 200;

/** A cell as the page refers to it. */
interface CellReference {
  readonly uri: string;
  /** 1-based, as in the editor. */
  readonly number: number;
}

/** A document, and its first line (1-based) in the program. */
export interface ProgramPart {
  readonly document: vscode.TextDocument;
  readonly firstLine: number;
  readonly cell?: CellReference;
}

/** A Python program: a file, or the cells of a notebook in order. */
export interface PythonProgram {
  readonly python: PythonDocument;
  readonly parts: readonly ProgramPart[];
}

/** Undefined for files in other languages. */
export function parseProgram(documents: PythonDocuments, document: vscode.TextDocument): PythonProgram | undefined {
  const notebook = findNotebook(document);
  if (notebook === undefined)
    return document.languageId === "python"
      ? { python: documents.parseAlone(document), parts: [{ document, firstLine: 1 }] }
      : undefined;
  const cells = pythonCells(notebook).slice(0, MAX_CELLS);
  const { python, starts } = documents.parseNotebook(notebook, cells);
  const parts = cells.map((cell, index) => ({
    document: cell,
    firstLine: python.positionAt(starts[index] ?? 0).line,
    ...cellReference(cell),
  }));
  return { python, parts };
}

/** The cell reference of a document; empty if it is not a cell. */
export function cellReference(document: vscode.TextDocument): { cell?: CellReference } {
  const cells = findNotebook(document)?.getCells() ?? [];
  const index = cells.findIndex((cell) => cell.document === document);
  return index < 0 ? {} : { cell: { uri: document.uri.toString(), number: index + 1 } };
}

/** The part that contains a range of the program. */
export function partContaining({ parts }: PythonProgram, { start }: TextRange): ProgramPart | undefined {
  return parts.findLast(({ firstLine }) => firstLine <= start.line);
}

import type * as vscode from "vscode";
import type { PythonDocument } from "../../../core/python/document.ts";
import type { Range } from "../../../core/spec.ts";
import { notebookOf, pythonCells } from "../../platform/notebooks.ts";
import { pythonDocument, pythonNotebook } from "../../stores/pythonDocuments.ts";

/** More cells than these are not looked at. */
const MOST_CELLS = 200;

/** A cell as the page names it. */
interface CellName {
  readonly uri: string;
  /** From 1, as the editor counts them. */
  readonly number: number;
}

/** A document, with the line, from 1, at which it starts in the code that runs. */
export interface CodePart {
  readonly document: vscode.TextDocument;
  readonly line: number;
  readonly cell?: CellName;
}

/** Python as it runs: that of a file, or of a notebook's cells one after the other. */
export interface RunningCode {
  readonly python: PythonDocument;
  readonly parts: readonly CodePart[];
}

/** undefined for a file in another language. */
export function runningCode(document: vscode.TextDocument): RunningCode | undefined {
  const notebook = notebookOf(document);
  if (notebook === undefined)
    return document.languageId === "python"
      ? { python: pythonDocument(document), parts: [{ document, line: 1 }] }
      : undefined;
  const cells = pythonCells(notebook).slice(0, MOST_CELLS);
  const { python, starts } = pythonNotebook(notebook, cells);
  const parts = cells.map((one, index) => ({
    document: one,
    line: python.positionAt(starts[index] ?? 0).line,
    ...cellNamed(one),
  }));
  return { python, parts };
}

/** The name of a document that is a cell, to be told with a place in it. */
export function cellNamed(document: vscode.TextDocument): { cell?: CellName } {
  const cells = notebookOf(document)?.getCells() ?? [];
  const index = cells.findIndex((cell) => cell.document === document);
  return index < 0 ? {} : { cell: { uri: document.uri.toString(), number: index + 1 } };
}

/** The part that a place of the running code is in. */
export function partOf({ parts }: RunningCode, { start }: Range): CodePart | undefined {
  return parts.findLast(({ line }) => line <= start.line);
}

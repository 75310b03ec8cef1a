import type { TextRange } from "../../spec.ts";
import { createPythonDocument } from "../document.ts";
import type { CodeExplanation } from "../explain.ts";

/** A notebook cell as Python. */
export interface NotebookCell {
  /** Same length and same lines as the source. */
  readonly text: string;
  /** Parses without an error by itself. */
  readonly isWellFormed: boolean;
}

/** Cells joined in order: later cells see the names of earlier ones. */
export interface JoinedCells {
  readonly text: string;
  /** Start offset of each cell in the text. */
  readonly starts: readonly number[];
}

/** `%%bash`, `%%html`, …: cells in other languages. Magics that time or capture a cell contain Python. */
const OTHER_LANGUAGE_MAGIC = /^\s*%%(?!time|capture|prun)/;

/** @param source a code cell; `%magic` and `!shell` lines become comments */
export function parseCell(source: string): NotebookCell {
  const text = OTHER_LANGUAGE_MAGIC.test(source) ? blankOut(source) : source.replace(/^[%!?]/gm, "#");
  return { text, isWellFormed: createPythonDocument(text).isWellFormed };
}

/** Blanks cells with syntax errors, except the last: an unclosed bracket would swallow the following cells. */
export function joinCells(cells: readonly NotebookCell[]): JoinedCells {
  const starts: number[] = [];
  let text = "";
  for (const [index, cell] of cells.entries()) {
    starts.push(text.length);
    text += cell.isWellFormed || index === cells.length - 1 ? cell.text : blankOut(cell.text);
    if (!text.endsWith("\n")) text += "\n";
  }
  return { text, starts };
}

/** @param firstLine line where the cell starts, 1-based */
export function rangeInCell({ start, end }: TextRange, firstLine: number): TextRange {
  const relativeToCell = (position: TextRange["start"]) => ({
    line: position.line - firstLine + 1,
    column: position.column,
  });
  return { start: relativeToCell(start), end: relativeToCell(end) };
}

/** Makes an explanation's ranges relative to its cell, and drops evidence in earlier cells. */
export function explanationInCell<T extends CodeExplanation>(explanation: T, firstLine: number): T {
  if (firstLine === 1) return explanation;
  const evidence = explanation.spec.evidence
    .filter(({ range }) => range.start.line >= firstLine)
    .map((item) => ({ ...item, range: rangeInCell(item.range, firstLine) }));
  return { ...explanation, range: rangeInCell(explanation.range, firstLine), spec: { ...explanation.spec, evidence } };
}

function blankOut(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

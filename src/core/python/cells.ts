import type { Range } from "../spec.ts";
import { createPythonDocument } from "./document.ts";
import type { CodeExplanation } from "./explain.ts";

/** A cell of a notebook as Python. */
export interface Cell {
  /** As long as it is written, with the same lines. */
  readonly text: string;
  /** Reads without an error by itself. */
  readonly whole: boolean;
}

/** Cells one after the other: names of earlier ones are known in later ones. */
export interface JoinedCells {
  readonly text: string;
  /** Where each cell starts in it. */
  readonly starts: readonly number[];
}

/** `%%bash`, `%%html`, …: cells in other languages. Those that time or capture what is in them are Python. */
const FOREIGN = /^\s*%%(?!time|capture|prun)/;

/** @param written a code cell; `%magic` and `!shell` lines become comments */
export function cellOf(written: string): Cell {
  const text = FOREIGN.test(written) ? blank(written) : written.replace(/^[%!?]/gm, "#");
  return { text, whole: createPythonDocument(text).isWhole };
}

/** Broken cells before the last are left out: an unclosed bracket would swallow what follows. */
export function joinCells(cells: readonly Cell[]): JoinedCells {
  const starts: number[] = [];
  let text = "";
  for (const [index, cell] of cells.entries()) {
    starts.push(text.length);
    text += cell.whole || index === cells.length - 1 ? cell.text : blank(cell.text);
    if (!text.endsWith("\n")) text += "\n";
  }
  return { text, starts };
}

/** @param line the one, from 1, that a cell starts at */
export function rangeInCell({ start, end }: Range, line: number): Range {
  const moved = (place: Range["start"]) => ({ line: place.line - line + 1, column: place.column });
  return { start: moved(start), end: moved(end) };
}

/** An explanation with the places of its own cell, which starts at a line; those in earlier cells are left out. */
export function inCell<Found extends CodeExplanation>(found: Found, line: number): Found {
  if (line === 1) return found;
  const evidence = found.spec.evidence
    .filter(({ range }) => range.start.line >= line)
    .map((item) => ({ ...item, range: rangeInCell(item.range, line) }));
  return { ...found, range: rangeInCell(found.range, line), spec: { ...found.spec, evidence } };
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

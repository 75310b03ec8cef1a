import { type Node, parseTree } from "jsonc-parser";
import { type Cell, cellOf } from "./cells.ts";

/** The code cells of a notebook, and where each character of the raw JSON went. */
export interface NotebookCode {
  readonly cells: readonly Cell[];
  /** The cell that an offset in the raw JSON is in, and the offset in its text; null outside of code cells. */
  locate(raw: number): { readonly cell: number; readonly offset: number } | null;
}

/** One string of a cell's source. */
interface Piece {
  readonly cell: number;
  /** First character inside the quotes, in the raw JSON. */
  readonly rawFrom: number;
  readonly rawTo: number;
  readonly from: number;
}

/** Reads the code cells of a notebook. Anything unreadable gives no code. */
export function notebookCells(raw: string): NotebookCode {
  const pieces: Piece[] = [];
  const cells = codeCells(raw).map((lines, cell) => {
    let text = "";
    for (const line of lines) {
      pieces.push({ cell, rawFrom: line.offset + 1, rawTo: line.offset + line.length - 1, from: text.length });
      text += String(line.value);
    }
    return cellOf(text);
  });
  return { cells, locate: (offset) => locate(raw, pieces, offset) };
}

/** The strings of each code cell, in order. */
function codeCells(raw: string): Node[][] {
  const root = parseTree(raw);
  const cells = root === undefined ? undefined : member(root, "cells");
  return (cells?.children ?? [])
    .filter((cell) => member(cell, "cell_type")?.value === "code")
    .map((cell) => {
      const source = member(cell, "source");
      if (source?.type === "string") return [source];
      return (source?.children ?? []).filter((child) => child.type === "string");
    });
}

function member(node: Node, key: string): Node | undefined {
  if (node.type !== "object") return undefined;
  return node.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

function locate(raw: string, pieces: readonly Piece[], offset: number): { cell: number; offset: number } | null {
  const piece = pieces.find((candidate) => candidate.rawFrom <= offset && offset < candidate.rawTo);
  if (piece === undefined) return null;
  const escapes = raw.slice(piece.rawFrom, offset).match(/\\(?:u[0-9a-fA-F]{4}|.)/g) ?? [];
  const shortened = escapes.reduce((sum, sequence) => sum + sequence.length - 1, 0);
  return { cell: piece.cell, offset: piece.from + (offset - piece.rawFrom) - shortened };
}

import { type Node, parseTree } from "jsonc-parser";

/** The code of a notebook as one text, and where each character of the raw JSON went. */
export interface NotebookCode {
  readonly source: string;
  /** Offset in `source` of an offset in the raw JSON; null outside of code cells. */
  offsetIn(raw: number): number | null;
}

interface Piece {
  /** First character inside the quotes, in the raw JSON. */
  readonly rawFrom: number;
  readonly rawTo: number;
  readonly sourceFrom: number;
}

/** Reads the code cells of a notebook. Anything unreadable gives no code. */
export function notebookCells(raw: string): NotebookCode {
  const pieces: Piece[] = [];
  let source = "";
  for (const line of codeStrings(raw)) {
    if (line === null) {
      if (source !== "" && !source.endsWith("\n")) source += "\n";
      continue;
    }
    pieces.push({ rawFrom: line.offset + 1, rawTo: line.offset + line.length - 1, sourceFrom: source.length });
    source += withoutMagic(String(line.value));
  }
  return { source, offsetIn: (offset) => locate(raw, pieces, offset) };
}

/** Strings of the code cells in order; null ends a cell. */
function codeStrings(raw: string): (Node | null)[] {
  const root = parseTree(raw);
  const cells = root === undefined ? undefined : member(root, "cells");
  return (cells?.children ?? []).flatMap((cell) => {
    if (member(cell, "cell_type")?.value !== "code") return [];
    const source = member(cell, "source");
    const strings =
      source?.type === "string" ? [source] : (source?.children ?? []).filter((child) => child.type === "string");
    return [...strings, null];
  });
}

function member(node: Node, key: string): Node | undefined {
  if (node.type !== "object") return undefined;
  return node.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

/** `%magic` and `!shell` lines are not Python; they become comments of the same length. */
function withoutMagic(text: string): string {
  return text.replace(/^[%!?]/gm, "#");
}

function locate(raw: string, pieces: readonly Piece[], offset: number): number | null {
  const piece = pieces.find((candidate) => candidate.rawFrom <= offset && offset < candidate.rawTo);
  if (piece === undefined) return null;
  const escapes = raw.slice(piece.rawFrom, offset).match(/\\(?:u[0-9a-fA-F]{4}|.)/g) ?? [];
  const shortened = escapes.reduce((sum, sequence) => sum + sequence.length - 1, 0);
  return piece.sourceFrom + (offset - piece.rawFrom) - shortened;
}

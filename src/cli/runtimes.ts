import { type RuntimeCell, type RuntimeTable, runtimeTables } from "../core/config/runtimes/index.ts";
import { localize } from "../core/l10n/l10n.ts";
import type { FileReading } from "./readFile.ts";
import { textTable } from "./textTable.ts";

/** The tables of one file; none where its text cannot be had. */
export function tablesOf({ reading, text }: FileReading): readonly RuntimeTable[] {
  return text === undefined ? [] : runtimeTables(text, reading);
}

function cellText({ fate, value, differs }: RuntimeCell, note: number | undefined): string {
  const text =
    fate === "value" ? (Array.isArray(value) ? "[…]" : String(value ?? "–")) : fate === "unknown" ? "?" : fate;
  return `${text}${differs ? " !" : ""}${note === undefined ? "" : ` [${note}]`}`;
}

/** One table as text: `!` marks what differs from transformers 5, numbers lead to the notes below. */
export function runtimeLines(table: RuntimeTable, where: string): readonly string[] {
  const notes: string[] = [];
  const noteOf = (cell: RuntimeCell) => {
    if (cell.note === null) return undefined;
    const text = localize(cell.note);
    if (!notes.includes(text)) notes.push(text);
    return notes.indexOf(text) + 1;
  };
  const head = [where, ...table.columns.map(({ name }) => name)];
  const rows = table.rows.map(({ name, cells }) => [
    localize(name),
    ...cells.map((cell) => cellText(cell, noteOf(cell))),
  ]);
  return [...textTable([head, ...rows], "  "), ...notes.map((note, i) => `    [${i + 1}] ${note}`)];
}

export function runtimesJson({ spec, columns, rows }: RuntimeTable): Record<string, unknown> {
  return {
    encoding: spec,
    runtimes: columns,
    rows: rows.map(({ id, cells }) => ({
      id,
      cells: cells.map(({ fate, value, differs, note }) => ({ fate, value, differs, note: note?.en ?? null })),
    })),
  };
}

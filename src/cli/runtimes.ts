import { buildRuntimeTables, type RuntimeCell, type RuntimeTable } from "../core/config/runtimes/index.ts";
import { localize } from "../core/l10n/l10n.ts";
import type { FileReading } from "./readFile.ts";
import { formatTextTable } from "./textTable.ts";

/** The runtime tables of one file; empty if it is not a JSON config. */
export function readRuntimeTables({ reading, text }: FileReading): readonly RuntimeTable[] {
  return text === undefined ? [] : buildRuntimeTables(text, reading);
}

function formatCell({ outcome, value, differs }: RuntimeCell, note: number | undefined): string {
  const text =
    outcome === "value" ? (Array.isArray(value) ? "[…]" : String(value ?? "–")) : outcome === "unknown" ? "?" : outcome;
  return `${text}${differs ? " !" : ""}${note === undefined ? "" : ` [${note}]`}`;
}

/** Formats one table: `!` marks values that differ from transformers 5, numbers refer to the notes below. */
export function formatRuntimeTable(table: RuntimeTable, where: string): readonly string[] {
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
    ...cells.map((cell) => formatCell(cell, noteOf(cell))),
  ]);
  return [...formatTextTable([head, ...rows], "  "), ...notes.map((note, i) => `    [${i + 1}] ${note}`)];
}

export function runtimeTableToJson({ spec, columns, rows }: RuntimeTable): Record<string, unknown> {
  return {
    encoding: spec,
    runtimes: columns,
    rows: rows.map(({ id, cells }) => ({
      id,
      cells: cells.map(({ outcome, value, differs, note }) => ({ outcome, value, differs, note: note?.en ?? null })),
    })),
  };
}

import type { EncodingSpec, Params, ParamValue } from "../../spec.ts";
import { type RuntimeTable, transformers5Id } from "./index.ts";
import type { RuntimeRowId } from "./runtime.ts";

/** Rows that are not a parameter of an encoding. */
const OTHER_ROWS: ReadonlySet<RuntimeRowId> = new Set(["context"]);

/**
 * The encodings of a file, with what every runtime of its tables uses instead of the declared values. Values that a
 * runtime ignores or refuses, and those that are not known, are left out.
 */
export function addRuntimeRuns(specs: readonly EncodingSpec[], tables: readonly RuntimeTable[]): EncodingSpec[] {
  return specs.map((spec, index) => {
    const table = tables.find((own) => own.spec === index);
    if (table === undefined) return spec;
    const found = table.columns.flatMap(({ id, name }, column): [string, Params][] => {
      const params = id === transformers5Id ? {} : findDifferences(spec, table, column);
      return Object.keys(params).length === 0 ? [] : [[name, params]];
    });
    return found.length === 0 ? spec : { ...spec, runs: { ...spec.runs, ...Object.fromEntries(found) } };
  });
}

function findDifferences({ params }: EncodingSpec, { rows }: RuntimeTable, column: number): Params {
  const differing: Record<string, ParamValue> = {};
  for (const { id, cells } of rows) {
    const cell = cells[column];
    if (cell === undefined || cell.outcome !== "value" || OTHER_ROWS.has(id)) continue;
    // Weights that are permuted to match another layout give the same scores, and the note says so.
    if (id === "layout" && cell.note !== null) continue;
    if (JSON.stringify(cell.value) !== JSON.stringify(params[id] ?? null)) differing[id] = cell.value;
  }
  return differing;
}

import * as l10n from "@vscode/l10n";
import { factorRows, indexRange, termMatrix } from "../../terms/engine.ts";
import { MAX_WRITTEN_NUMBERS, matrixLines } from "./python.ts";
import { CodeExportError, type CodeExportRequest, type EncodingCode } from "./request.ts";

function splitRows(values: Float64Array, width: number): number[][] {
  return indexRange(0, width === 0 ? 0 : values.length / width).map((row) =>
    Array.from(values.subarray(row * width, (row + 1) * width)),
  );
}

/**
 * Code for encodings without a generator of their own: the numbers of their terms, or of their table.
 * @throws CodeExportError if these are too many
 */
export function writtenCode(request: CodeExportRequest): EncodingCode {
  const { encoding, params, scene, attention, show, rows } = request;
  const table = show.of === "table" ? encoding.positionTable?.(params, scene).rows : undefined;
  const keys = show.of === "weights" ? { from: 0, to: scene.keyLength } : request.columns;
  const width = table === undefined ? keys.to - keys.from : table.dim;
  const matrices = table === undefined ? attention.terms.length : 1;
  if ((rows.to - rows.from) * width * matrices > MAX_WRITTEN_NUMBERS)
    throw new CodeExportError(l10n.t("Too many numbers to write out: zoom in to at most {0}.", MAX_WRITTEN_NUMBERS));
  const note = "# Values computed by Posenc";
  if (table !== undefined) {
    const written = splitRows(factorRows(table, indexRange(rows.from, rows.to)), width);
    const setup = [note, ...matrixLines("table", written)];
    return { parameters: [], setup, terms: {}, table: "table", content: { of: "setup" } };
  }
  const names = attention.terms.map((term, n) => [term, `written_${n}`] as const);
  return {
    parameters: [],
    setup: [
      note,
      ...names.flatMap(([term, name]) =>
        matrixLines(
          name,
          splitRows(termMatrix(attention, term, indexRange(rows.from, rows.to), indexRange(keys.from, keys.to)), width),
        ),
      ),
    ],
    terms: Object.fromEntries(names.map(([{ id }, name]) => [id, name])),
    content: { of: "setup" },
  };
}

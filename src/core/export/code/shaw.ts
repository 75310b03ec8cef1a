import { readClip } from "../../encodings/shaw/shaw.ts";
import { getNumber, getString } from "../../encodings/support/schema.ts";
import { factorRows, indexRange } from "../../terms/engine.ts";
import { usesExampleValues } from "../../terms/learned.ts";
import { MAX_WRITTEN_NUMBERS, matrixLines, pythonFloat } from "./python.ts";
import type { CodeExportRequest, EncodingCode } from "./request.ts";

/** Vectors of the distances, [left + right + 1][head_dim]. */
function distanceTableLines(request: CodeExportRequest, rows: number, left: number): string[] {
  const { params, scene, attention } = request;
  const dim = getNumber(params, "head_dim");
  if (getString(params, "variant") === "nezha") {
    const base = pythonFloat(getNumber(params, "base"));
    return [
      `omega = 1 / ${base} ** (np.arange(0, ${dim}, 2, dtype=np.float64) / ${dim})`,
      `angle = np.arange(${rows}, dtype=np.float64)[:, None] * omega`,
      `table = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(${rows}, ${dim})`,
    ];
  }
  if (usesExampleValues(scene.inputs)) {
    return [
      "# Example values, decaying with the distance",
      `row, column = np.arange(${rows}, dtype=np.int64)[:, None], np.arange(${dim}, dtype=np.int64)[None, :]`,
      `fall = np.exp(-np.abs(row - ${left}).astype(np.float64) / 4)`,
      "table = 0.4 * gaussian(0x706F7365, 20, 0, column) * fall + 0.15 * gaussian(0x706F7365, 20, row, column)",
    ];
  }
  const term = attention.terms.find(({ kind }) => kind === "relative_query");
  if (term?.kind !== "relative_query" || rows * dim > MAX_WRITTEN_NUMBERS)
    return [
      "# The model's own table, [distances][head_dim]",
      'table = np.array(np.load("relative_keys.npy"), dtype=np.float64)',
    ];
  const values = factorRows(term.table, indexRange(0, rows));
  return matrixLines(
    "table",
    indexRange(0, rows).map((row) => Array.from(values.subarray(row * dim, (row + 1) * dim))),
  );
}

export function shawCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const { left, right } = readClip(params);
  return {
    parameters: [],
    setup: [
      ...distanceTableLines(request, left + right + 1, left),
      `index = (np.clip(-delta, -${left}, ${right}) + ${left}).astype(np.int64)`,
      "query_at, key_at = (i - i[0])[:, None], (j - j[0])[None, :]",
    ],
    terms: {
      content: "q @ k.T",
      content_position: "(q @ table.T)[query_at, index]",
      position_content: "(k @ table.T)[key_at, index]",
    },
    content: { of: "qk", dim: getNumber(params, "head_dim") },
    usesGenerator: usesExampleValues(scene.inputs) && getString(params, "variant") !== "nezha",
  };
}

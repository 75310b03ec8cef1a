import * as l10n from "@vscode/l10n";
import { resolveHiddenSize } from "../../encodings/support/parameters.ts";
import { getNumber, getString, optionalNumber } from "../../encodings/support/schema.ts";
import { factorRows, indexRange } from "../../terms/engine.ts";
import { usesExampleValues } from "../../terms/learned.ts";
import { isRenumbered } from "../../terms/numbering.ts";
import { MAX_WRITTEN_NUMBERS, matrixLines, pythonFloat, pythonNumber } from "./python.ts";
import { CodeExportError, type CodeExportRequest, type EncodingCode } from "./request.ts";

/** Sinusoidal and learned tables: (x + p) · (x + p) as four products. */

/** The four products from `table(position)` with W = identity: each head uses its slice. */
export function fourTermCode(
  request: CodeExportRequest,
  embedScale: number,
): Pick<EncodingCode, "terms" | "content"> & { readonly lines: string[] } {
  const { params, scene } = request;
  const hidden = resolveHiddenSize(params);
  const dim = hidden / getNumber(params, "num_heads");
  const slice = `[:, ${scene.head * dim}:${(scene.head + 1) * dim}]`;
  const scaled = embedScale === 1 ? "" : ` * ${pythonFloat(embedScale)}`;
  return {
    content: { of: "x", dim: hidden },
    lines: [
      "",
      `# A head sees columns ${scene.head * dim} to ${(scene.head + 1) * dim} of x and p`,
      `x_query, x_key = x_query${slice}${scaled}, x_key${slice}${scaled}`,
      `p_query, p_key = table(query_position)${slice}, table(key_position)${slice}`,
    ],
    terms: {
      content_content: "x_query @ x_key.T",
      content_position: "x_query @ p_key.T",
      position_content: "p_query @ x_key.T",
      position_position: "p_query @ p_key.T",
    },
  };
}

export function refuseOtherArrays({ scene }: CodeExportRequest, allowed: readonly string[]): void {
  const other = Object.keys(scene.inputs).find((name) => !allowed.includes(name));
  if (other !== undefined)
    throw new CodeExportError(l10n.t("Code export does not support the given array {0} yet.", other));
}

/** Sinusoids of `encodings/sinusoidal/table.ts`. */
function sinusoidLines(request: CodeExportRequest): string[] {
  const { params } = request;
  const dim = resolveHiddenSize(params);
  const paper = getString(params, "frequency") !== "tensor2tensor";
  const concat = getString(params, "layout") === "concat";
  const pairs = Math.floor(dim / 2);
  const padding = optionalNumber(params, "padding_idx");
  const first = getNumber(params, "position_offset") + (padding ?? -1) + 1;
  const cosines = concat && dim % 2 === 1 && paper ? `[:, :${pairs}]` : "";
  const joined = concat
    ? `np.concatenate([np.sin(angle), np.cos(angle)${cosines}], axis=-1)`
    : `np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(len(position), -1)[:, :${dim}]`;
  const zeroColumn = !paper && dim % 2 === 1;
  return [
    paper
      ? `omega = 1 / base ** (np.arange(0, ${dim}, 2, dtype=np.float64) / ${dim})`
      : `omega = np.exp(-np.arange(${pairs}, dtype=np.float64) * math.log(base) / ${pairs - 1})`,
    "",
    "",
    "def table(position):",
    `    row = position + ${first}`,
    "    angle = row[:, None] * omega",
    `    p = ${joined}`,
    ...(zeroColumn ? ["    p = np.concatenate([p, np.zeros((len(position), 1), dtype=np.float64)], axis=-1)"] : []),
    ...(padding === undefined ? [] : [`    p = np.where((row == ${padding})[:, None], 0.0, p)`]),
    "    return p",
    "",
    "",
  ];
}

export function sinusoidalCode(request: CodeExportRequest): EncodingCode {
  const { params } = request;
  refuseOtherArrays(request, []);
  const embedScale = getString(params, "embed_scale") === "1" ? 1 : Math.sqrt(resolveHiddenSize(params));
  const { lines, terms, content } = fourTermCode(request, embedScale);
  const setup = sinusoidLines(request);
  return {
    parameters: ["base"],
    setup: request.show.of === "table" ? setup : [...setup, ...lines],
    terms,
    content,
    table: "table(position)",
  };
}

function learnedTableLines(request: CodeExportRequest): string[] {
  const { params, scene } = request;
  const padding = optionalNumber(params, "padding_idx");
  const offset = getNumber(params, "offset");
  const first = offset + (padding === undefined ? 0 : padding + 1);
  const rows = getNumber(params, "max_position_embeddings") + offset;
  const dim = resolveHiddenSize(params);
  const tableFunction = ["", "", "def table(position):", `    return rows_at(position + ${first})`, "", ""];
  if (!usesExampleValues(scene.inputs)) return [...givenTableLines(request, first, dim), ...tableFunction];
  return [...exampleTableLines(rows, dim), ...tableFunction];
}

/** `rows_at` for a table of example values (`examplePositionTable`). */
export function exampleTableLines(rows: number, dim: number): string[] {
  return [
    "# Example values, as trained tables look: neighbours alike, waves as long as the table, and noise",
    `column = np.arange(${dim}, dtype=np.int64)`,
    `frequency = 2 * math.pi * 2 ** (1.5 * np.abs(gaussian(0x706F7365, 1, 0, column))) / ${rows}`,
    "phase = 3 * gaussian(0x706F7365, 2, 0, column)",
    "",
    "",
    "def rows_at(row):",
    "    row = row[:, None]",
    "    return 0.35 * np.sin(row * frequency + phase) + 0.15 * gaussian(0x706F7365, 3, row, column[None, :])",
  ];
}

/** The table rows that the cells use if there are few of them, else code that loads the table from a file. */
export function givenTableLines(request: CodeExportRequest, first: number, dim: number): string[] {
  const { encoding, params, scene, rows, columns } = request;
  const past = scene.keyLength - scene.queryLength;
  const isTable = request.show.of === "table";
  const from = isTable ? rows.from : Math.min(rows.from + past, columns.from);
  const to = isTable ? rows.to : Math.max(rows.to + past, columns.to);
  const table = encoding.positionTable?.(params, scene).rows;
  const inOrder = !isRenumbered(scene.numbering) && request.show.of !== "weights";
  if (table === undefined || !inOrder || (to - from) * dim > MAX_WRITTEN_NUMBERS) {
    return [
      "# The model's own table, [rows][hidden]: the weight of its position embedding",
      'weights_of_positions = np.array(np.load("position_embeddings.npy"), dtype=np.float64)',
      "",
      "",
      "def rows_at(row):",
      "    return weights_of_positions[row]",
    ];
  }
  const values = factorRows(table, indexRange(from, to));
  const written = indexRange(0, to - from).map((row) => Array.from(values.subarray(row * dim, (row + 1) * dim)));
  return [
    `# Rows of the model's own table from row ${from + scene.shift + first} on`,
    ...matrixLines("own_rows", written),
    "",
    "",
    "def rows_at(row):",
    `    return own_rows[row - ${pythonNumber(from + scene.shift + first)}]`,
  ];
}

export function learnedAbsoluteCode(request: CodeExportRequest): EncodingCode {
  refuseOtherArrays(request, ["position_embeddings", "wpe", "table", "p"]);
  const { lines, terms, content } = fourTermCode(request, 1);
  const setup = learnedTableLines(request);
  return {
    parameters: [],
    setup: request.show.of === "table" ? setup : [...setup, ...lines],
    terms,
    content,
    table: "table(position)",
    usesGenerator: usesExampleValues(request.scene.inputs),
  };
}

import { t } from "@vscode/l10n";
import { modelWidth } from "../../encodings/support/parameters.ts";
import { numberOf, optionalNumber, stringOf } from "../../encodings/support/schema.ts";
import { factorRows, indexRange } from "../../terms/engine.ts";
import { isExample } from "../../terms/learned.ts";
import { isRenumbered } from "../../terms/numbering.ts";
import { matrixLines, pythonFloat, pythonNumber } from "./python.ts";
import { type CodeBody, type CodeRequest, NoCode } from "./request.ts";

/** Sinusoidal and learned tables: (x + p) · (x + p) in its four products. */

/** The four products from `table(position)`, with W = identity: a head sees its slice. */
export function fourTerms(
  request: CodeRequest,
  embedScale: number,
): Pick<CodeBody, "terms" | "content"> & { readonly lines: string[] } {
  const { params, scene } = request;
  const hidden = modelWidth(params);
  const dim = hidden / numberOf(params, "num_heads");
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

export function refuseProjections({ scene }: CodeRequest, allowed: readonly string[]): void {
  const other = Object.keys(scene.inputs).find((name) => !allowed.includes(name));
  if (other !== undefined) throw new NoCode(t("Code export does not support the given array {0} yet.", other));
}

/** Sinusoids of `sinusoidTable.ts`. */
function sinusoidLines(request: CodeRequest): string[] {
  const { params } = request;
  const dim = modelWidth(params);
  const paper = stringOf(params, "frequency") !== "tensor2tensor";
  const concat = stringOf(params, "layout") === "concat";
  const pairs = Math.floor(dim / 2);
  const padding = optionalNumber(params, "padding_idx");
  const first = numberOf(params, "position_offset") + (padding ?? -1) + 1;
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

export function sinusoidalCode(request: CodeRequest): CodeBody {
  const { params } = request;
  refuseProjections(request, []);
  const embedScale = stringOf(params, "embed_scale") === "1" ? 1 : Math.sqrt(modelWidth(params));
  const { lines, terms, content } = fourTerms(request, embedScale);
  const setup = sinusoidLines(request);
  return {
    parameters: ["base"],
    setup: request.show.of === "table" ? setup : [...setup, ...lines],
    terms,
    content,
    table: "table(position)",
  };
}

/** Numbers of a given table that are written out at most. */
const MOST_WRITTEN = 4096;

function learnedLines(request: CodeRequest): string[] {
  const { params, scene } = request;
  const padding = optionalNumber(params, "padding_idx");
  const offset = numberOf(params, "offset");
  const first = offset + (padding === undefined ? 0 : padding + 1);
  const rows = numberOf(params, "max_position_embeddings") + offset;
  const dim = modelWidth(params);
  const lookUp = ["", "", "def table(position):", `    return rows_at(position + ${first})`, "", ""];
  if (!isExample(scene.inputs)) return [...givenTableLines(request, first, dim), ...lookUp];
  return [...exampleTableLines(rows, dim), ...lookUp];
}

/** `rows_at` of a table of example values (`exampleTable`). */
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

/** The rows that the cells use, written out where they are few; else the table as a file. */
export function givenTableLines(request: CodeRequest, first: number, dim: number): string[] {
  const { encoding, params, scene, rows, columns } = request;
  const past = scene.keyLength - scene.queryLength;
  const isTable = request.show.of === "table";
  const from = isTable ? rows.from : Math.min(rows.from + past, columns.from);
  const to = isTable ? rows.to : Math.max(rows.to + past, columns.to);
  const table = encoding.table?.(params, scene).rows;
  const inOrder = !isRenumbered(scene.numbering) && request.show.of !== "weights";
  if (table === undefined || !inOrder || (to - from) * dim > MOST_WRITTEN) {
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

export function learnedAbsoluteCode(request: CodeRequest): CodeBody {
  refuseProjections(request, ["position_embeddings", "wpe", "table", "p"]);
  const { lines, terms, content } = fourTerms(request, 1);
  const setup = learnedLines(request);
  return {
    parameters: [],
    setup: request.show.of === "table" ? setup : [...setup, ...lines],
    terms,
    content,
    table: "table(position)",
    usesGenerator: isExample(request.scene.inputs),
  };
}

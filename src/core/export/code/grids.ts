import * as l10n from "@vscode/l10n";
import { sincos2d } from "../../encodings/sincos2d.ts";
import { type GridShape, readGridShape } from "../../encodings/support/grid.ts";
import { resolveHiddenSize } from "../../encodings/support/parameters.ts";
import { getNumber, getString } from "../../encodings/support/schema.ts";
import { factorRows, indexRange } from "../../terms/engine.ts";
import { readLearnedMatrix, readLearnedVector, usesExampleValues } from "../../terms/learned.ts";
import { fourTermCode } from "./absolute.ts";
import { learnedMatrixLines, learnedVectorLines, requireExampleValues } from "./learned.ts";
import { pythonFloat } from "./python.ts";
import { CodeExportError, type CodeExportRequest, type EncodingCode } from "./request.ts";

/** Patches of an image: tables by row and column. */

export function sincos2dCode(request: CodeExportRequest): EncodingCode {
  const { params, show } = request;
  requireExampleValues(request);
  const quarter = resolveHiddenSize(params) / 4;
  const { height = 1, width = 1, classTokens = 0 } = sincos2d.patchGrid?.(params) ?? {};
  const variant = getString(params, "variant");
  const [row, column] =
    variant === "omdet_w_major"
      ? [`patch % ${height}`, `patch // ${height}`]
      : [`patch // ${width}`, `patch % ${width}`];
  const { lines, terms, content } = fourTermCode(request, 1);
  const setup = [
    `omega = 1 / base ** (np.arange(${quarter}, dtype=np.float64) / ${quarter})`,
    "",
    "",
    "def table(position):",
    classTokens === 0 ? "    patch = position" : "    patch = position - 1  # after the class token",
    `    axes = ${variant === "h_first" ? `[${row}, ${column}]` : `[${column}, ${row}]`}`,
    "    waves = [wave(axis[:, None] * omega) for axis in axes for wave in (np.sin, np.cos)]",
    "    p = np.concatenate(waves, axis=-1)",
    ...(classTokens === 0 ? [] : ["    p = np.where((patch < 0)[:, None], 0.0, p)"]),
    "    return p",
    "",
    "",
  ];
  return {
    parameters: ["base"],
    setup: show.of === "table" ? setup : [...setup, ...lines],
    terms,
    content,
    table: "table(position)",
  };
}

/** Defines `row_offset` and `column_offset` of query and key, starting at 0. */
function offsetLines({ height, width }: GridShape): string[] {
  return [
    "def row_offset(query, key):",
    `    return query // ${width} - key // ${width} + ${height - 1}`,
    "",
    "",
    "def column_offset(query, key):",
    `    return query % ${width} - key % ${width} + ${width - 1}`,
    "",
    "",
  ];
}

function offsetRowExpression({ width }: GridShape, query: string, key: string): string {
  return `row_offset(${query}, ${key}) * ${2 * width - 1} + column_offset(${query}, ${key})`;
}

const CELL_POSITIONS_LINE = "query, key = query_position[:, None], key_position[None, :]";

/** Row of Swin's table for a pair of patches; BEiT's class token has three rows at the end. */
function swinIndexLines(grid: GridShape, withClass: boolean): string[] {
  if (!withClass) return [CELL_POSITIONS_LINE, `index = ${offsetRowExpression(grid, "query", "key")}`];
  const own = (2 * grid.height - 1) * (2 * grid.width - 1);
  return [
    CELL_POSITIONS_LINE,
    `index = ${offsetRowExpression(grid, "(query - 1)", "(key - 1)")}`,
    "# The class token: class to patch, patch to class, class to class",
    `index = np.where(key == 0, ${own + 1}, index)`,
    `index = np.where(query == 0, np.where(key == 0, ${own + 2}, ${own}), index)`,
  ];
}

function swinExampleLines({ scene: { head } }: CodeExportRequest, grid: GridShape, withClass: boolean): string[] {
  const width = 2 * grid.width - 1;
  const own = (2 * grid.height - 1) * width;
  const rows = withClass ? own + 3 : own;
  return [
    "# Example values in place of trained ones: nearby patches are preferred",
    `own_head, row = np.array([${head}], dtype=np.int64), np.arange(${rows}, dtype=np.int64)`,
    `dy = row // ${width} - ${grid.height - 1} - gaussian(0x706F7365, 81, 0, own_head)`,
    `dx = row % ${width} - ${grid.width - 1} - gaussian(0x706F7365, 82, 0, own_head)`,
    `bias_of_offset = 3 * np.exp(-(dx * dx + dy * dy) / ${2 * grid.width}) + 0.2 * gaussian(0x706F7365, 83, row, own_head)`,
    ...(withClass
      ? [`bias_of_offset = np.where(row < ${own}, bias_of_offset, 0.5 * gaussian(0x706F7365, 80, row, own_head))`]
      : []),
  ];
}

export function swinBiasCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const grid = readGridShape(params, "window_size");
  const withClass = getString(params, "variant") === "beit";
  const column = () => {
    const rows = (2 * grid.height - 1) * (2 * grid.width - 1) + (withClass ? 3 : 0);
    const heads = getNumber(params, "num_heads");
    const row = readLearnedMatrix(scene.inputs, ["relative_position_bias_table"], rows, heads, () => 0);
    return indexRange(0, rows).map((r) => row(r)[scene.head] ?? 0);
  };
  return {
    parameters: [],
    setup: [
      ...learnedVectorLines(request, "bias_of_offset", swinExampleLines(request, grid, withClass), column),
      "",
      "",
      ...offsetLines(grid),
      ...swinIndexLines(grid, withClass),
    ],
    terms: { content: "q @ k.T", bias: "bias_of_offset[index]" },
    content: { of: "qk", dim: getNumber(params, "head_dim") },
    usesGenerator: usesExampleValues(scene.inputs),
  };
}

/** First layer with its bias, and this head's row of the second layer. */
function offsetNetworkLines(request: CodeExportRequest): string[] {
  const { params, scene } = request;
  const { inputs, head } = scene;
  const hidden = getNumber(params, "cpb_hidden");
  const matrix = (name: string, rows: number, columns: number) => {
    const row = readLearnedMatrix(inputs, [name], rows, columns, () => 0);
    return indexRange(0, rows).map((r) => row(r));
  };
  const example = [
    "# Example values in place of trained ones: the network of the offset",
    `unit = np.arange(${hidden}, dtype=np.int64)`,
    "w1 = gaussian(0x706F7365, 90, unit[:, None], np.arange(2, dtype=np.int64)[None, :])",
  ];
  return [
    ...learnedMatrixLines(request, "w1", example, () => matrix("cpb_w1", hidden, 2)),
    ...learnedVectorLines(request, "b1", ["b1 = 0.5 * gaussian(0x706F7365, 91, unit, 0)"], () =>
      readLearnedVector(inputs, ["cpb_b1"], hidden, () => 0),
    ),
    ...learnedVectorLines(
      request,
      "w2",
      [`w2 = ${pythonFloat(2 / Math.sqrt(hidden))} * gaussian(0x706F7365, 92, ${head}, unit)`],
      () => matrix("cpb_w2", getNumber(params, "num_heads"), hidden)[head] ?? [],
    ),
  ];
}

export function swinv2Code(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  if (scene.inputs.hidden_states !== undefined)
    throw new CodeExportError(l10n.t("Code export does not support the given array {0} yet.", "hidden_states"));
  const grid = readGridShape(params, "window_size");
  const trained = readGridShape(params, "pretrained_window_size");
  const along = (size: number, pretrained: number) =>
    `along(${size}, ${Math.max(1, (pretrained > 0 ? pretrained : size) - 1)})`;
  return {
    parameters: [],
    setup: [
      ...offsetNetworkLines(request),
      "",
      "",
      "def along(size, furthest):",
      '    """Offsets along an axis, on a logarithmic scale."""',
      "    x = 8 * np.arange(1 - size, size, dtype=np.int64).astype(np.float64) / furthest",
      "    return np.sign(x) * np.log2(np.abs(x) + 1) / 3",
      "",
      "",
      "def normalised(x):",
      "    return x / np.clip(np.sqrt((x * x).sum(axis=-1, keepdims=True)), 1e-12, None)",
      "",
      "",
      ...offsetLines(grid),
      `y, x = ${along(grid.height, trained.height)}[:, None, None], ${along(grid.width, trained.width)}[None, :, None]`,
      "hidden = np.clip(y * w1[:, 0] + x * w1[:, 1] + b1, 0, None)",
      "bias_of_offset = (16 / (1 + np.exp(-(hidden @ w2)))).reshape(-1)",
      ...swinIndexLines(grid, false),
    ],
    terms: { content: "normalised(q) @ normalised(k).T", bias: "bias_of_offset[index]" },
    content: { of: "qk", dim: getNumber(params, "head_dim") },
    usesGenerator: usesExampleValues(scene.inputs),
  };
}

/** Vectors of the offsets along one axis, [2·size − 1][head_dim]. */
function axisTableLines(request: CodeExportRequest, term: "rows" | "columns", size: number): readonly string[] {
  const dim = getNumber(request.params, "head_dim");
  const [name, salt] = term === "rows" ? ["rel_pos_h", 100] : ["rel_pos_w", 101];
  const example = [
    `row, column = np.arange(${2 * size - 1}, dtype=np.int64)[:, None], np.arange(${dim}, dtype=np.int64)[None, :]`,
    `near = np.exp(-np.abs(row - ${size - 1}).astype(np.float64) / ${pythonFloat(size / 4)})`,
    `${name} = 0.3 * gaussian(0x706F7365, ${salt}, 0, column) * near + 0.05 * gaussian(0x706F7365, ${salt}, row + 1, column)`,
  ];
  return learnedMatrixLines(request, name, example, () => {
    const relativeTerm = request.attention.terms.find(({ id }) => id === term);
    if (relativeTerm?.kind !== "relative_query") return [];
    const values = factorRows(relativeTerm.table, indexRange(0, 2 * size - 1));
    return indexRange(0, 2 * size - 1).map((row) => Array.from(values.subarray(row * dim, (row + 1) * dim)));
  });
}

export function decomposedCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const grid = readGridShape(params, "grid");
  const example = usesExampleValues(scene.inputs);
  return {
    parameters: [],
    setup: [
      ...(example ? ["# Example values in place of trained ones, decaying with the distance"] : []),
      ...axisTableLines(request, "rows", grid.height),
      ...axisTableLines(request, "columns", grid.width),
      "",
      "",
      ...offsetLines(grid),
      CELL_POSITIONS_LINE,
      "query_at = (i - i[0])[:, None]",
    ],
    terms: {
      content: "q @ k.T",
      rows: "(q @ rel_pos_h.T)[query_at, row_offset(query, key)]",
      columns: "(q @ rel_pos_w.T)[query_at, column_offset(query, key)]",
    },
    content: { of: "qk", dim: getNumber(params, "head_dim") },
    usesGenerator: example,
  };
}

import type { Params } from "../spec.ts";
import { pythonFloat, pythonValue } from "./code/python.ts";

/** One value of a matrix, by the indices of its query and key (for a table: position and dimension). */
export interface GoldenCell {
  readonly row: number;
  readonly column: number;
  readonly value: number;
}

export interface GoldenSnippet {
  /** "RoPE — rotary position embedding: attention weights". */
  readonly title: string;
  readonly params: Params;
  /** Lengths and other settings that the values depend on besides the parameters. */
  readonly setting: Readonly<Record<string, number | string | boolean | null>>;
  readonly cells: readonly GoldenCell[];
}

/** A Python assertion over some cells with 17 digits, to paste into a unit test. */
export function goldenSnippet({ title, params, setting, cells }: GoldenSnippet): string {
  const given = Object.entries(params).filter(([, value]) => value !== null);
  const entry = (name: string, text: string) => `    ${JSON.stringify(name)}: ${text},`;
  return [
    `"""Golden values of ${title}. Made by Posenc, in float64."""`,
    "import math",
    "",
    "PARAMETERS = {",
    ...given.map(([name, value]) => entry(name, pythonValue(value))),
    "}",
    "SETTING = {",
    ...Object.entries(setting).map(([name, value]) => entry(name, pythonValue(value))),
    "}",
    "# (row, column) of the whole matrix: value",
    "GOLDEN = {",
    ...cells.map(({ row, column, value }) => `    (${row}, ${column}): ${pythonFloat(value)},`),
    "}",
    "",
    "",
    "def assert_golden(matrix, tolerance=1e-5):",
    '    """Compares a matrix (NumPy, PyTorch or nested lists) with the golden values."""',
    "    for (row, column), expected in GOLDEN.items():",
    "        actual = float(matrix[row][column])",
    "        close = math.isclose(actual, expected, rel_tol=tolerance, abs_tol=tolerance)",
    '        assert close, f"at ({row}, {column}): {actual!r}, expected {expected!r}"',
    "",
  ].join("\n");
}

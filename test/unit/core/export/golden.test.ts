import { describe, expect, it } from "vitest";
import { goldenSnippet } from "../../../../src/core/export/golden.ts";
import { findPython, runPython } from "../../support/python.ts";

describe("generated unit tests with reference values", () => {
  const cells = [
    { row: 0, column: 0, value: 1 },
    { row: 1, column: 0, value: 0.12345678901234568 },
    { row: 1, column: 1, value: -2.5e-300 },
  ];
  const snippet = goldenSnippet({
    title: "a matrix",
    params: { head_dim: 4, rope_type: "yarn", partial: null, list: [1, 2.5], truncate: false },
    setting: { causal: true, window: null },
    cells,
  });

  it("keep every digit, and parameters as Python literals", () => {
    for (const { row, column, value } of cells)
      expect(snippet).toMatch(new RegExp(`\\(${row}, ${column}\\): ${value}`));
    for (const text of [
      '"truncate": False',
      '"list": [1, 2.5]',
      '"causal": True',
      '"window": None',
      '"rope_type": "yarn"',
    ])
      expect(snippet).toContain(text);
  });

  it("pass for the matrix and fail for another if Python is available", () => {
    const python = findPython("json");
    const own = "assert_golden([[1.0, 0.0], [0.12345678901234568, -2.5e-300]])";
    const other = "try:\n    assert_golden([[1.0, 0.0], [0.12, 0.0]])\nexcept AssertionError:\n    failed = True";
    const code = `${snippet}\n${own}\n${other}\nmatrix = type("M", (), {"tolist": lambda s: [[int(failed)]], "shape": (1, 1)})()\n`;
    if (python === null) {
      console.warn("No Python here: the golden snippet was NOT run.");
      expect(code).toContain("def assert_golden");
      return;
    }
    const [result] = runPython(python, [{ name: "golden", code, rows: 1, columns: 1, values: [1] }]);
    expect(result).toMatchObject({ failure: null, error: 0 });
  });
});

import { describe, expect, it } from "vitest";
import { ENCODINGS } from "../../../../../src/core/encodings/index.ts";
import { CODE_BY_ENCODING } from "../../../../../src/core/export/code/families.ts";
import { exportPythonCode } from "../../../../../src/core/export/code/program.ts";
import type { Library } from "../../../../../src/core/export/code/python.ts";
import { indexRange } from "../../../../../src/core/terms/engine.ts";
import { findPython, type PythonCase, runPython } from "../../../support/python.ts";
import { CASES } from "./cases/index.ts";
import { createPythonCase, createRequest } from "./createRequest.ts";

/** Checks that need no interpreter: the program assigns `matrix`, and contains no undefined value. */
function expectStructure({ code }: PythonCase, library: Library): void {
  expect(code.startsWith('"""')).toBe(true);
  expect(code).toContain(library === "numpy" ? "import numpy as np" : "import torch");
  if (library === "torch") expect(code).not.toMatch(/\bnp\.|axis=|\.astype/);
  expect(code).toMatch(/^matrix = /m);
  expect(code).not.toMatch(/undefined|NaN|Infinity|\bnull\b|\[object/);
  const open = (brackets: RegExp) => (code.match(brackets) ?? []).length;
  expect(open(/\(/g)).toBe(open(/\)/g));
  expect(open(/\[/g)).toBe(open(/\]/g));
}

describe.each(["numpy", "torch"] as const)("generated code for %s", (library) => {
  const cases = CASES.map((given) => createPythonCase(given, library));

  it("is a complete program for each case", () => {
    for (const made of cases) expectStructure(made, library);
  });

  it("computes the numbers of the float64 engine if Python has the library", () => {
    const python = findPython(library);
    if (python === null) {
      console.warn(`No Python with ${library} here: the generated programs were checked for structure, NOT run.`);
      expect(cases.length).toBeGreaterThan(40);
      return;
    }
    const results = runPython(python, cases);
    const wrong = results.filter(
      ({ error, misplaced, failure }) => !(error <= 1e-12) || misplaced > 0 || failure !== null,
    );
    expect(wrong).toEqual([]);
    results.forEach(({ shape }, n) => {
      expect(shape).toEqual([cases[n]?.rows, cases[n]?.columns]);
    });
  });
});

describe("the code generator", () => {
  it("knows the terms of every supported encoding by their ids", () => {
    for (const [id, family] of Object.entries(CODE_BY_ENCODING)) {
      const request = createRequest({ name: id, encoding: id });
      const known = Object.keys(family?.(request).terms ?? {});
      for (const { id: term } of request.attention.terms) expect(known, id).toContain(term);
    }
  });

  it("writes formulas for every encoding of the index", () => {
    expect(ENCODINGS.filter(({ id }) => CODE_BY_ENCODING[id] === undefined)).toEqual([]);
  });

  it("refuses to write out more numbers than a program should contain", () => {
    const scene = { queryLength: 100, keyLength: 100 };
    const made = exportPythonCode(createRequest({ name: "many", encoding: "none", isWritten: true, scene }), "numpy");
    expect("reason" in made && made.reason).toContain("zoom in");
  });

  it("refuses given arrays that are not written into the code", () => {
    const scene = { inputs: { conv_weight: indexRange(0, 4).map(() => [[1]]), conv_bias: [0, 0, 0, 0] } };
    const params = { hidden_size: 4, num_conv_pos_embeddings: 1, num_conv_pos_embedding_groups: 4 };
    const made = exportPythonCode(createRequest({ name: "given", encoding: "conv", params, scene }), "numpy");
    expect("reason" in made && made.reason).toContain("conv_weight");
  });

  it("refuses a path with more vectors than a program should contain", () => {
    const show = { of: "table" } as const;
    const scene = { queryLength: 60_000, keyLength: 60_000 };
    const made = exportPythonCode(
      createRequest({ name: "long", encoding: "recursive", scene, show, columns: [0, 32] }),
      "numpy",
    );
    expect("reason" in made && made.reason).toMatch(/Array p is too large/);
  });
});

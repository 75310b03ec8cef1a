import { describe, expect, it } from "vitest";
import { buildCodeHover } from "../../../../src/core/hover/codeHover.ts";
import { createPythonDocument } from "../../../../src/core/python/document.ts";
import { explainAt } from "../../../../src/core/python/explain.ts";
import { pythonPoints } from "./cases.ts";

const points = pythonPoints();

describe("Python recognition", () => {
  it.each(points.map((point) => [point.title, point] as const))(
    "gives the expected result for %s",
    (_title, { code, offset, expected }) => {
      const found = explainAt(createPythonDocument(code), offset);
      if (expected === null) {
        expect(found === null ? null : [found.spec.encoding, found.recogniser]).toBeNull();
        return;
      }
      if (found === null) throw new Error(`nothing is said where ${expected.encoding} should be`);
      expect(found.spec.encoding).toBe(expected.encoding);
      // `name=null`: a parameter without a value.
      const said = Object.keys(expected.values).map((name) => [name, found.spec.params[name] ?? null]);
      expect(Object.fromEntries(said)).toEqual(expected.values);
      expect(buildCodeHover(found, { panel: () => null }).formula?.text).toMatch(/\S/);
    },
  );

  it("is tested on enough positive and negative points", () => {
    expect(points.filter((point) => point.expected !== null).length).toBeGreaterThanOrEqual(150);
    expect(points.filter((point) => point.expected === null).length).toBeGreaterThanOrEqual(100);
  });
});

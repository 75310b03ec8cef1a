import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadAdapters } from "./adapters.ts";
import type { GoldenAdapter, GoldenCase } from "./case.ts";
import { engineGolden } from "./engineGolden.ts";

/**
 * Numbers of real implementations (transformers 5.18, torch 2.13, numpy 2.4, in float64). `GOLDEN_DIR` selects
 * another folder with the same schema.
 */
const folder = process.env.GOLDEN_DIR ?? join(import.meta.dirname, "data");

interface GoldenFileCase extends GoldenCase {
  readonly tolerance: { readonly rtol: number; readonly atol: number };
}

const adapters = new Map<string, GoldenAdapter>();
for (const adapter of [...(await loadAdapters()), ...engineGolden]) {
  for (const file of adapter.files) adapters.set(file, adapter);
}

const count = { values: 0, cases: 0, files: 0 };

/** Compares nested lists; returns how many numbers, booleans and strings were compared. */
function compare(actual: unknown, expected: unknown, tolerance: GoldenFileCase["tolerance"], path: string): number {
  if (Array.isArray(expected)) {
    expect(Array.isArray(actual), `${path} is a list`).toBe(true);
    const list: readonly unknown[] = Array.isArray(actual) ? actual : [];
    expect(list.length, `length of ${path}`).toBe(expected.length);
    return expected.reduce((sum: number, item, n) => sum + compare(list[n], item, tolerance, `${path}[${n}]`), 0);
  }
  if (typeof expected === "object" && expected !== null) {
    const record = new Map(Object.entries(typeof actual === "object" && actual !== null ? actual : {}));
    return Object.entries(expected).reduce(
      (sum, [key, value]) => sum + compare(record.get(key), value, tolerance, `${path}.${key}`),
      0,
    );
  }
  if (typeof expected !== "number") {
    expect(typeof expected === "boolean" && typeof actual === "number" ? actual !== 0 : actual, path).toEqual(expected);
    return 1;
  }
  const number = typeof actual === "boolean" ? Number(actual) : actual;
  if (
    typeof number !== "number" ||
    !(Math.abs(number - expected) <= tolerance.atol + tolerance.rtol * Math.abs(expected))
  ) {
    expect.fail(`${path}: ${String(actual)}, expected ${expected}`);
  }
  return 1;
}

const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

test("the golden folder contains files", () => {
  expect(existsSync(folder)).toBe(true);
  expect(files.length).toBeGreaterThan(0);
});

describe.each(files)("golden file %s", (file) => {
  const adapter = adapters.get(basename(file, ".json"));
  const cases: readonly GoldenFileCase[] = JSON.parse(readFileSync(join(folder, file), "utf8"));
  count.files += 1;
  test.each(cases.map((golden) => [golden.id, golden] as const))("case %s is reproduced", (_id, golden) => {
    if (adapter === undefined) return expect.fail(`no encoding reads ${file}`);
    const computed = adapter.compute(golden);
    for (const [key, expected] of Object.entries(golden.expected)) {
      expect(key in computed, `${key} is computed`).toBe(true);
      // `*_f32` keys hold what a float32 module holds natively.
      const tolerance = key.endsWith("_f32") ? { rtol: 1e-6, atol: 0 } : golden.tolerance;
      count.values += compare(computed[key], expected, tolerance, key);
    }
    count.cases += 1;
  });
});

afterAll(() => {
  console.log(`${count.values} values compared in ${count.cases} cases of ${count.files} files`);
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENCODINGS } from "../../../src/core/encodings/index.ts";
import { parityCases } from "./cases.ts";
import { type EnginePage, openEnginePage } from "./harness.ts";
import type { Parity } from "./page.ts";

/** Logits, and anything but weights: share of the row's scale. */
const LOGIT_TOLERANCE = 1e-5;
const WEIGHT_TOLERANCE = 1e-6;

const SEEDS = [1, 2, 3];

let engine: EnginePage;

beforeAll(async () => {
  engine = await openEnginePage();
});

afterAll(async () => {
  await engine.browser.close();
});

function describeErrors(name: string, results: readonly Parity[]): string[] {
  return results.flatMap(({ view, gpu, cpu, cells }) => {
    const tolerance = view === "weights" ? WEIGHT_TOLERANCE : LOGIT_TOLERANCE;
    const good = cells > 0 && gpu <= tolerance && cpu <= 1e-9;
    return good ? [] : [`${name}, ${view}: GPU off by ${gpu}, CPU by ${cpu}`];
  });
}

describe("the GPU renderer", () => {
  it.each(ENCODINGS.map((encoding) => [encoding.id, encoding] as const))(
    "computes the values of the float64 engine for %s",
    async (_id, encoding) => {
      const problems: string[] = [];
      for (const example of SEEDS.flatMap((seed) => parityCases(encoding, seed))) {
        problems.push(
          ...describeErrors(example.name, await engine.page.evaluate((it) => window.engineTests.parity(it), example)),
        );
        const table = await engine.page.evaluate((it) => window.engineTests.tableParity(it), example);
        if (table !== null) problems.push(...describeErrors(example.name, [table]));
      }
      expect(problems).toEqual([]);
    },
  );

  it("computes the values of the float64 engine for terms of every kind, regions, masks and magnitudes", async () => {
    const problems: string[] = [];
    for (const name of await engine.page.evaluate(() => window.engineTests.madeUpNames())) {
      for (const viewport of [
        { row: 0, column: 0, rows: 37, columns: 53 },
        { row: 3, column: 7, rows: 33, columns: 41 },
      ]) {
        const results = await engine.page.evaluate(([n, v]) => window.engineTests.madeUp(n, v), [
          name,
          viewport,
        ] as const);
        problems.push(...describeErrors(`${name} from ${viewport.row}`, results));
      }
    }
    expect(problems).toEqual([]);
  });

  it("causes no browser error or warning", () => {
    expect(engine.complaints).toEqual([]);
  });
});

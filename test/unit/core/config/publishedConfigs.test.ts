import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TRANSFORMERS_RUN } from "../../../../src/core/config/huggingface/readingView.ts";
import { readConfig } from "../../../../src/core/config/readConfig.ts";
import { computeDerivedValues } from "../../../../src/core/config/report/derivedValues.ts";
import { specAsRun } from "../../../../src/core/config/runs.ts";

/**
 * Configurations in the shape of published models. `inv_freq` is what the rotary modules of transformers 5.18.0 held
 * when created from them (float32): for each its length, its second, middle and last value, and the attention
 * scaling. Empty without rotation by one position, or if the code is part of the checkpoint.
 */
interface Stock {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly inv_freq: readonly (readonly number[])[];
}

const stock: readonly Stock[] = JSON.parse(readFileSync("test/fixtures/configs/stock.json", "utf8"));

/** The module computes in float32, Posenc in float64. */
const TOLERANCE = 2e-5;

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}

function sampleFrequencies(values: Readonly<Record<string, unknown>>): number[] | undefined {
  const { inv_freq, attention_scaling } = values;
  if (!Array.isArray(inv_freq)) return undefined;
  const { length } = inv_freq;
  return [length, inv_freq[1], inv_freq[length >> 1], inv_freq[length - 1], attention_scaling].map(Number);
}

describe("published config", () => {
  test.each(stock.map((entry) => [entry.id, entry] as const))(
    "%s has the values of transformers 5.18 and no false finding",
    (_, { config, inv_freq }) => {
      const { specs: declared, problems, error } = readConfig(JSON.stringify(config, null, 2));
      const specs = declared.map((spec) => specAsRun(spec, TRANSFORMERS_RUN));
      expect(error).toBeNull();
      expect(specs.length).toBeGreaterThan(0);
      expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
      expect(problems.filter(({ severity }) => severity === "warning").length).toBeLessThanOrEqual(1);
      const ours = specs.flatMap((spec) => sampleFrequencies(computeDerivedValues(spec)) ?? []);
      for (const wanted of inv_freq) {
        const found = specs.some((spec) => {
          const own = sampleFrequencies(computeDerivedValues(spec));
          return own?.length === wanted.length && own.every((value, i) => isNear(value, wanted[i] ?? Number.NaN));
        });
        expect([wanted, found, ours]).toEqual([wanted, true, ours]);
      }
    },
  );
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareSpecs } from "../../../../src/core/config/compare/differences.ts";
import { looksLikeModelConfig, readConfig } from "../../../../src/core/config/readConfig.ts";
import { computeDerivedValues } from "../../../../src/core/config/report/derivedValues.ts";
import { buildLayerCells, groupByStack } from "../../../../src/core/config/report/layerStrip.ts";
import { summarise } from "../../../../src/core/config/report/summarise.ts";
import { buildRuntimeTables } from "../../../../src/core/config/runtimes/index.ts";
import type { EncodingSpec } from "../../../../src/core/spec.ts";
import { cpuTime } from "../../support/cpuTime.ts";
import { generator, pick } from "../../support/random.ts";

/** Published configs and the rules' fixtures, which are mutated. */
function seeds(): string[] {
  const workspace = "test/fixtures/workspace";
  const published = readdirSync(workspace).map((name) => join(workspace, name, "config.json"));
  const rules = "test/fixtures/configs/rules";
  const failing = readdirSync(rules).flatMap((group) =>
    readdirSync(join(rules, group)).map((name) => join(rules, group, name, "fail.json")),
  );
  return [...published, ...failing].filter((path) => existsSync(path)).map((path) => readFileSync(path, "utf8"));
}

const VALUES = [
  "null",
  "NaN",
  "-Infinity",
  '"x"',
  "[]",
  "{}",
  "-1",
  "0",
  "1e308",
  "1e-308",
  "0.5",
  "true",
  "[[[1]]]",
  "3",
  '{"rope_type": 5}',
  "9007199254740993",
  '["full_attention", 7]',
];
const PIECES = [
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "\\u0000",
  "\uD800",
  "//",
  "/*",
  "NaN",
  "\uFEFF",
  "\u2028",
  "1e999",
  '"rope_parameters":{"full_attention":null}',
  '"layer_types":["conv"]',
];

/** Truncates, swaps values, inserts and doubles pieces. */
function mutate(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  switch (Math.floor(random() * 5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + pick(random, PIECES, "") + text.slice(at);
    case 2:
      return text.slice(0, at) + text.slice(at + Math.floor(random() * 40));
    case 3: {
      const values = [...text.matchAll(/(?<=:\s*)(?:-?[\d.]+(?:e[+-]?\d+)?|"[^"]*"|true|false|null)/g)];
      const chosen = pick(random, values, undefined);
      if (chosen === undefined) return text;
      return text.slice(0, chosen.index) + pick(random, VALUES, "0") + text.slice(chosen.index + chosen[0].length);
    }
    default: {
      const end = Math.min(text.length, at + Math.floor(random() * 200));
      return text.slice(0, end) + text.slice(at, end) + text.slice(end);
    }
  }
}

/** Each seed is a test of its own, so that a hang differs from a busy machine. */
const RUNS = Array.from({ length: 10 }, (_, run) => 20260101 + run);

test.each(RUNS)(
  "readConfig handles 1,000 mutated configs (seed %i) without an exception, below 100 ms each, with every position inside the text",
  (seed) => {
    const random = generator(seed);
    const texts = seeds();
    expect(texts.length).toBeGreaterThan(60);
    let slowest = 0;
    const outside: string[] = [];
    let before: readonly EncodingSpec[] = [];
    for (let i = 0; i < 1000; i++) {
      let text = pick(random, texts, "");
      for (let n = 0; n < 1 + (i % 3); n++) text = mutate(text, random);
      const { took, reading } = timed(text);
      // Wall time includes other programs, so only input that is slow every time counts.
      slowest = Math.max(
        slowest,
        took < LIMIT_MS ? took : Math.min(timed(text).took, timed(text).took, timed(text).took),
      );
      const lines = text.split(/\r\n|\n|\r/).length;
      const places = [
        ...reading.problems.map(({ range }) => range.start),
        ...(reading.error === null ? [] : [reading.error]),
      ];
      if (places.some(({ line }) => line > lines)) outside.push(text);
      if (i % 20 === 0) for (const spec of reading.specs) computeDerivedValues(spec);
      if (i % 5 === 0) {
        for (const { columns, rows } of buildRuntimeTables(text, reading))
          for (const { cells } of rows) expect(cells).toHaveLength(columns.length);
        compareSpecs(reading.specs, before, { maxDistance: 64 });
        for (const stack of groupByStack(reading.specs))
          expect(buildLayerCells(stack, reading.specs)).toHaveLength(stack.count);
        before = reading.specs;
      }
      if (i % 10 === 0) looksLikeModelConfig(text);
    }
    expect(outside).toEqual([]);
    expect(slowest).toBeLessThan(LIMIT_MS);
  },
);

const LIMIT_MS = 100;

function timed(text: string) {
  const start = cpuTime();
  const reading = readConfig(text);
  summarise(reading.specs);
  return { took: cpuTime() - start, reading };
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/program.ts";
import { ARRAY_NAMES } from "../../src/model/forward/run.ts";

/**
 * Every layer of tiny checkpoints against numbers of the original implementations (transformers 5.18, float64).
 * `GOLDEN_MODELS_DIR` selects another folder with the same schema.
 */
const folder = process.env.GOLDEN_MODELS_DIR ?? join(import.meta.dirname, "models");

/** For a row (last axis): max|computed − expected| ≤ 1e-4 · max|expected|. */
const TOLERANCE = 1e-4;

type Nested = readonly (number | Nested)[];

interface Layer {
  readonly stack?: string;
  readonly layer: number;
  readonly kind: string;
  readonly mask?: string;
  readonly heads: number;
  readonly kv_heads: number;
  readonly head_dim: number;
  readonly [array: string]: unknown;
}

interface Expected {
  readonly text: string;
  readonly decoder_text?: string;
  readonly ids: readonly number[];
  readonly tokens?: readonly string[];
  readonly decoder_ids?: readonly number[];
  readonly logits_up_to_row_constant?: boolean;
  readonly masks: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly layers: readonly Layer[];
}

interface Output {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
  readonly decoder_ids?: readonly number[];
  readonly layers: readonly Layer[];
}

const models = readdirSync(folder).filter((name) => existsSync(join(folder, name, "expected.json")));

const count = { values: 0, layers: 0 };
/** Largest error of each array. */
const worst = new Map<string, number>();

function isNested(value: unknown): value is Nested {
  return Array.isArray(value);
}

function isNumbers(row: Nested): row is readonly number[] {
  return typeof row[0] === "number";
}

/** Rows of the last axis, in order. */
function rowsOf(array: unknown): (readonly number[])[] {
  if (!isNested(array)) return [];
  return isNumbers(array) ? [array] : array.flatMap(rowsOf);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

interface RowRules {
  /** 1: may look; other cells are not compared. */
  readonly allowed?: readonly number[] | undefined;
  readonly upToConstant?: boolean;
}

/** The error of a row, as a fraction of its largest number. */
function rowError(actual: readonly number[], expected: readonly number[], { allowed, upToConstant }: RowRules): number {
  const seen = expected.map((_, n) => n).filter((n) => allowed === undefined || allowed[n] === 1);
  const pick = (row: readonly number[]): number[] => {
    const own = seen.map((n) => row[n] ?? Number.NaN);
    return upToConstant ? own.map((value) => value - mean(own)) : own;
  };
  const [a, e] = [pick(actual), pick(expected)];
  const scale = Math.max(...expected.map(Math.abs));
  const difference = Math.max(...a.map((value, n) => Math.abs(value - (e[n] ?? 0))));
  return difference === 0 ? 0 : difference / scale;
}

function compareArray(name: string, actual: unknown, expected: unknown, rules: (row: number) => RowRules, at: string) {
  const [a, e] = [rowsOf(actual), rowsOf(expected)];
  expect(a.length, `rows of ${at}`).toBe(e.length);
  e.forEach((row, n) => {
    expect(a[n]?.length, `length of row ${n} of ${at}`).toBe(row.length);
    const error = rowError(a[n] ?? [], row, rules(n));
    if (!(error <= TOLERANCE)) expect.fail(`${at}, row ${n}: error ${error}`);
    worst.set(name, Math.max(worst.get(name) ?? 0, error));
    count.values += row.length;
  });
}

function compareLayer(actual: Layer, expected: Layer, golden: Expected): void {
  const at = `${expected.stack ?? "layer"} ${expected.layer} ${expected.kind}`;
  expect([actual.stack, actual.layer, actual.kind], at).toEqual([expected.stack, expected.layer, expected.kind]);
  expect([actual.heads, actual.kv_heads, actual.head_dim]).toEqual([
    expected.heads,
    expected.kv_heads,
    expected.head_dim,
  ]);
  const mask = expected.mask === undefined ? undefined : golden.masks[expected.mask];
  const upToConstant = golden.logits_up_to_row_constant === true;
  for (const name of ARRAY_NAMES) {
    if (expected[name] === undefined) {
      expect(actual[name], `${name} of ${at}`).toBeUndefined();
      continue;
    }
    const isScores = name === "logits" || name === "bias";
    const rules = (row: number): RowRules => (isScores ? { allowed: mask?.[row % mask.length], upToConstant } : {});
    compareArray(name, actual[name], expected[name], rules, `${name} of ${at}`);
  }
  count.layers++;
}

function requireZeros(actual: Layer, expected: Layer, masks: Expected["masks"]): void {
  const mask = masks[expected.mask ?? ""];
  if (mask === undefined) return;
  rowsOf(actual["attention"]).forEach((row, n) => {
    expect(row.filter((weight, j) => mask[n % mask.length]?.[j] === 0 && weight !== 0)).toEqual([]);
  });
}

test("the folder of models contains models", () => {
  expect(models.length).toBeGreaterThan(0);
});

describe.each(models)("%s", (name) => {
  const golden: Expected = JSON.parse(readFileSync(join(folder, name, "expected.json"), "utf8"));
  let output: Output;

  beforeAll(async () => {
    const ids = golden.tokens === undefined ? ["--ids", golden.ids.join(",")] : ["--text", golden.text];
    const decoder =
      golden.decoder_text === undefined
        ? golden.decoder_ids === undefined
          ? []
          : ["--decoder-ids", golden.decoder_ids.slice(1).join(",")]
        : ["--decoder-text", golden.decoder_text];
    const what = ["--layer", "all", "--what", ARRAY_NAMES.join(","), "--json"];
    const { stdout, stderr, exitCode } = await runCommandLine([
      "attention",
      join(folder, name),
      ...ids,
      ...decoder,
      ...what,
    ]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    output = JSON.parse(stdout);
  });

  test("has the same tokens", () => {
    expect(output.ids).toEqual(golden.ids);
    if (golden.tokens !== undefined) expect(output.tokens).toEqual(golden.tokens);
    expect(output.decoder_ids).toEqual(golden.decoder_ids);
  });

  test("has the same numbers in every layer and head", () => {
    expect(output.layers.length).toBe(golden.layers.length);
    golden.layers.forEach((layer, n) => {
      const own = output.layers[n];
      if (own === undefined) throw new Error(`layer ${n} is missing`);
      compareLayer(own, layer, golden);
      requireZeros(own, layer, golden.masks);
    });
  });
});

afterAll(() => {
  console.log(`${count.values} values compared in ${count.layers} attentions of ${models.length} models`);
  for (const [name, error] of worst) console.log(`largest error of ${name}: ${error.toExponential(1)}`);
});

import { beforeAll, describe, expect, it } from "vitest";
import { expectBounded } from "./support/expectBounded.ts";
import { buildReaders, put, runReader, scratchFolder } from "./support/readers.ts";

/** Begins a GPT-NeoX config, so that the reader goes on. */
const NEOX = "rotary_pct: 1.0\nnum_layers: 12\nhidden_size: 768\nnum_attention_heads: 12\n";
const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n)).join("");
const TOO_MANY = /more than 50,000 values/;
const TOO_DEEP = /nested deeper than 300 levels/;

/** Texts, and what is said about them; null where the model is read as if nothing was. */
const TEXTS: readonly (readonly [name: string, text: string, says: RegExp | null])[] = [
  ["10,000 aliases", `a: &a 1\nb: [${"*a, ".repeat(10_000)}]\n`, null],
  ["400,000 aliases", `a: &a 1\nb: [${"*a, ".repeat(400_000)}]\n`, TOO_MANY],
  ["3,000 anchors and aliases", lines(3000, (n) => `k${n}: &a${n} ${n}\nl${n}: *a${n}\n`), null],
  [
    "aliases that multiply",
    `b0: &b0 [x]\n${lines(20, (n) => `b${n + 1}: &b${n + 1} [${`*b${n}, `.repeat(9)}]\n`)}`,
    null,
  ],
  ["5,000 aliases without an anchor", lines(5000, (n) => `k${n}: *z${n}\n`), null],
  ["180,000 errors of one kind", "@ : [ } %\n".repeat(180_000), TOO_MANY],
  ["10,000 nested mappings on one line each", "a: b: c\n".repeat(10_000), /nested|mapping|deeper/i],
  ["300,000 tabs", "\t- x\n".repeat(300_000), TOO_MANY],
  ["5,000 references in a circle", lines(5000, (n) => `k${n}: \${k${(n + 1) % 5000}}\n`), null],
  ["20,000 references", `x: 1\n${lines(20_000, (n) => `k${n}: \${x}\n`)}`, TOO_MANY],
  ["[ nested 900,000 times", `a: ${"[".repeat(900_000)}`, TOO_DEEP],
  ["{ nested 400,000 times", `a: ${"{a: ".repeat(400_000)}`, TOO_DEEP],
  ["- nested 900,000 times", `a:\n  ${"- ".repeat(900_000)}`, TOO_DEEP],
  ["5,000 duplicate keys", "rotary_pct: 1\n".repeat(5000), /duplicate key/],
  ["a scalar of 1.9 MB", `a: ${"x".repeat(1_900_000)}`, null],
  ["1.9 million spaces", `a: ${" ".repeat(1_900_000)}x`, null],
  ["1.9 million line breaks", `${"\n".repeat(1_900_000)}`, TOO_MANY],
  ["a quoted scalar of 900,000 lines", `a: "${"\n ".repeat(900_000)}"`, null],
  ["900,000 comments", "#\n".repeat(900_000), TOO_MANY],
  ["450,000 documents", "---\n".repeat(450_000), null],
  ["12,000 unknown tags", `a: [${"!a x, ".repeat(12_000)}]`, TOO_MANY],
  ["heads of 1e9 dimensions", "kv_channels: 1\nnum_attention_heads: 1.0e+9\n", /config\/too-large|duplicate/],
];

beforeAll(buildReaders);

describe("a YAML config with", () => {
  it.each(TEXTS)("%s", async (_name, text, says) => {
    const run = await runReader("yaml", put(scratchFolder(), "config.yml", NEOX + text));
    expectBounded(run);
    expect(run.exitCode, run.stderr).toBe(0);
    const { error, problems } = JSON.parse(run.stdout);
    if (says === null) expect(error).toBeNull();
    else expect([error?.message, ...problems].join("\n")).toMatch(says);
  });
});

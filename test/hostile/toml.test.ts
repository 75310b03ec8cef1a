import { beforeAll, describe, expect, it } from "vitest";
import { expectBounded } from "./support/expectBounded.ts";
import { buildReaders, put, runReader, scratchFolder } from "./support/readers.ts";

/** Begins a torchtitan file, so that the reader goes on. */
const TITAN = '[model]\nname = "llama3"\nflavor = "8B"\n[training]\nseq_len = 8192\n';
const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n)).join("");
const TOO_LARGE = /larger than 128 kB/;
const TOO_MANY = /more than 6,000 values/;
const TOO_DEEP = /nested deeper than 100 levels/;

/** Texts after the beginning, and what is said about them; null where the model is read as if nothing was. */
const TEXTS: readonly (readonly [name: string, text: string, says: RegExp | null])[] = [
  ["5,000 keys", lines(5000, (n) => `k${n} = ${n}\n`), null],
  ["2,500 tables", lines(2500, (n) => `[t${n}]\na=1\n`), null],
  ["1,900 tables of one list", lines(1900, () => "[[t]]\na=1\n"), null],
  ["8,000 tables", lines(8000, (n) => `[t${n}]\na=1\n`), TOO_MANY],
  ["a list of 60,000 numbers", `a = [${"1,".repeat(60_000)}]\n`, TOO_MANY],
  ["a key of 60,000 parts", `a${".b".repeat(60_000)} = 1\n`, TOO_MANY],
  ["a key of 5,000 parts", `a${".b".repeat(5000)} = 1\n`, null],
  ["a table of 5,000 parts", `[a${".b".repeat(5000)}]\nc = 1\n`, null],
  ["a string of 120,000 characters", `a = "${"x".repeat(120_000)}"\n`, null],
  ["120,000 line breaks", "\n".repeat(120_000), null],
  ["60,000 comments", "#\n".repeat(60_000), null],
  ["a text of 2 MB", "#".repeat(2_000_000), TOO_LARGE],
  ["[ nested 100,000 times", `a = ${"[".repeat(100_000)}`, TOO_DEEP],
  ["inline tables nested 20,000 times", `a = ${"{b=".repeat(20_000)}1`, TOO_DEEP],
  ["names of prototypes", "[constructor]\n__proto__ = 1\n[__proto__]\nrope = 2\n", null],
  ["a table written twice", "[a]\nb = 1\n[a]\nb = 2\n", /multiple times|defin/i],
  ["a broken string", 'a = "x\n', /.+/],
];

beforeAll(buildReaders);

describe("a TOML config with", () => {
  it.each(TEXTS)("%s", async (_name, text, says) => {
    const run = await runReader("toml", put(scratchFolder(), "config.toml", TITAN + text));
    expectBounded(run);
    expect(run.exitCode, run.stderr).toBe(0);
    const { error, summary, problems } = JSON.parse(run.stdout);
    if (says === null) {
      expect(error).toBeNull();
      expect(summary).toContain("RoPE");
    } else expect([error?.message, ...problems].join("\n")).toMatch(says);
  });
});

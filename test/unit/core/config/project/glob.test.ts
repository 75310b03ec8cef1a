import fc from "fast-check";
import { minimatch } from "minimatch";
import { describe, expect, it } from "vitest";
import { parseGlob } from "../../../../../src/core/config/project/glob.ts";

const name = fc.string({ unit: fc.constantFrom("a", "b", "c", ".", "-"), minLength: 1, maxLength: 5 });
const path = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .map((names) => names.join("/"))
  .filter((text) => !/(?:^|\/)\.{1,2}(?:\/|$)/.test(text));
const piece = fc.constantFrom("a", "b", "c", "-", "*", "?", "[ab]", "[!a]", "[a-b]", "{a,b}", "{a,b*}", "{a,{b,c}}");
const segment = fc.oneof(
  { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("")) },
  { weight: 1, arbitrary: fc.constant("**") },
);
const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));

describe("globs", () => {
  it("match what minimatch matches", () => {
    fc.assert(
      fc.property(glob, path, (pattern, candidate) => {
        const alternatives = pattern.split("{a,b").length + 2 * pattern.split("{a,{b").length;
        fc.pre(alternatives <= 7);
        const expected = minimatch(candidate, pattern, { dot: true });
        expect(parseGlob(pattern)(candidate), `${pattern} on ${candidate}`).toBe(expected);
      }),
      { numRuns: 5000, seed: 17 },
    );
  });

  it.each(["+(a)", "!(a|b)", "@(a)b", "a*(b)", "?(x)", "!a"])("refuse %s, and say what is supported", (pattern) => {
    expect(() => parseGlob(pattern)).toThrow("only *, ?, [abc], ** and {a,b} are supported");
  });

  it("refuse what would be too many or too long", () => {
    expect(() => parseGlob("{a,b}".repeat(30))).toThrow("more than 64 alternatives");
    expect(() => parseGlob("a".repeat(70_000))).toThrow("longer than 1000 characters");
  });

  it("have no ranges of numbers, so that one is a name", () => {
    expect(parseGlob("{1..99999999}")("{1..99999999}")).toBe(true);
  });
});

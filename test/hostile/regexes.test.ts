import { describe, expect, it } from "vitest";
import { pumpedTexts, readRegexes, timeSearch } from "./support/regexes.ts";

/** Characters; a quadratic pattern needs tens of milliseconds for it, a linear one a tenth of one. */
const LENGTH = 3000;
const MAX_MS = 8;

/** Patterns whose text is bounded before they see it, and where that is done. */
const BOUNDED: readonly { readonly file: RegExp; readonly length: number; readonly by: string }[] = [
  { file: /^src\/core\/python\/recognise\//, length: 200, by: "toSnakeCase, MAX_NAME_LENGTH" },
  { file: /^src\/core\/hover\/formatNumber\.ts$/, length: 400, by: "the text of a number" },
  { file: /^webview\/ui\/format\.ts$/, length: 400, by: "the text of a number" },
  { file: /^webview\/panel\/readout\/logitExpansion\.ts$/, length: 400, by: "our own labels of terms" },
  { file: /^webview\/ui\/chart\/exportSvg\.ts$/, length: 0, by: "our own drawing" },
];

const lengthFor = (file: string): number => BOUNDED.find((bound) => bound.file.test(file))?.length ?? LENGTH;

/** The worst search, of those that are slow three times in a row. */
function findSlow(regex: RegExp, length: number): { readonly ms: number; readonly text: string } | undefined {
  for (const text of pumpedTexts(regex, length)) {
    if (timeSearch(regex, text) <= MAX_MS) continue;
    const ms = Math.min(timeSearch(regex, text), timeSearch(regex, text));
    if (ms > MAX_MS) return { ms, text: JSON.stringify(text.slice(0, 40)) };
  }
  return undefined;
}

describe("regular expressions of the product", () => {
  const regexes = readRegexes();

  it("are found", () => expect(regexes.length).toBeGreaterThan(400));

  it("take linear time on pumped strings, or see bounded text only", () => {
    const slow = regexes.flatMap(({ file, regex }) => {
      const found = findSlow(regex, lengthFor(file));
      return found === undefined ? [] : [`${file}: ${regex} took ${found.ms.toFixed(0)} ms on ${found.text}…`];
    });
    expect(slow).toEqual([]);
  });

  it("would be caught: a pattern that trims spaces by backtracking is slow", () => {
    // Four times as long, for a machine that is four times as fast.
    expect(findSlow(/\s+$/, 4 * LENGTH)?.ms).toBeGreaterThan(MAX_MS);
    expect(findSlow(/(a+)+$/, 23)?.ms).toBeGreaterThan(MAX_MS);
  });
});

import { describe, expect, it } from "vitest";
import {
  buildTokens,
  computeExample,
  countChangedByOrder,
  countChangedByShift,
  type ExampleKind,
  nextOrder,
  validOrder,
} from "../../../../webview/views/example/computeExample.ts";
import { scoreSteps } from "../../../../webview/views/example/scoreSteps.ts";
import golden from "../../../golden/data/worked_example.json" with { type: "json" };

const KINDS: Readonly<Record<string, ExampleKind>> = {
  none: "none",
  absolute: "absolute",
  "t5-style": "bias",
  "rope-theta-1": "rope",
};
const tokens = buildTokens(["I", "like", "apples"], []);

describe("the worked example", () => {
  for (const [id, kind] of Object.entries(KINDS)) {
    it(`has the golden numbers of ${id}`, () => {
      const expected = golden.find((candidate) => candidate.id === id)?.expected;
      const { scores, probs } = computeExample(kind, tokens);
      for (const [actual, wanted] of [
        [scores.flat(), expected?.scores.flat()],
        [probs.flat(), expected?.probs.flat()],
      ]) {
        expect(actual).toHaveLength(9);
        expect(wanted).toHaveLength(9);
        for (const [n, value] of (actual ?? []).entries()) expect(value).toBeCloseTo(wanted?.[n] ?? Number.NaN, 12);
      }
    });
  }

  it("only permutes without positions, and changes with them", () => {
    const order = [2, 0, 1];
    expect(countChangedByOrder("none", tokens, order)).toBe(0);
    for (const kind of ["absolute", "bias", "rope"] as const)
      expect(countChangedByOrder(kind, tokens, order)).toBeGreaterThan(0);
  });

  it("shuffles to another order of the same tokens and ignores an order that does not fit", () => {
    expect(nextOrder([0, 1, 2])).toEqual([2, 0, 1]);
    expect(nextOrder(nextOrder(nextOrder([0, 1, 2])))).toEqual([0, 1, 2]);
    expect(validOrder(tokens, [2, 0, 1])).toEqual([2, 0, 1]);
    expect(validOrder(tokens, [0, 0, 1])).toEqual([0, 1, 2]);
    expect(validOrder(tokens, [3, 0, 1])).toEqual([0, 1, 2]);
  });

  it("uses written vectors in place of a word's own, token by token", () => {
    const { scores } = computeExample("none", buildTokens(["I", "like"], [[3, -2], null]));
    expect(scores).toEqual([
      [13, -2],
      [-2, 1],
    ]);
  });

  it("changes with a shift of all positions only for absolute encodings", () => {
    expect(countChangedByShift("absolute", tokens, 5)).toBe(9);
    for (const kind of ["none", "bias", "rope"] as const) expect(countChangedByShift(kind, tokens, 5), kind).toBe(0);
  });

  it("shows an arithmetic for each score that ends in the number of its cell, shifted or not", () => {
    for (const kind of ["none", "absolute", "bias", "rope"] as const) {
      for (const shift of [0, 4]) {
        const lines = scoreSteps(kind, tokens, { row: 2, column: 0 }, shift);
        const score = computeExample(kind, tokens, shift).scores[2]?.[0] ?? Number.NaN;
        for (const line of lines.slice(kind === "none" || kind === "bias" ? 0 : 2)) {
          expect(Number(line.split(" = ").at(-1)?.replace("−", "-")), `${kind}: ${line}`).toBeCloseTo(score, 2);
        }
      }
    }
  });

  it("gives a word the same vector at every position", () => {
    const { scores } = computeExample("none", buildTokens(["pears", "I", "pears"], []));
    expect(scores[0]?.[0]).toBe(scores[0]?.[2]);
    expect(scores[0]?.[0]).toBe(scores[2]?.[2]);
  });
});

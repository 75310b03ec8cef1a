import fc from "fast-check";
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
import { scoreSteps, symbolicForm } from "../../../../webview/views/example/scoreSteps.ts";
import golden from "../../../golden/data/worked_example.json" with { type: "json" };

const KINDS: Readonly<Record<string, ExampleKind>> = {
  none: "none",
  absolute: "absolute",
  "t5-style": "bias",
  "rope-theta-1": "rope",
};
const tokens = buildTokens(["I", "like", "apples"], []);

/** The value of a formula of sums and products of "2 cos 3θ" and numbers, for θ = 1. */
function evaluateSymbols(text: string): number {
  const tokens = text.match(/cos|sin|\d+θ|θ|\d+|[()+−·]/g) ?? [];
  let at = 0;
  const sum = (): number => {
    let total = product();
    while (tokens[at] === "+" || tokens[at] === "−") total += (tokens[at++] === "+" ? 1 : -1) * product();
    return total;
  };
  const product = (): number => {
    if (tokens[at] === "−") {
      at++;
      return -product();
    }
    let value = factor();
    while (at < tokens.length && !/^[)+−]$/.test(tokens[at] ?? "")) {
      if (tokens[at] === "·") at++;
      value *= factor();
    }
    return value;
  };
  const factor = (): number => {
    const token = tokens[at++] ?? "";
    if (token === "(") {
      const value = sum();
      at++;
      return value;
    }
    if (token !== "cos" && token !== "sin") return Number(token);
    const angle = Number((tokens[at++] ?? "").replace("θ", "") || 1);
    return token === "cos" ? Math.cos(angle) : Math.sin(angle);
  };
  return sum();
}

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
        const isSymbolic = (line: string) => /^q[₀-₉]/.test(line);
        for (const line of lines
          .slice(kind === "none" || kind === "bias" ? 0 : 2)
          .filter((each) => !isSymbolic(each))) {
          expect(Number(line.split(" = ").at(-1)?.replace("−", "-")), `${kind}: ${line}`).toBeCloseTo(score, 2);
        }
      }
    }
  });

  it("shows RoPE's score in symbols before θ gets its value", () => {
    const of = (row: number, column: number, shift = 0) =>
      scoreSteps("rope", tokens, { row, column }, shift).find((line) => /^q[₀-₉]/.test(line));
    expect(of(0, 1)).toBe("q₁·k₂ = cos θ·(−sin 2θ) + sin θ·cos 2θ = −sin θ");
    expect(of(1, 0)).toBe("q₂·k₁ = −sin 2θ·cos θ + cos 2θ·sin θ = −sin θ");
    expect(of(0, 0)).toBe("q₁·k₁ = cos θ·cos θ + sin θ·sin θ = 1");
    expect(of(0, 1, 9)).toBe("q₁₀·k₁₁ = cos 10θ·(−sin 11θ) + sin 10θ·cos 11θ = −sin θ");
    expect(of(2, 0)).toBe("q₃·k₁ = (cos 3θ − sin 3θ)·cos θ + (cos 3θ + sin 3θ)·sin θ = cos 2θ − sin 2θ");
  });

  it("has symbols that are the score for θ = 1, whatever the vectors", () => {
    const whole = fc.integer({ min: -3, max: 3 });
    const vector = fc.tuple(whole, whole);
    const position = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(vector, vector, position, position, (q, k, m, n) => {
        const [, product = "", result = ""] = symbolicForm({ vector: q }, { vector: k }, m, n).split(" = ");
        const angle = m - n;
        const score = (q[0] * k[0] + q[1] * k[1]) * Math.cos(angle) + (q[0] * k[1] - q[1] * k[0]) * Math.sin(angle);
        expect(evaluateSymbols(product)).toBeCloseTo(score, 9);
        expect(evaluateSymbols(result)).toBeCloseTo(score, 9);
      }),
    );
  });

  it("gives a word the same vector at every position", () => {
    const { scores } = computeExample("none", buildTokens(["pears", "I", "pears"], []));
    expect(scores[0]?.[0]).toBe(scores[0]?.[2]);
    expect(scores[0]?.[0]).toBe(scores[2]?.[2]);
  });
});

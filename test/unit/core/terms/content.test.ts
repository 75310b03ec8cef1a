import { describe, expect, it } from "vitest";
import { createContent, tokenContent } from "../../../../src/core/terms/content.ts";
import { dotProduct, evaluateRow } from "../../../../src/core/terms/linear.ts";

describe("words as content", () => {
  const words = ["I", "like", "what", "I", "like"];

  it("have the same vector for the same word at any position, and different ones for different words", () => {
    const k = tokenContent(words, 0).rows("k", 0, 64);
    expect(evaluateRow(k, 0)).toEqual(evaluateRow(k, 3));
    expect(evaluateRow(k, 0)).toEqual(evaluateRow(k, 5));
    expect(evaluateRow(k, 0)).not.toEqual(evaluateRow(k, 1));
    // A word is more similar to itself than to any other.
    expect(dotProduct(evaluateRow(k, 0), evaluateRow(k, 3))).toBeGreaterThan(
      4 * Math.abs(dotProduct(evaluateRow(k, 0), evaluateRow(k, 1))),
    );
  });

  it("give the queries the words at the end of the keys", () => {
    const content = tokenContent(words, 3);
    expect(evaluateRow(content.rows("q", 2, 8), 0)).toEqual(evaluateRow(content.rows("k", 2, 8), 3));
    expect(evaluateRow(content.rows("x", 2, 8), 4)).toEqual(evaluateRow(tokenContent(words, 0).rows("x", 0, 8), 4));
  });

  it("are replaced by ones if there are no words", () => {
    expect(createContent({ tokens: [] }, 0).kind).toBe("ones");
  });
});

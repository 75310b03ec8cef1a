import { describe, expect, it } from "vitest";
import { contentOf, tokenContent } from "../../src/core/terms/content.ts";
import { dotOf, rowOf } from "../../src/core/terms/linear.ts";

describe("content of words", () => {
  const words = ["I", "like", "what", "I", "like"];

  it("has the same vector for the same word, wherever it stands, and another for another", () => {
    const k = tokenContent(words, 0).rows("k", 0, 64);
    expect(rowOf(k, 0)).toEqual(rowOf(k, 3));
    expect(rowOf(k, 0)).toEqual(rowOf(k, 5));
    expect(rowOf(k, 0)).not.toEqual(rowOf(k, 1));
    // A word is more like itself than like any other.
    expect(dotOf(rowOf(k, 0), rowOf(k, 3))).toBeGreaterThan(4 * Math.abs(dotOf(rowOf(k, 0), rowOf(k, 1))));
  });

  it("gives queries the words at the end of the keys", () => {
    const content = tokenContent(words, 3);
    expect(rowOf(content.rows("q", 2, 8), 0)).toEqual(rowOf(content.rows("k", 2, 8), 3));
    expect(rowOf(content.rows("x", 2, 8), 4)).toEqual(rowOf(tokenContent(words, 0).rows("x", 0, 8), 4));
  });

  it("is of ones where there are no words", () => {
    expect(contentOf({ tokens: [] }, 0).kind).toBe("ones");
  });
});

import { describe, expect, test } from "vitest";
import { breakLine, type LinePiece } from "../../../../webview/ui/formulaLines.ts";

/** Pieces of ten pixels each; single signs are operators, "_" is a wide space. */
function layOut(text: string): LinePiece[] {
  return text.split(" ").map((piece, n) => ({
    operator: /^[=+\-,()⋅]$/.test(piece) ? piece : null,
    isSpace: piece === "_",
    left: 10 * n,
    right: 10 * n + 10,
  }));
}

function lines(text: string, limit: number, atOperators = true): string[] {
  const pieces = text.split(" ");
  const starts = [0, ...breakLine(layOut(text), limit, atOperators), pieces.length];
  return starts.slice(1).map((end, n) => pieces.slice(starts[n], end).join(" "));
}

describe("a formula that is wider than its column", () => {
  test("stays on one line while it fits", () => {
    expect(lines("a = b + c", 50)).toEqual(["a = b + c"]);
  });
  test("breaks before relations and binary signs, as late as possible", () => {
    expect(lines("a = b ⋅ c + d ⋅ e + f ⋅ g", 70)).toEqual(["a = b ⋅ c", "+ d ⋅ e", "+ f ⋅ g"]);
  });
  test("does not separate a sign from its operand", () => {
    expect(lines("a = - b + c", 40)).toEqual(["a = - b", "+ c"]);
  });
  test("breaks between formulas first, as few times as possible", () => {
    expect(lines("a = b , _ c = d , _ e = f", 110)).toEqual(["a = b , _ c = d , _", "e = f"]);
    expect(lines("a = b + c _ d = e", 70, false)).toEqual(["a = b + c _", "d = e"]);
    expect(lines("a = b + c", 30, false)).toEqual(["a = b + c"]);
  });
  test("breaks within brackets only if nothing outside fits", () => {
    expect(lines("a + ( b + c ) + e", 80)).toEqual(["a + ( b + c )", "+ e"]);
  });
  test("does not leave a short left side alone if a bracket can be broken", () => {
    expect(lines("a = m ( n - p , q )", 80)).toEqual(["a = m ( n - p ,", "q )"]);
  });
  test("breaks after a comma", () => {
    expect(lines("a ⋅ b , c ⋅ d", 50)).toEqual(["a ⋅ b ,", "c ⋅ d"]);
  });
  test("leaves a piece that cannot be broken as it is", () => {
    expect(lines("a ⋅ b ⋅ c", 20)).toEqual(["a ⋅ b ⋅ c"]);
  });
});

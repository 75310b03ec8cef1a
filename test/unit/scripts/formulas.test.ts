import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../../scripts/lib/bundles.ts";
import { relativePath } from "../../../scripts/lib/formulas/compactSvg.ts";
import { typeset } from "../../../scripts/lib/formulas/typeset.ts";
import { listFormulas } from "../../../scripts/lib/formulas.ts";

/** End points of a path's curves, however it is written. */
function pointsOf(path: string): [number, number][] {
  const points: [number, number][] = [];
  const lengths: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2 };
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, command = "", rest = ""] of path.matchAll(/([a-z])([^a-z]*)/gi)) {
    const kind = command.toLowerCase();
    const relative = command === kind;
    if (kind === "z") [x, y] = [startX, startY];
    const numbers = (rest.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const length = lengths[kind] ?? 1;
    for (let at = 0; at < numbers.length; at += length) {
      const [first = 0, second = 0] = numbers.slice(at + Math.max(0, length - 2), at + length);
      const [a, b] =
        kind === "v" ? [relative ? 0 : x, first] : kind === "h" ? [first, relative ? 0 : y] : [first, second];
      [x, y] = relative ? [x + a, y + b] : [a, b];
      if (kind === "m" && at === 0) [startX, startY] = [x, y];
      points.push([x, y]);
    }
  }
  return points;
}

describe("compact paths", () => {
  test.each([
    "M10 20L30 40Z",
    "M164-11C209-11 256 16 302 70C382 163 455 335 455 498Z",
    "M698 270L80 270C64 270 56 263 56 250ZM10 10H90V-30Q5 6 7 8T9-1.5S1 2 3 4Z",
  ])("go through the points of %s", (source) => {
    const wanted = pointsOf(source);
    const found = pointsOf(relativePath(source, 0.25, -0.25));
    expect(found).toHaveLength(wanted.length);
    for (const [index, [x, y]] of found.entries()) {
      const [wantedX = Number.NaN, wantedY = Number.NaN] = wanted[index] ?? [];
      // Rounded once to whole units, never adding up.
      expect(Math.abs(x - wantedX * 0.25)).toBeLessThanOrEqual(0.5);
      expect(Math.abs(y - wantedY * -0.25)).toBeLessThanOrEqual(0.5);
    }
  });

  test("refuse commands that they do not know", () => {
    expect(() => relativePath("M0 0A1 1 0 0 0 2 2", 1, 1)).toThrow("A");
  });
});

describe("typesetting", () => {
  test("gives a sized picture in one colour, without fonts", async () => {
    const { svg, width, height } = await typeset(String.raw`\frac{\mathbf q_i^\top \mathbf k_j}{\sqrt d}`);
    expect(svg).toContain(`width="${width}" height="${height}"`);
    expect(svg).toContain('fill="currentColor"');
    expect(svg).not.toMatch(/<text|font-family|style=|href="(?!#)/);
  });

  test("scales what is wide down to the width of a hover", async () => {
    const { width } = await typeset(Array.from({ length: 60 }, (_, k) => `x_{${k}}`).join("+"));
    expect(width).toBe(440);
  });

  test("gives MathML with letters that browsers know", async () => {
    const { mathml } = await typeset(String.raw`\mathbf{q} \in \mathbb{R}^d`);
    expect(mathml).toContain("<mi>𝐪</mi>");
    expect(mathml).toContain("<mi>ℝ</mi>");
    expect(mathml).not.toContain("data-");
  });

  test("says what TeX does not understand", async () => {
    await expect(typeset(String.raw`\notacommand{x}`)).rejects.toThrow("notacommand");
  });
});

describe("every formula", () => {
  const formulas = listFormulas();

  test("has its picture, and its MathML for the page", () => {
    const mathml: Record<string, string> = JSON.parse(
      readFileSync(path.join(root, "webview/generated/mathml.json"), "utf8"),
    );
    for (const { id } of formulas) {
      expect(readFileSync(path.join(root, `media/formulas/${id}.svg`), "utf8"), id).toContain("currentColor");
      expect(mathml[id], id).toMatch(/^<math .*<\/math>$/s);
    }
  });

  test("fits a hover beside an open panel at the size of the others", () => {
    for (const { id } of formulas) {
      const svg = readFileSync(path.join(root, `media/formulas/${id}.svg`), "utf8");
      const [, width, box] = /width="(\d+)" height="\d+" viewBox="0 0 (\d+)/.exec(svg) ?? [];
      expect(Number(width), id).toBeLessThanOrEqual(440);
      // 250 units an em and 17 px an em, where nothing had to be scaled down.
      expect(Number(box) * (17 / 250), id).toBeLessThanOrEqual(441);
    }
  });
});

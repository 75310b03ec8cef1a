import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { typeset } from "../../../scripts/lib/formulas/typeset.ts";
import { HOVER_FORMULAS, listFormulas } from "../../../scripts/lib/formulas.ts";
import { root } from "../../../scripts/lib/root.ts";

describe("typesetting", () => {
  test("produces a sized picture in one colour without fonts", async () => {
    const { svg, width, height } = await typeset(String.raw`\frac{\mathbf q_i^\top \mathbf k_j}{\sqrt d}`);
    expect(svg).toMatch(new RegExp(`^<svg [^>]*width="${width}"[^>]*height="${height}"`));
    expect(svg).toContain('fill="currentColor"');
    expect(svg).not.toMatch(/<text|font-family|style=|href="(?!#)/);
  });

  test("scales wide formulas to the width of a hover", async () => {
    const { width } = await typeset(Array.from({ length: 60 }, (_, k) => `x_{${k}}`).join("+"));
    expect(width).toBe(440);
  });

  test("produces MathML with letters that browsers support", async () => {
    const { mathml } = await typeset(String.raw`\mathbf{q} \in \mathbb{R}^d`);
    expect(mathml).toContain("<mi>𝐪</mi>");
    expect(mathml).toContain("<mi>ℝ</mi>");
    expect(mathml).not.toContain("data-");
  });

  test("reports TeX that it cannot parse", async () => {
    await expect(typeset(String.raw`\notacommand{x}`)).rejects.toThrow("notacommand");
  });
});

describe("every formula", () => {
  const formulas = listFormulas();

  test("has a picture, and MathML for the page", () => {
    const mathml: Record<string, string> = JSON.parse(
      readFileSync(path.join(root, "webview/generated/mathml.json"), "utf8"),
    );
    for (const { id } of formulas) {
      expect(readFileSync(path.join(root, `media/formulas/${id}.svg`), "utf8"), id).toContain("currentColor");
      if (!HOVER_FORMULAS.has(id)) expect(mathml[id], id).toMatch(/^<m(?!ath).*>$/s);
    }
  });

  test("fits a hover next to an open panel at the common size", () => {
    for (const { id } of formulas) {
      const svg = readFileSync(path.join(root, `media/formulas/${id}.svg`), "utf8");
      const width = /(?<= )width="(\d+)"/.exec(svg)?.[1];
      const box = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+)/.exec(svg)?.[1];
      expect(Number(width), id).toBeLessThanOrEqual(440);
      // 1000 units per em and 17 px per em, unless the formula was scaled down.
      expect(Number(box) * (17 / 1000), id).toBeLessThanOrEqual(441);
    }
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../../../scripts/lib/root.ts";
import { buildCodeHover } from "../../../../src/core/hover/codeHover.ts";
import { openSource } from "../../../../src/core/python/sourceFile.ts";

interface FormulaData {
  readonly positives: readonly {
    readonly source: string;
    /** What the note is about, if short formulas need it. */
    readonly heading?: string;
    readonly formulas: readonly {
      readonly encoding: string;
      readonly rope_type?: string;
      /** Numbers that the formula gives. */
      readonly params?: Readonly<Record<string, number>>;
      readonly tex: string;
    }[];
  }[];
  readonly negatives: readonly string[];
}

const data: FormulaData = JSON.parse(readFileSync(path.join(root, "test/fixtures/formulas.json"), "utf8"));

/** What a note about the subject says of a formula. */
function explain(tex: string, heading: string): ReturnType<ReturnType<typeof openSource>["explain"]> {
  const file = openSource("note.md", `# ${heading}\n\n$$\n${tex}\n$$\n`);
  return file.explain({ line: 4, column: 1 + Math.floor(tex.length / 2) }) ?? file.explain({ line: 4, column: 2 });
}

describe("formulas of position encodings", () => {
  test("come from many sources", () => {
    expect(data.positives.flatMap(({ source }) => source.split(/[;,] /)).length).toBeGreaterThan(60);
    expect(data.positives.flatMap(({ formulas }) => formulas).length).toBeGreaterThan(200);
    expect(data.negatives.length).toBeGreaterThan(100);
  });

  test.each(data.positives)("are recognised: $source", ({ formulas, heading = "Position encodings in attention" }) => {
    for (const { encoding, rope_type, params = {}, tex } of formulas) {
      const found = explain(tex, heading);
      expect([found?.spec.encoding, found?.ropeType ?? undefined], tex).toEqual([encoding, rope_type]);
      expect(found?.spec.params, tex).toMatchObject(params);
    }
  });

  test.each(["Notes", "Attention in Transformers"])("are not seen in formulas of other fields: %s", (heading) => {
    const seen = data.negatives.filter((tex) => explain(tex, heading) !== null);
    // Under a heading about attention, a kernel with a number per pair reads like a score, and sines like positions.
    expect(seen.length / data.negatives.length).toBeLessThanOrEqual(heading === "Notes" ? 0 : 0.02);
  });
});

/** The explanation at a marker `|` in a formula, and the text that its range covers. */
function atCursor(marked: string): { encoding: string; covered: string; facts: readonly string[] } | null {
  const column = marked.indexOf("¦");
  const tex = marked.replace("¦", "");
  const found = openSource("a.tex", `\\[ ${tex} \\]`).explain({ line: 1, column: column + 4 });
  if (found === null) return null;
  const { start, end } = found.range;
  const hover = buildCodeHover(found, { panel: () => "command:x" });
  return {
    encoding: found.spec.encoding,
    covered: `\\[ ${tex} \\]`.slice(start.column - 1, end.column - 1),
    facts: hover.facts.map(({ label, value, note }) => [label, value, note].filter(Boolean).join(" | ")),
  };
}

describe("a formula's hover", () => {
  test("says which term is under the cursor, and what becomes of it elsewhere", () => {
    const found = atCursor(
      "x_i W_Q W_K^\\top x_j^\\top + x_i W_Q W_K^\\top ¦p_j^\\top + p_i W_Q W_K^\\top x_j^\\top + p_i W_Q W_K^\\top p_j^\\top",
    );
    expect(found?.encoding).toBe("absolute_expansion");
    expect(found?.facts[0]).toMatch(
      /^under the cursor \| content · position \| changed by .*DeBERTa.*; dropped by .*T5/,
    );
    expect(found?.facts[1]).toBe(
      "kept | content · content, content · position, position · content, position · position",
    );
  });

  test("shows a subset of the terms as what it is", () => {
    const found = atCursor("¦x_i W_Q W_K^\\top x_j^\\top + p_i W_Q W_K^\\top p_j^\\top");
    expect(found?.facts.slice(-2)).toEqual([
      "kept | content · content, position · position",
      "dropped | content · position, position · content",
    ]);
  });

  test("shows a relative encoding as the expansion with its changed letters", () => {
    const source = openSource("a.md", "$x_i W_Q W_K^\\top x_j^\\top + \\beta_{i,j}$");
    const found = source.explain({ line: 1, column: 10 });
    const hover = found === null ? null : buildCodeHover(found, { panel: () => "command:x" });
    expect(hover?.formula).toMatchObject({ id: "terms_t5_bias" });
    expect(hover?.formula?.tex).toContain("\\mathbf");
    expect(hover?.links[0]?.label).toBe("Open in Panel");
  });

  test("belongs to its line in a derivation", () => {
    const lines =
      "\\begin{aligned} s_{ij} &= x_i W_Q W_K^\\top x_j^\\top + ¦\\beta_{i,j} \\\\ \\theta_i &= 10000^{-2i/d} \\end{aligned}";
    expect(atCursor(lines)).toMatchObject({
      encoding: "t5_bias",
      covered: expect.stringMatching(/^s_\{ij\}.*\\beta_\{i,j\}$/),
    });
    expect(atCursor(lines.replace("¦", "").replace("10000", "10¦000"))).toMatchObject({
      encoding: "rope",
      covered: "\\theta_i &= 10000^{-2i/d}",
    });
  });

  test.each([
    ["\\theta_i = 500000^{-2i/128}", { rope_theta: 500_000, head_dim: 128 }],
    ["PE_{(pos,2i)} = \\sin(pos/10^{4 \\cdot 2i/d})", {}],
    ["PE_{(pos,2i)} = \\sin(pos/100^{2i/512})", { base: 100, hidden_size: 512 }],
    ["m_h = 2^{-8h/16}", { num_heads: 16 }],
    ["\\theta_i' = \\theta_i / 8", { factor: 8 }],
    ["b' = 10000 \\cdot 4^{128/126}", { rope_theta: 10_000, factor: 4 }],
  ])("reads numbers: %s", (tex, params) => {
    expect(explain(tex, "Notes")?.spec.params ?? {}).toMatchObject(params);
  });

  test("reads macros that the document defines", () => {
    const text =
      "\\newcommand{\\pos}[1]{\\mathbf{p}_{#1}}\n\\def\\x{\\bm{x}}\n\\[ (\\x_i + \\pos{i}) W_Q ((\\x_j + \\pos{j}) W_K)^\\top \\]\n";
    expect(openSource("a.tex", text).explain({ line: 3, column: 8 })?.spec.encoding).toBe("absolute_expansion");
  });

  test("is answered for half-typed formulas", () => {
    for (const tex of [
      "\\theta_i = 10000^{-2i/d",
      "\\frac{pos}{10000^{2i/d",
      "\\begin{pmatrix} \\cos m\\theta_1",
      "q_i \\cdot r_{i-",
    ])
      expect(() => explain(tex, "Notes"), tex).not.toThrow();
    expect(
      openSource("a.md", "$$\n\\theta_i = 10000^{-2i/d\n\ntext").explain({ line: 2, column: 3 })?.spec.encoding,
    ).toBe("rope");
  });
});

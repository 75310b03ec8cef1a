import { describe, expect, test } from "vitest";
import type { FormulaDocument } from "../../../../src/core/formula/documents/formulaSpan.ts";
import { MarkdownDocument } from "../../../../src/core/formula/documents/markdownDocument.ts";
import { pythonFormulaAt } from "../../../../src/core/formula/documents/pythonProse.ts";
import { RstDocument } from "../../../../src/core/formula/documents/rstDocument.ts";
import { TexDocument } from "../../../../src/core/formula/documents/texDocument.ts";
import { createPythonDocument } from "../../../../src/core/python/document.ts";
import { openSource } from "../../../../src/core/python/sourceFile.ts";

const TICK = "`";

/** The formulas of a document, in order. */
function listFormulas(document: Pick<FormulaDocument, "text" | "formulaAt">): string[] {
  const found: string[] = [];
  let last = -1;
  for (let offset = 0; offset <= document.text.length; offset++) {
    const formula = document.formulaAt(offset);
    if (formula === null || formula.from === last) continue;
    last = formula.from;
    found.push(formula.tex.replace(/\s+/g, " "));
    expect(formula.tex).toHaveLength(formula.to - formula.from);
  }
  return found;
}

const inMarkdown = (text: string) => listFormulas(MarkdownDocument.parse(text));

describe("formulas of Markdown", () => {
  test.each([
    ["inline and display", "a $x_i$ b $$y = z$$ c", ["x_i", "y = z"]],
    ["TeX's delimiters, also with two backslashes", "\\(a\\) \\[b\\] \\\\(c\\\\) \\\\[d\\\\]", ["a", "b", "c", "d"]],
    [
      "display formulas whose lines look like lists, quotes or headings",
      "$$\na\n+ b\n= c\n- d\n> e\n$$",
      ["a + b = c - d > e"],
    ],
    ["a display formula that begins inside a paragraph", "text $$\na = b\n$$\nmore $c$", ["a = b", "c"]],
    ["environments, with blank lines", "\\begin{align}\na &= b \\\\\n\n&= c\n\\end{align}\n", ["a &= b \\\\ &= c"]],
    ["quotes", "> text\n> $$\n> a\n> + b\n> $$\n", ["a + b"]],
    ["lists", "1. one $a$\n   $$\n   b\n   $$\n- $c$", ["a", "b", "c"]],
    ["tables", "| h | i |\n|---|---|\n| $a_1$ | $b$ |\n", ["a_1", "b"]],
    ["Chinese without spaces", "向量$p_i$与$q$。", ["p_i", "q"]],
    ["GitHub's forms", `${TICK.repeat(3)}math\na\n${TICK.repeat(3)}\n\n$${TICK}b${TICK}$`, ["a", "b"]],
    [
      "MyST's forms",
      `{math}${TICK}a${TICK}\n\n:::{math}\n:label: e\nb\n:::\n\n${TICK.repeat(3)}{math}\n:label: f\n\nc\n${TICK.repeat(3)}\n`,
      ["a", "b", "c"],
    ],
    ["Quarto's labels", "$$ a = b $$ {#eq-one}\n\n$c$", ["a = b", "c"]],
    ["HTML blocks", '<p align="center">\n$$a$$ and \\(b\\)\n</p>\n', ["a", "b"]],
  ])("%s", (_, text, formulas) => {
    expect(inMarkdown(text)).toEqual(formulas);
  });

  test.each([
    ["currency", "It costs $5 and $10, or 5$ and 10$."],
    ["shell variables", "Set $HOME and $PATH, $HOME/bin:$PATH."],
    ["escaped dollars", "\\$a\\$ and \\\\$5"],
    ["inline code", `${TICK}$a$${TICK} and ${TICK}\\(b\\)${TICK}`],
    ["fences", `${TICK.repeat(3)}tex\n$$a$$\n${TICK.repeat(3)}\n~~~\n$b$\n~~~\n`],
    ["indented code", "text\n\n    $a$\n    echo $x\n"],
    ["empty dollars", "$$ $$ and $ $"],
  ])("are not %s", (_, text) => {
    expect(inMarkdown(text)).toEqual([]);
  });

  test("a half-typed formula does not change those after its paragraph", () => {
    expect(inMarkdown("$$\na = \n\ntext $b$\n\n$$c$$")).toEqual(["a =", "b", "c"]);
    expect(inMarkdown("one $a\n\ntwo $b$")).toEqual(["b"]);
    expect(inMarkdown("\\begin{align} a\n\n$b$")).toEqual(["a", "b"]);
  });

  test("belong to the place under the cursor only", () => {
    const text = "Text $a$ and\n\nprose $b$ end";
    const document = MarkdownDocument.parse(text);
    expect(document.formulaAt(text.indexOf("Text"))).toBeNull();
    expect(document.formulaAt(text.indexOf("prose"))).toBeNull();
    expect(document.formulaAt(text.length)).toBeNull();
    expect(document.formulaAt(text.indexOf("$b") + 1)?.tex).toBe("b");
  });

  test("are the same after edits as in a new document", () => {
    const lines = Array.from({ length: 60 }, (_, k) =>
      k % 7 === 0 ? `$$\nx_{${k}}\n$$` : `- text $y_{${k}}$ costs $${k}`,
    );
    let document = MarkdownDocument.parse(lines.join("\n\n"));
    const edits: [number, number, string][] = [
      [100, 0, "$"],
      [101, 1, ""],
      [200, 3, "$$\n"],
      [40, 0, "```\n"],
      [300, 0, "\\begin{align}"],
      [40, 4, ""],
      [0, 10, ""],
    ];
    for (const [at, removed, added] of edits) {
      document = document.withText(document.text.slice(0, at) + added + document.text.slice(at + removed));
      expect(listFormulas(document)).toEqual(inMarkdown(document.text));
    }
  });
});

describe("formulas of TeX", () => {
  const inTex = (text: string) => listFormulas(new TexDocument(text));

  test.each([
    ["inline and display", "a $x$ \\(y\\) $$z$$ \\[w\\]", ["x", "y", "z", "w"]],
    [
      "environments, starred or not",
      "\\begin{equation*}a\\end{equation*} \\begin{gather}b\\end{gather}\\begin{multline}c\\end{multline}",
      ["a", "b", "c"],
    ],
    [
      "nested environments",
      "\\begin{equation}\\begin{aligned}a\\\\b\\end{aligned}\\end{equation}",
      ["\\begin{aligned}a\\\\b\\end{aligned}"],
    ],
    ["columns of alignat", "\\begin{alignat}{2}a &= b\\end{alignat}", ["a &= b"]],
    ["text inside", "\\[ a \\text{ if $b$} \\] $c$", ["a \\text{ if $b$}", "c"]],
  ])("%s", (_, text, formulas) => {
    expect(inTex(text)).toEqual(formulas);
  });

  test.each([
    ["comments", "% $a$\ntext % \\[b\\]\n"],
    ["verbatim text", "\\verb|$a$| \\begin{verbatim}$b$\\end{verbatim}\\begin{lstlisting}\n$c$\n\\end{lstlisting}"],
    ["escaped dollars", "\\$5 and \\$6"],
  ])("are not %s", (_, text) => {
    expect(inTex(text)).toEqual([]);
  });

  test("a missing dollar spoils its own paragraph only", () => {
    expect(inTex("one $a\n\ntwo $b$ three")).toEqual(["b"]);
    expect(inTex("\\begin{align}a = b\n\n$c$ and $d$")).toEqual(["a = b", "c", "d"]);
  });
});

test("formulas of reStructuredText: roles and directives, not literals", () => {
  const text =
    "A :math:`x_i` and ``:math:`no` ``.\n\n.. math::\n   :label: eq\n\n   a = b\n\n   + c\n\nText::\n\n   $no$ :math:`no`\n\n.. code-block:: python\n\n   :math:`no`\n\n.. math:: d\n";
  expect(listFormulas(new RstDocument(text))).toEqual(["x_i", "a = b + c", "d"]);
});

describe("formulas of Python", () => {
  const list = (text: string) => {
    const document = createPythonDocument(text);
    return listFormulas({ text, formulaAt: (offset) => pythonFormulaAt(document, offset) });
  };

  test("in docstrings and comments", () => {
    const text =
      'def f(x):\n    r"""Uses :math:`\\theta_i` and $a$.\n\n    .. math::\n        b = c\n    """\n    # The angle $$\n    # d\n    # $$ of \\(e\\)\n    return x  # $g$\n';
    expect(list(text)).toEqual(["\\theta_i", "a", "b = c", "# d #".replaceAll("#", " ").trim(), "e", "g"]);
  });

  test("with doubled backslashes", () => {
    expect(list('"""$\\\\sin x$"""')).toEqual(["\\sin x"]);
  });

  test("not in code", () => {
    expect(list("a = b\n")).toEqual([]);
  });
});

test("a notebook's Markdown cells have formulas at their places in the JSON", () => {
  const source = ["# Angles\n", "Here $\\theta_i = 10000^{-2i/d}$ rotates."];
  const notebook = JSON.stringify(
    {
      cells: [
        { cell_type: "markdown", source },
        { cell_type: "code", source: ["x = 1"] },
      ],
    },
    null,
    1,
  );
  const lines = notebook.split("\n");
  const line = lines.findIndex((text) => text.includes("theta"));
  const column = (lines[line] ?? "").indexOf("10000");
  const found = openSource("a.ipynb", notebook).explain({ line: line + 1, column: column + 1 });
  expect(found?.spec).toMatchObject({ encoding: "rope", params: { rope_theta: 10_000 } });
  const { start, end } = found?.range ?? { start: { column: 0 }, end: { column: 0 } };
  expect((lines[line] ?? "").slice(start.column - 1, end.column - 1)).toBe("\\\\theta_i = 10000^{-2i/d}");
  const [value] = found?.spec.evidence ?? [];
  expect((lines[line] ?? "").slice((value?.range.start.column ?? 0) - 1, (value?.range.end.column ?? 0) - 1)).toBe(
    "10000",
  );
  expect(openSource("a.ipynb", notebook).explain({ line: line + 1, column: 10 })).toBeNull();
});

test("a document of 10,000 lines is parsed again in at most 20 ms after a keystroke", () => {
  const paragraph =
    "Some prose with $x_i + p_i$ and more of it, up to the end of the line here.\n\n- item $a$\n- b\n\n";
  let document = MarkdownDocument.parse(paragraph.repeat(2000));
  const times: number[] = [];
  for (let key = 0; key < 15; key++) {
    const at = 30_000 * (key % 5) + 500;
    const text = `${document.text.slice(0, at)}x${document.text.slice(at)}`;
    const start = performance.now();
    document = document.withText(text);
    document.formulaAt(at);
    times.push(performance.now() - start);
  }
  // The fastest of several runs: other processes slow single ones down.
  expect(Math.min(...times)).toBeLessThan(20);
});

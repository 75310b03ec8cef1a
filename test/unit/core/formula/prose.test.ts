import { describe, expect, it } from "vitest";
import { MarkdownDocument } from "../../../../src/core/formula/documents/markdownDocument.ts";
import { ProseDocument } from "../../../../src/core/formula/proseDocument.ts";
import { openSource } from "../../../../src/core/python/sourceFile.ts";

function inTex(tex: string): unknown {
  const text = `Before $x$ and\n\\[ ${tex} \\]\nafter.`;
  const found = ProseDocument.parse("tex", text).explainAt(text.indexOf(tex) + 2);
  return found === null
    ? null
    : [found.spec.encoding, found.ropeType, found.spec.params.base ?? found.spec.params.rope_theta ?? null];
}

describe("a formula in prose", () => {
  it.each([
    [String.raw`PE_{(pos,2i)} = \sin(pos/10000^{2i/d_{\text{model}}})`, ["sinusoidal", null, 10_000]],
    [String.raw`PE(pos, 2i+1) = \cos\left(\frac{pos}{10000^{2i/d}}\right)`, ["sinusoidal", null, 10_000]],
    [
      String.raw`p_{k,2i} = \sin \left( k / 10^{4}^{\frac{2i}{d}} \right), p_{k,2i+1} = \cos (k/10000^{\frac{2i}{d}})`,
      ["sinusoidal", null, 10_000],
    ],
    [String.raw`\Theta = \{\theta_i = 10000^{-2(i-1)/d}, i \in [1, 2, \dots, d/2]\}`, ["rope", null, 10_000]],
    [String.raw`\theta_j = 500{,}000^{-2j/d}`, ["rope", null, 500_000]],
    [
      String.raw`R^d_{\Theta,m} = \begin{pmatrix} \cos m\theta_1 & -\sin m\theta_1 \\ \sin m\theta_1 & \cos m\theta_1 \end{pmatrix}`,
      ["rope", null, null],
    ],
    [String.raw`f(x, m) = (W x) e^{i m \theta}`, ["rope", null, null]],
    [String.raw`b' = b \cdot s^{\frac{|D|}{|D|-2}}`.replaceAll("|D|", "d"), ["rope", "ntk", null]],
    [String.raw`\sqrt{1/t} = 0.1 \ln(s) + 1`, ["rope", "yarn", null]],
    ["m_h = 2^{-8h/n}", ["alibi", null, null]],
    [String.raw`a^K_{ij} = w^K_{\mathrm{clip}(j-i, -k, k)}`, ["shaw", null, null]],
    [String.raw`q_i^\top W_{k,R} R_{i-j} + u^\top W_{k,E} x_j`, ["transformer_xl", null, null]],
    [String.raw`-r_1 \log(1 + r_2 |m - n|)`, ["kerple", null, null]],
    [String.raw`f_\theta\left(\frac{\psi(i-j)}{\psi(\max\{L, i\})}\right)`, ["fire", null, null]],
  ])("is recognised: %s", (tex, expected) => {
    expect(inTex(tex)).toEqual(expected);
  });

  it.each([
    String.raw`\sin^2 x + \cos^2 x = 1`,
    "y = 10000^{2}",
    String.raw`\mathrm{softmax}(QK^\top / \sqrt{d_k}) V`,
    String.raw`x' = x \cos\phi - y \sin\phi`,
    String.raw`\eta_t = \eta_0 \cos(\pi t / T)`,
  ])("is not recognised in %s", (tex) => {
    expect(inTex(tex)).toBeNull();
  });

  it("is recognised only in formula delimiters", () => {
    const text = "sin(pos/10000^{2i/d}) and $x$";
    expect(ProseDocument.parse("markdown", text).explainAt(6)).toBeNull();
  });

  it("is bounded in any text", () => {
    const text = `${"$ \\sin ".repeat(20_000)}\\begin{align}`;
    expect(() => ProseDocument.parse("tex", text).explainAt(70_000)).not.toThrow();
  });
});

describe("Markdown", () => {
  const text =
    "# Title\n\n```python\ninv_freq = 1.0 / (10000 ** (torch.arange(0, 64, 2) / 64))\n```\n\n```js\nconst inv_freq = 1\n```\ninv_freq\n";

  it("keeps offsets", () => {
    const python = MarkdownDocument.parse(text).extractPython();
    expect(python.length).toBe(text.length);
    expect(python.indexOf("inv_freq")).toBe(text.indexOf("inv_freq"));
    expect(python.trim()).toBe("inv_freq = 1.0 / (10000 ** (torch.arange(0, 64, 2) / 64))");
  });

  it("has hovers only in Python fences", () => {
    const file = openSource("a.md", text);
    expect(file.explain({ line: 4, column: 3 })?.spec.params).toMatchObject({ rope_theta: 10_000, head_dim: 64 });
    expect(file.explain({ line: 8, column: 9 })).toBeNull();
    expect(file.explain({ line: 10, column: 3 })).toBeNull();
  });

  it("has hovers in fences inside lists and quotes", () => {
    const quoted = "- a\n  ```py\n  def rotate_half(x):\n      return x\n  ```\n> ~~~python\n> alibi = 1\n> ~~~\n";
    const file = openSource("a.md", quoted);
    expect(file.explain({ line: 3, column: 8 })?.spec.encoding).toBe("rope");
    expect(file.explain({ line: 7, column: 4 })?.spec.encoding).toBe("alibi");
  });
});

describe("a notebook", () => {
  const notebook = JSON.stringify(
    {
      cells: [
        { cell_type: "markdown", source: ["inv_freq\n"] },
        { cell_type: "code", source: ["%matplotlib inline\n", "BASE = 10000\n"] },
        { cell_type: "code", source: ['s = "é\\t"\n', "inv_freq = BASE ** (-torch.arange(0, 64, 2) / 64)  # rope\n"] },
      ],
    },
    null,
    1,
  );
  const place = (word: string) => {
    const offset = notebook.lastIndexOf(word);
    const before = notebook.slice(0, offset);
    return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
  };

  it("maps places of the raw JSON to cells, which share names", () => {
    const file = openSource("a.ipynb", notebook);
    expect(file.explain(place("inv_freq"))?.spec.params).toMatchObject({ rope_theta: 10_000, head_dim: 64 });
    expect(file.explain(place("rope"))).toBeNull();
    expect(file.explain({ line: 1, column: 1 })).toBeNull();
  });

  it("uses definitions of earlier cells, and only of Python cells without errors", () => {
    const frequencies = "inv_freq = BASE ** (-torch.arange(0, 64, 2) / 64)\n";
    const sources = [
      "BASE = 111\n",
      `${frequencies}x = f(`,
      "BASE = 222",
      "%%bash\nBASE = 5",
      frequencies,
      "BASE = 333",
    ];
    const written = JSON.stringify({ cells: sources.map((source) => ({ cell_type: "code", source })) }, null, 1);
    const file = openSource("a.ipynb", written);
    const bases = [...written.matchAll(/inv_freq/g)].map(({ index }) => {
      const before = written.slice(0, index);
      const position = { line: before.split("\n").length, column: index - before.lastIndexOf("\n") };
      return file.explain(position)?.spec.params.rope_theta;
    });
    expect(bases).toEqual([111, 222]);
  });

  it("that is malformed gives nothing", () => {
    expect(openSource("a.ipynb", notebook.slice(0, 40)).explain({ line: 3, column: 10 })).toBeNull();
    expect(openSource("a.ipynb", "[]").explain({ line: 1, column: 1 })).toBeNull();
  });
});

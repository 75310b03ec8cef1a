import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runExplain } from "../../../../src/cli/explain.ts";
import { buildCodeHover } from "../../../../src/core/hover/codeHover.ts";
import { escapeMarkdown } from "../../../../src/core/hover/escape.ts";
import {
  type HoverContent,
  type HoverOptions,
  MAX_HOVER_LENGTH,
  renderHover,
} from "../../../../src/core/hover/hoverMarkdown.ts";
import { createPythonDocument } from "../../../../src/core/python/document.ts";
import { explainAt, findEncodingSites } from "../../../../src/core/python/explain.ts";

const ROTARY = `class Rotary(nn.Module):
    def __init__(self, dim=128, base=500_000.0):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq)


def rotate_half(x):
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)
`;

const plain: HoverOptions = { sections: "full", image: () => null };

function content(code: string, word: string): HoverContent {
  const found = explainAt(createPythonDocument(code), code.indexOf(word));
  if (found === null) throw new Error(`nothing at ${word}`);
  return buildCodeHover(found, {
    panel: (_, view) => `command:posenc.open?%5B${view === undefined ? 1 : `%22${view}%22`}%5D`,
  });
}

function facts(code: string, word: string): Record<string, string> {
  return Object.fromEntries(
    content(code, word).facts.map((fact) => [
      fact.label,
      fact.note === undefined ? fact.value : `${fact.value} (${fact.note})`,
    ]),
  );
}

describe("a hover over inverse frequencies", () => {
  it("shows values with their places, shape, wavelengths and layout", () => {
    const found = facts(ROTARY, "inv_freq");
    expect(found["base θ"]).toBe("500\u00a0000 (default argument)");
    expect(found["head dimension d"]).toBe("128 → 64 pairs (default argument)");
    expect(found.shape).toBe("(64,)");
    // 2π · 500000^(126/128) = 2 559 149.98…
    expect(found.wavelengths).toBe("6.28 … 2.56 M tokens");
    expect(found["pair layout"]).toMatch(/^half-split \(line 9: x\[/);
    expect(found.pairs).toBe("(0, 64) (1, 65) … (63, 127)");
  });

  it("has a title, the formula as text, and links", () => {
    const made = content(ROTARY, "inv_freq");
    expect(made.title).toBe("RoPE — inverse frequencies");
    const markdown = renderHover(made, plain);
    expect(markdown).toMatch(/^\*\*RoPE — inverse frequencies\*\* · on queries and keys · relative via absolute\n/);
    expect(markdown).toContain("[Open in Panel](command:posenc.open?%5B1%5D)");
    expect(markdown).toContain("(https://arxiv.org/abs/2104.09864)");
    expect(made.formula === null ? "" : markdown).toContain(escapeMarkdown(made.formula?.text ?? "–"));
  });

  it("links to the panel view of this code", () => {
    const views = (code: string, word: string) =>
      content(code, word).links.flatMap(({ label, target }) => (target.includes("%22") ? [`${label} ${target}`] : []));
    expect(views(ROTARY, "inv_freq")).toEqual(["Frequencies command:posenc.open?%5B%22frequencies%22%5D"]);
    expect(views(ROTARY, "rotate_half")).toEqual(["Rotation command:posenc.open?%5B%22rotation%22%5D"]);
    expect(views("wpe = nn.Embedding(1024, 768)\n", "wpe")).toEqual([]);
  });

  it("shows the formula of the code and its values before any prose", () => {
    const made = content(ROTARY, "inv_freq");
    expect(made.formula?.id).toBe("rope_frequencies");
    const markdown = renderHover(made, plain);
    const places = [made.formula?.text ?? "–", "500\u00a0000", made.summary].map((text) => {
      return markdown.indexOf(escapeMarkdown(text));
    });
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    const slopes = content(
      "def get_slopes(n):\n    return [2 ** (-8 * (i + 1) / n) for i in range(n)]\n",
      "get_slopes",
    );
    expect(slopes.formula?.id).toBe("alibi_slopes");
  });

  it("keeps the formula of a scaling, which also concerns the frequencies", () => {
    const scaled =
      "def f(dim, base=10000.0, scaling_factor=8.0):\n    inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2) / dim))\n    inv_freq = inv_freq / scaling_factor\n    return inv_freq\n";
    expect(content(scaled, "inv_freq / scaling").formula?.id).toBe("rope_linear");
  });

  it("shows unknown values by their names", () => {
    const found = facts("inv_freq = 1.0 / (config.theta ** (torch.arange(0, d, 2) / d))\n", "inv_freq");
    expect(found["base θ"]).toBe("config.theta (not resolved in this file)");
    expect(found.wavelengths).toBeUndefined();
  });
});

describe("a code hover", () => {
  it("draws ALiBi's slopes", () => {
    const found = facts(
      "def get_slopes(n_heads=8):\n    start = 2 ** (-(2 ** -(math.log2(n_heads) - 3)))\n    return [start * start**i for i in range(n_heads)]\n",
      "start",
    );
    expect(found.slopes).toMatch(/^0\.5 … 0\.00390625 .*█.*▁$/);
  });

  it("lists where buckets start", () => {
    const found = facts(
      "def _relative_position_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):\n    return 0\n",
      "_relative",
    );
    expect(found["bucket boundaries"]).toMatch(/^0 1 2 3 4 5 6 7 8 12 16 23 32 46 64 91$/);
  });

  it("works with values that break the rules of the encoding", () => {
    const found = facts(ROTARY.replace("dim=128", "dim=127").replace("500_000.0", "1e400"), "inv_freq");
    expect(found.wavelengths).toBeUndefined();
  });
});

describe("hover Markdown", () => {
  const hostile = "](command:evil) **x** <img src=x> `a` | $(bug) \n# h";

  it("escapes text from files", () => {
    const fact = { label: hostile, value: hostile, note: hostile };
    const markdown = renderHover({ title: hostile, summary: hostile, formula: null, facts: [fact], links: [] }, plain);
    expect(markdown).not.toMatch(/(?<!\\)\]\(|(?<!\\)<|(?<!\\)`|(?<!\\)\$|^#/m);
    expect(markdown.split("\n").filter((line) => line.startsWith("| ") && line.length > 5)).toHaveLength(1);
  });

  it("escapes text from files next to a picture, too", () => {
    const image = { source: "data:image/png;base64,AAAA", width: 9, height: 9 };
    const fact = { label: hostile, value: `"'>\n\n${hostile}`, note: hostile };
    const markdown = renderHover(
      { title: "t", summary: "", formula: null, facts: [fact], links: [] },
      { ...plain, thumbnail: image },
    );
    const table = markdown.slice(markdown.indexOf("<table>"));
    expect(
      table.replace(
        /<\/?(?:table|tr|td|em)(?: rowspan="1")?>|<img src="data:image\/png;base64,AAAA" width="9" height="9" alt="[\w ]+">/g,
        "",
      ),
    ).not.toMatch(/[<>]/);
    expect(table).not.toMatch(/\n\s*\n(?=[\s\S]*<\/table>)/);
  });

  it("keeps facts short next to a tall picture", () => {
    const thumbnail = { source: "data:image/png;base64,AAAA", width: 96, height: 96 };
    const fact = { label: "a", value: "b" };
    const rows = (count: number) => {
      const facts = Array<typeof fact>(count).fill(fact);
      const markdown = renderHover(
        { title: "t", summary: "", formula: null, facts, links: [] },
        { ...plain, thumbnail },
      );
      const spanned = Number(/rowspan="(\d+)"/.exec(markdown)?.[1]);
      return [spanned, markdown.match(/<tr>/g)?.length];
    };
    expect([rows(2), rows(6)]).toEqual([
      [4, 4],
      [6, 6],
    ]);
  });

  it("does not let a link target end its link", () => {
    const link = { label: "a", target: 'command:x?")[b](command:evil) "t' };
    const markdown = renderHover({ title: "t", summary: "", formula: null, facts: [], links: [link] }, plain);
    expect(markdown.match(/\]\(/g)).toHaveLength(1);
  });

  it("has pictures with sizes, and omits them if they would not fit", () => {
    const made = content(ROTARY, "inv_freq");
    const image = { source: "data:image/svg+xml;base64,AAAA", width: 200.4, height: 40 };
    const withPicture = renderHover(made, {
      sections: "full",
      image: () => image,
      thumbnail: { ...image, width: 90 },
    });
    expect(withPicture).toContain("AAAA|width=200,height=40)");
    expect(withPicture).toContain('width="90" height="40"');
    const huge = renderHover(made, {
      sections: "full",
      image: () => ({ ...image, source: `data:image/png;base64,${"A".repeat(MAX_HOVER_LENGTH)}` }),
    });
    expect(huge.length).toBeLessThan(MAX_HOVER_LENGTH);
    expect(huge).not.toContain("base64");
  });

  it("is shorter in compact mode", () => {
    const made = content(ROTARY, "inv_freq");
    const compact = renderHover(made, { ...plain, sections: "compact" });
    expect(compact.length).toBeLessThan(renderHover(made, plain).length);
    expect(compact).toContain("base θ");
  });
});

describe("the sites of a file", () => {
  it("are its functions and classes with encodings", () => {
    const sites = findEncodingSites(
      createPythonDocument(`${ROTARY}\n\nclass Mlp(nn.Module):\n    def forward(self, x):\n        return x\n`),
    );
    expect(sites.map((site) => [site.name, site.spec.encoding, site.range.start.line])).toEqual([
      ["Rotary", "rope", 1],
      ["rotate_half", "rope", 8],
    ]);
  });
});

describe("posenc explain", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "posenc-explain-"));
  const file = path.join(folder, "model.py");
  writeFileSync(file, `\ufeff${ROTARY}`);
  afterAll(() => rmSync(folder, { recursive: true }));

  it("prints what the hover shows, or null", () => {
    const found = JSON.parse(runExplain({ place: `${file}:4:12`, points: undefined, json: true }).stdout);
    expect(found).toMatchObject({
      encoding: "rope",
      rope_type: "default",
      layout: "half",
      params: { rope_theta: 500_000, head_dim: 128 },
    });
    expect(Object.keys(found)).toEqual(["encoding", "rope_type", "layout", "title", "params", "range", "markdown"]);
    expect(found.range).toEqual({ start: { line: 4, column: 9 }, end: { line: 4, column: 17 } });
    expect(JSON.parse(runExplain({ place: `${file}:3:10`, points: undefined, json: true }).stdout)).toBeNull();
  });

  it("answers places in their order, with null for what cannot be read", () => {
    const points = path.join(folder, "points.json");
    const missing = path.join(folder, "missing.py");
    writeFileSync(
      points,
      JSON.stringify([
        { file, line: 8, column: 6 },
        { file: missing, line: 1, column: 1 },
        { file, line: 99, column: 1 },
      ]),
    );
    const result = runExplain({ place: undefined, points, json: true });
    const answers = JSON.parse(result.stdout);
    expect(answers.map((answer: { encoding: string } | null) => answer?.encoding ?? null)).toEqual([
      "rope",
      null,
      null,
    ]);
    expect(result.stderr).toContain(missing);
    expect(result.exitCode).toBe(2);
  });

  it("refuses an argument that is not a place", () => {
    expect(runExplain({ place: "model.py", points: undefined, json: true }).exitCode).toBe(2);
    expect(runExplain({ place: undefined, points: file, json: true }).exitCode).toBe(2);
  });
});

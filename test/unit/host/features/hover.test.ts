import { afterEach, describe, expect, it, vi } from "vitest";
import { URI } from "vscode-uri";
import * as feature from "../../../../src/host/features/hover/hover.ts";
import * as vscode from "../../stub/vscode.ts";
import { stub } from "../../stub/vscode.ts";
import { eventually } from "../../support/eventually.ts";
import { root as repository } from "../../support/files.ts";
import { freshPythonFeature } from "../../support/freshPythonFeature.ts";

const root = URI.file(repository);
afterEach(() => void vi.useRealTimers());
const python = freshPythonFeature(feature.register, root);

function write(path: string, text: string, time = 1): void {
  const name = URI.file(path).toString();
  stub.files.set(name, new TextEncoder().encode(text));
  stub.written.set(name, time);
}

/** The hover at the last place of a word. */
async function hoverOver(
  document: vscode.StubDocument,
  word: string,
  token = { isCancellationRequested: false },
): Promise<vscode.Hover | undefined> {
  const before = document.text.slice(0, document.text.lastIndexOf(word)).split("\n");
  const position = new vscode.Position(before.length - 1, (before.at(-1)?.length ?? 0) + 1);
  return (await stub.hovers[0]?.provideHover(document, position, token)) as vscode.Hover | undefined;
}

async function hoverAt(document: vscode.StubDocument, word: string): Promise<string> {
  return (await hoverOver(document, word))?.contents[0]?.value ?? "";
}

const rotary = (base: string) => `
class Spinner(nn.Module):
    def __init__(self, dim=96, base=${base}):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim)))

    def forward(self, x):
        freqs = torch.outer(torch.arange(x.shape[1]), self.inv_freq)
        return freqs.cos(), freqs.sin()
`;
const USE = "from .rotary import Spinner\nspin = Spinner()\n";

describe("a hover over an imported name", () => {
  it("reads the current file that a relative import names", async () => {
    write("/workspace/pkg/rotary.py", rotary("54321.0"));
    const document = stub.open("/workspace/pkg/model.py", "python", USE);
    expect(await hoverAt(document, "Spinner")).toMatch(/RoPE[\s\S]*54\s321/);
    write("/workspace/pkg/rotary.py", rotary("65432.0"), 2);
    expect(await hoverAt(document, "Spinner")).toMatch(/65\s432/);
  });

  it("prefers the text in an open editor to the saved file", async () => {
    write("/workspace/pkg/rotary.py", rotary("11111.0"));
    stub.open("/workspace/pkg/rotary.py", "python", rotary("22222.0"));
    expect(await hoverAt(stub.open("/workspace/pkg/model.py", "python", USE), "Spinner")).toMatch(/22\s222/);
  });

  it("finds packages, parent folders and files next to a notebook", async () => {
    write("/workspace/pkg/rotary/__init__.py", rotary("33333.0"));
    const above = USE.replace(".rotary", "..rotary");
    expect(await hoverAt(stub.open("/workspace/pkg/models/model.py", "python", above), "Spinner")).toMatch(/33\s333/);
    const uri = URI.parse("vscode-notebook-cell:/workspace/pkg/try.ipynb#c1");
    const cell = stub.open(uri, "python", USE);
    stub.notebook([cell]);
    expect(await hoverAt(cell, "Spinner")).toMatch(/33\s333/);
  });

  it("is absent if the file is missing or too large", async () => {
    const document = stub.open("/workspace/pkg/model.py", "python", USE);
    expect(await hoverAt(document, "Spinner")).toBe("");
    write("/workspace/pkg/rotary.py", rotary("44444.0") + " ".repeat(3 * 1024 * 1024));
    expect(await hoverAt(document, "Spinner")).toBe("");
  });
});

describe("a hover over code with an open value", () => {
  const code =
    "def f(config):\n    dim = config.head_dim\n    inv_freq = 1.0 / (config.rope_theta ** (torch.arange(0, dim, 2) / dim))\n";

  it("takes the value from the config in the same folder, with a note", async () => {
    const config = { model_type: "llama", hidden_size: 512, num_attention_heads: 8, rope_theta: 76543 };
    write("/workspace/m/config.json", JSON.stringify(config));
    const text = await hoverAt(stub.open("/workspace/m/modeling.py", "python", code), "inv_freq");
    expect(text).toMatch(/76\s543/);
    expect(text).toContain("config next to this file");
    expect(await hoverAt(stub.open("/workspace/other/modeling.py", "python", code), "inv_freq")).not.toContain(
      "config next to this file",
    );
  });
});

describe("a hover in a notebook", () => {
  const cells = (...texts: string[]) => {
    const made = texts.map((text, index) =>
      stub.open(URI.parse(`vscode-notebook-cell:/workspace/a.ipynb#c${index}`), "python", text),
    );
    stub.notebook(made);
    return made;
  };
  const frequencies = "%matplotlib inline\ninv_freq = 1.0 / (base ** (torch.arange(0, dim, 2) / dim))\n";

  it("uses the definitions of earlier cells at the time when the cell runs", async () => {
    const made = cells("base = 11111.0\ndim = 64", frequencies, "base = 22222.0", frequencies);
    const [, first, , second] = made;
    if (first === undefined || second === undefined) throw new Error("no cells");
    expect(await hoverAt(first, "inv_freq")).toMatch(/11\s111[\s\S]*earlier cell[\s\S]*64[\s\S]*earlier cell/);
    expect(await hoverAt(second, "inv_freq")).toMatch(/22\s222/);
    expect(await hoverAt(first, "inv_freq")).toMatch(/11\s111/);
  });

  it("follows edits of earlier cells, shows the source of values and marks its own cell", async () => {
    const [classes, use] = cells(`# Spinner\n${rotary("33333.0")}`, "spin = Spinner(48)\n");
    if (classes === undefined || use === undefined) throw new Error("no cells");
    expect(await hoverAt(use, "Spinner")).toMatch(/33\s333/);
    stub.edit(classes, rotary("44444.0"));
    const hover = await hoverOver(use, "Spinner");
    expect(hover?.contents[0]?.value).toMatch(/44\s444/);
    expect(hover?.contents[0]?.value).toMatch(/48[\s\S]*argument, line 1/);
    expect(hover?.range).toMatchObject({ start: { line: 0, character: 7 }, end: { line: 0, character: 14 } });
    const method = await hoverAt(classes, "self.inv_freq");
    expect(method).not.toContain("earlier cell");
  });

  it("ignores cells in other languages, cells with errors, later cells and other notebooks", async () => {
    const made = cells("%%bash\nbase = 5\n", "f(base = 6\nbase = 6.5", frequencies, "base = 7.0\ndim = 8");
    const shell = made[2];
    if (shell === undefined) throw new Error("no cells");
    expect(await hoverAt(shell, "inv_freq")).toMatch(/RoPE[\s\S]*base/);
    expect(await hoverAt(shell, "inv_freq")).not.toMatch(/6\.5|\b[5678]\b/);
    const markdown = stub.open(URI.parse("vscode-notebook-cell:/workspace/b.ipynb#m"), "markdown", "base = 33333.0\n");
    const alone = stub.open(URI.parse("vscode-notebook-cell:/workspace/b.ipynb#c"), "python", frequencies);
    stub.notebook([markdown, alone]);
    expect(await hoverAt(alone, "inv_freq")).not.toMatch(/33\s333/);
  });
});

describe("a hover in other documents", () => {
  const code = "inv_freq = 1.0 / (98765.0 ** (torch.arange(0, 64, 2) / 64))\n";

  it("explains unsaved files and stubs", async () => {
    const unsaved = stub.open(URI.parse("untitled:Untitled-1"), "python", code);
    expect(await hoverAt(unsaved, "inv_freq")).toMatch(/98\s765/);
    const types = "def rotary_embedding(x, base: float = 5000.0, dim: int = 64) -> Tensor: ...\n";
    expect(await hoverAt(stub.open("/workspace/a.pyi", "python", types), "rotary_embedding")).toContain("RoPE");
  });

  it("explains Python fences and formulas in Markdown, but no prose", async () => {
    const text = `# RoPE\n\nThe inv_freq of old.\n\n$\\theta_i = 10000^{-2i/d}$\n\n\`\`\`python\n${code}\`\`\`\n`;
    const document = stub.open("/workspace/a.md", "markdown", text);
    expect(await hoverAt(document, "inv_freq")).toMatch(/98\s765/);
    expect(await hoverAt(document, "10000")).toMatch(/RoPE[\s\S]*10\s000/);
    expect(await hoverAt(document, "inv_freq of")).toBe("");
  });

  it("is absent in a file of excessive length", async () => {
    const document = stub.open("/workspace/data.py", "python", code + "# data\n".repeat(300_000));
    expect(await hoverAt(document, "inv_freq")).toBe("");
    stub.edit(document, code);
    expect(await hoverAt(document, "inv_freq")).toMatch(/98\s765/);
  });

  it("explains formulas in TeX", async () => {
    const text = "\\begin{equation}\nPE_{pos,2i} = \\sin(pos/10000^{2i/d})\n\\end{equation}\n";
    expect(await hoverAt(stub.open("/workspace/a.tex", "latex", text), "sin")).toContain("10");
  });
});

describe("a cancelled hover", () => {
  const code = "inv_freq = 1.0 / (98765.0 ** (torch.arange(0, 64, 2) / 64))\n";

  it("stops before any analysis if it is cancelled immediately", async () => {
    const document = stub.open("/workspace/a.py", "python", code);
    expect(await hoverOver(document, "inv_freq", { isCancellationRequested: true })).toBeUndefined();
    expect(python.isParsed(document)).toBe(false);
  });

  it("stops between its steps if it is cancelled later", async () => {
    const document = stub.open("/workspace/a.py", "python", `from .other import A\n${code}`);
    await hoverOver(document, "inv_freq");
    stub.edit(document, `${document.text}\n`);
    const analysed = vi.spyOn(Object.getPrototypeOf(python.parseAlone(document).analyse()), "occurrenceAt");
    let asked = 0;
    const token = {
      // After the explanation has started.
      get isCancellationRequested() {
        return ++asked > 1;
      },
    };
    expect(await hoverOver(document, "inv_freq", token)).toBeUndefined();
    expect(analysed).not.toHaveBeenCalled();
    analysed.mockRestore();
  });
});

describe("edits in Python documents", () => {
  it("start an analysis before the next hover only if the document was hovered before", async () => {
    const document = stub.open("/workspace/a.py", "python", "x = 1\n");
    const other = stub.open("/workspace/b.py", "python", "x = 1\n");
    await hoverAt(document, "x");
    const before = python.parseAlone(document);
    vi.useFakeTimers();
    stub.edit(document, "x = 12\n");
    const analysed = vi.spyOn(Object.getPrototypeOf(before.analyse()), "rotaryScopes");
    await vi.advanceTimersByTimeAsync(290);
    expect(analysed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    // What the analysis needs may still be loading.
    await eventually(() => expect(analysed).toHaveBeenCalledTimes(1));
    stub.edit(other, "x = 12\n");
    await vi.advanceTimersByTimeAsync(400);
    await vi.dynamicImportSettled();
    expect(python.isParsed(other)).toBe(false);
    analysed.mockRestore();
  });
});

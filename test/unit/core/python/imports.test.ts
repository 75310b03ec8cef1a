import { describe, expect, it } from "vitest";
import { createPythonDocument } from "../../../../src/core/python/document.ts";
import {
  type CodeExplanation,
  createAnalysisContext,
  explainAt,
  type ProjectFiles,
  relativeImports,
} from "../../../../src/core/python/explain.ts";
import type { EncodingSpec } from "../../../../src/core/spec.ts";

const ROTARY = `
class Spinner(nn.Module):
    def __init__(self, dim, base=10000):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim)))

    def forward(self, x):
        freqs = torch.outer(torch.arange(x.shape[1]), self.inv_freq)
        return freqs.cos(), freqs.sin()

WIDTH = 96
`;

function explained(code: string, word: string, files: ProjectFiles = {}): CodeExplanation | null {
  return explainAt(createPythonDocument(code), code.lastIndexOf(word), { context: createAnalysisContext(files) });
}

const importedModule = (level: number, module: string) =>
  level === 1 && module === "rotary" ? createPythonDocument(ROTARY) : null;

describe("relative imports", () => {
  const code =
    "from .rotary import Spinner, WIDTH\nclass A:\n    def __init__(self):\n        self.spin = Spinner(64, base=5e5)\n";

  it("are listed for the host to read", () => {
    const document = createPythonDocument(
      "from .rotary import A\nfrom ..b.c import d\nimport torch\nfrom torch import nn\n",
    );
    expect(relativeImports(document)).toEqual([
      { level: 1, module: "rotary" },
      { level: 2, module: "b.c" },
    ]);
  });

  it("give nothing until the other file is read", () => {
    expect(explained(code, "Spinner")).toBeNull();
  });

  it("explain a class of the other file with the arguments of this one", () => {
    const found = explained(code, "Spinner", { importedModule });
    expect(found?.spec).toMatchObject({ encoding: "rope", params: { rope_theta: 500_000, head_dim: 64 } });
    const evidence = found?.spec.evidence.find((item) => item.param === "rope_theta");
    expect(evidence?.range.start.line).toBe(4);
  });

  describe("of a name with several definitions", () => {
    const from = (text: string) => ({ importedModule: () => createPythonDocument(text) });
    const width =
      "from .rotary import WIDTH\nrope = Rope(dim=WIDTH)\nclass Rope:\n    def __init__(self, dim):\n        self.inv_freq = 1 / (10000 ** (torch.arange(0, dim, 2) / dim))\n";
    const dim = (text: string) => explained(width, "inv_freq", from(text))?.spec.params.head_dim;

    it("take the last unconditional definition", () => {
      expect(dim("WIDTH = 64\nWIDTH = 96\n")).toBe(96);
      expect(dim("try:\n    WIDTH = 64\nexcept ImportError:\n    WIDTH = 32\nWIDTH = 128\n")).toBe(128);
      const twice = `${ROTARY}\n${ROTARY.replace("base=10000", "base=70000")}`;
      expect(explained("from .rotary import Spinner\n", "Spinner", from(twice))?.spec.params.rope_theta).toBe(70_000);
    });

    it("give nothing if a condition decides", () => {
      expect(dim("WIDTH = 64\nif LARGE:\n    WIDTH = 128\n")).toBeNull();
      expect(dim("if LARGE:\n    WIDTH = 128\nelse:\n    WIDTH = 64\n")).toBeNull();
      const branches = `if LARGE:\n${ROTARY.replaceAll("\n", "\n    ")}\nelse:\n${ROTARY.replaceAll("\n", "\n    ")}`;
      expect(explained("from .rotary import Spinner\n", "Spinner", from(branches))).toBeNull();
    });

    it("take the only definition even if a condition may skip it", () => {
      expect(dim("try:\n    WIDTH = 48\nexcept ImportError:\n    pass\n")).toBe(48);
    });
  });

  it("explain the instance and the import line", () => {
    expect(explained(code, "spin =", { importedModule })?.spec.params).toMatchObject({ rope_theta: 500_000 });
    const onImport = explainAt(createPythonDocument(code), code.indexOf("Spinner"), {
      context: createAnalysisContext({ importedModule }),
    });
    expect(onImport?.spec).toMatchObject({ encoding: "rope", params: { rope_theta: 10_000 } });
  });

  it("provide constants", () => {
    const rotary = "from .rotary import WIDTH\ninv_freq = 1.0 / (10000 ** (torch.arange(0, WIDTH, 2) / WIDTH))\n";
    expect(explained(rotary, "inv_freq", { importedModule })?.spec.params.head_dim).toBe(96);
    expect(explained(rotary, "inv_freq")?.spec.params.head_dim).toBeNull();
  });

  it("do not loop on circular imports", () => {
    const self = (): ReturnType<typeof importedModule> =>
      createPythonDocument("from .a import X\nX2 = X\nclass Rope(X): pass\n");
    expect(() => explained("from .b import X\nX()\n", "X", { importedModule: self })).not.toThrow();
  });
});

describe("the config next to a Python file", () => {
  const spec: EncodingSpec = {
    encoding: "rope",
    where: "text",
    layers: "all",
    params: { rope_theta: 1_000_000, head_dim: 128 },
    sources: {},
    evidence: [],
    confidence: "checked",
  };
  const code =
    "class R:\n    def __init__(self, config):\n        d = config.head_dim\n        self.inv_freq = 1.0 / (config.rope_theta ** (torch.arange(0, d, 2) / d))\n";

  it("fills in values that the code leaves open, with a note", () => {
    const found = explained(code, "inv_freq", { configSpecs: [spec] });
    expect(found?.spec.params).toMatchObject({ rope_theta: 1_000_000, head_dim: 128 });
    expect(found?.spec.sources.rope_theta).toBe("config");
    expect(found?.values.find((value) => value.param === "rope_theta")?.note).toMatch(/config/);
  });

  it("does not replace values from the code", () => {
    const written = code.replace("config.rope_theta", "500.0");
    expect(explained(written, "inv_freq", { configSpecs: [spec] })?.spec.params).toMatchObject({
      rope_theta: 500,
      head_dim: 128,
    });
  });

  it("is not used for another encoding", () => {
    expect(
      explained(code, "inv_freq", { configSpecs: [{ ...spec, encoding: "alibi" }] })?.spec.params.rope_theta,
    ).toBeNull();
  });
});

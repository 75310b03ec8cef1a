import { describe, expect, it } from "vitest";
import { findCodeDiagnostics } from "../../../../src/core/python/diagnostics/index.ts";
import { createPythonDocument } from "../../../../src/core/python/document.ts";
import { explainAt, findEncodingSites } from "../../../../src/core/python/explain.ts";
import { cpuTime } from "../../support/cpuTime.ts";
import { SCRAPS } from "../../support/pythonEdits.ts";
import { generator } from "../../support/random.ts";
import { pythonPoints } from "./cases.ts";

const codes = [...new Set(pythonPoints().map((point) => point.code))];

function mutated(code: string, random: () => number): string {
  const at = Math.floor(random() * code.length);
  const kind = random();
  if (kind < 0.35) return code.slice(0, at);
  if (kind < 0.6) return code.slice(0, at) + code.slice(at + 1 + Math.floor(random() * 12));
  return code.slice(0, at) + (SCRAPS[Math.floor(random() * SCRAPS.length)] ?? "") + code.slice(at);
}

const HOSTILE = [
  ["an empty file", ""],
  ["a line of 100,000 characters", `inv_freq = ${"x + ".repeat(25_000)}x`],
  ["20,000 nested parentheses", `inv_freq = ${"(".repeat(20_000)}1${")".repeat(20_000)}`],
  ["50,000 unclosed lists", "x = ".concat("[".repeat(50_000))],
  [
    "nested functions",
    Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth)}def f${depth}(inv_freq):`).join("\n"),
  ],
  ["a chain of 5,000 calls", `x = rope${".to(y)".repeat(5000)}`],
  ["a chain of definitions", Array.from({ length: 3000 }, (_, line) => `w${line + 1} = w${line} * 2`).join("\n")],
  ["names defined by each other", "a = b\nb = a\ninv_freq = a ** (arange(0, b, 2) / b)\n"],
  ["Python 2", "print 'rope', inv_freq\nexec \"x\"\nraise E, 'm'\ninv_freq = 10000L ** -freq\n"],
  ["tabs", "class A:\n\tdef f(self):\n\t\tself.inv_freq = 1\n\t    x = 2\n"],
  ["other bytes", "\ufeff\u0000inv_freq\ufffd = \u2028 rotate_half(x)\r\n\rinv_freq\r"],
  [
    "half-typed code",
    "class Rope(nn.Module:\n    def __init__(self, dim\n        self.inv_freq = 1.0 / (base ** (torch.arange(",
  ],
  ["an unclosed string", `x = """${"inv_freq = rope(x)\n".repeat(2000)}`],
  [
    "bytes of another encoding",
    "inv_freq = 1.0 / (10000 ** (arange(0, d, 2) / d))  # \ufffd\ufffd\ud800 caf\ufffd\n".repeat(50),
  ],
] as const;

describe("the Python parser", () => {
  it.each([7, 8, 9, 10])("reads truncated and changed text without an exception (seed %i)", (seed) => {
    const random = generator(seed);
    let answers = 0;
    for (let run = 0; run < 500; run++) {
      const code = mutated(codes[run % codes.length] ?? "", random);
      const document = createPythonDocument(code);
      for (let probe = 0; probe < 4; probe++) {
        if (explainAt(document, Math.floor(random() * (code.length + 1))) !== null) answers++;
      }
      findEncodingSites(document);
    }
    expect(answers).toBeGreaterThan(50);
  });

  it.each(HOSTILE)("handles %s in bounded time", (_name, code) => {
    const document = createPythonDocument(code);
    const started = cpuTime();
    for (let probe = 0; probe < 20; probe++) explainAt(document, Math.floor((probe / 19) * code.length));
    findEncodingSites(document);
    expect(cpuTime() - started).toBeLessThan(5000);
  });
});

describe("deep nesting in Python", () => {
  it("is skipped until it is removed", () => {
    const code = "inv_freq = 1.0 / (10000 ** (torch.arange(0, 64, 2) / 64))\n";
    const deep = createPythonDocument(`${code}x = ${"(".repeat(2000)}\n`);
    expect([explainAt(deep, 1), deep.isWellFormed]).toEqual([null, false]);
    const mended = deep.withText(code);
    expect([explainAt(mended, 1)?.spec.encoding, mended.isWellFormed]).toEqual(["rope", true]);
    const nested = createPythonDocument(`${code}x = ${"(".repeat(1000)}1${")".repeat(1000)}\n`);
    expect(explainAt(nested, 1)?.spec.encoding).toBe("rope");
    expect(explainAt(nested.withText(deep.text), 1)).toBeNull();
  });
});

describe("editing Python code", () => {
  it.each(HOSTILE)("stays fast in %s", (_name, code) => {
    const random = generator(3);
    let document = createPythonDocument(code);
    const started = cpuTime();
    for (let key = 0; key < 5; key++) {
      const at = Math.floor(random() * (document.text.length + 1));
      const typed = key % 4 === 3 ? { from: at, to: Math.min(document.text.length, at + 2), text: "" } : undefined;
      document = document.withChanges([typed ?? { from: at, to: at, text: SCRAPS[key] ?? "" }]);
      explainAt(document, at);
      findCodeDiagnostics(document);
    }
    expect(cpuTime() - started).toBeLessThan(30_000);
  });
});

describe("the speed of a Python hover", () => {
  it("is far below one second in a file of 5,000 lines", () => {
    const filler = Array.from(
      { length: 620 },
      (_, index) =>
        `def step_${index}(x, y):\n    z = x + y\n    if z > 0:\n        return [z * i for i in range(10)]\n    return z\n\n`,
    ).join("\n");
    const code = `${filler}\n${codes.join("\n\n")}`;
    let document = createPythonDocument(code);
    expect(code.split("\n").length).toBeGreaterThan(5000);
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      const at = document.text.indexOf("\n", round * 4000);
      const started = cpuTime();
      document = document.withChanges([{ from: at, to: at, text: " " }]);
      explainAt(document, document.text.lastIndexOf("inv_freq"));
      times.push(cpuTime() - started);
    }
    times.sort((a, b) => a - b);
    expect(times[10] ?? Number.POSITIVE_INFINITY).toBeLessThan(700);
  });
});

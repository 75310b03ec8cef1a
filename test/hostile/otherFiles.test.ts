import { beforeAll, describe, expect, it } from "vitest";
import { GgufWriter } from "../unit/support/ggufWriter.ts";
import { expectBounded } from "./support/expectBounded.ts";
import { buildReaders, put, runReader, scratchFolder } from "./support/readers.ts";

const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n)).join("");
const ROPE = "inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2) / dim))\n";

/** Bytes of a GGUF header that claims more than it has. */
function ggufClaim(tensors: bigint, pairs: bigint, rest: readonly number[] = []): Uint8Array {
  const bytes = new Uint8Array(24 + rest.length + 4_000_000);
  bytes.set(new TextEncoder().encode("GGUF"));
  const view = new DataView(bytes.buffer);
  view.setUint32(4, 3, true);
  view.setBigUint64(8, tensors, true);
  view.setBigUint64(16, pairs, true);
  bytes.set(rest, 24);
  return bytes;
}

function ggufArrays(count: number, length: number): Uint8Array {
  const writer = new GgufWriter().string("general.architecture", "llama");
  const values = Array.from({ length }, (_, n) => n);
  for (let n = 0; n < count; n++) writer.int32s(`a.${n}`, values);
  return writer.bytes();
}

function ggufTensors(count: number): Uint8Array {
  const writer = new GgufWriter().string("general.architecture", "llama");
  for (let n = 0; n < count; n++) writer.tensor(`t${n}`, [1]);
  return writer.bytes();
}

/** A key, then an array of arrays: each level claims a billion. */
const NESTED = [1, 0, 0, 0, 0, 0, 0, 0, 0x61, 9, 0, 0, 0, 9, 0, 0, 0, 0, 0xca, 0x9a, 0x3b, 0, 0, 0, 0];

function safetensorsHeader(text: string): Uint8Array {
  const body = new TextEncoder().encode(text);
  const bytes = new Uint8Array(8 + body.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(body.length), true);
  bytes.set(body, 8);
  return bytes;
}

const tensor = (n: number) => `"t${n}":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}`;
const cell = (source: string) => JSON.stringify({ cell_type: "code", source: [source] });
const notebook = (count: number, source: string) => `{"cells":[${Array(count).fill(cell(source)).join(",")}]}`;
const ignoring = (...ignore: string[]) => JSON.stringify({ ignore });

/** A reader, a file name, its content, and what is said about it; null where nothing needs to be. */
const FILES: readonly (readonly [
  name: string,
  reader: string,
  file: string,
  content: () => string | Uint8Array,
  says: RegExp | null,
])[] = [
  ["GGUF with 1,000 arrays of 4096", "checkpoint", "a.gguf", () => ggufArrays(1000, 4096), /more than 200,000 values/],
  ["GGUF with 5,000 arrays of 100", "checkpoint", "a.gguf", () => ggufArrays(5000, 100), /more than 200,000 values/],
  ["GGUF with 300,000 tensors", "checkpoint", "a.gguf", () => ggufTensors(300_000), /more than 200,000 values/],
  [
    "GGUF that claims a million tensors",
    "checkpoint",
    "a.gguf",
    () => ggufClaim(1_000_000n, 0n),
    /more than 200,000 values/,
  ],
  ["GGUF that claims 2^60 tensors", "checkpoint", "a.gguf", () => ggufClaim(1n << 60n, 0n), /invalid length/],
  ["GGUF with arrays of arrays", "checkpoint", "a.gguf", () => ggufClaim(0n, 1n, NESTED), /more than 200,000 values/],
  [
    "safetensors with 800,000 tensors",
    "checkpoint",
    "a.safetensors",
    () => safetensorsHeader(`{${Array.from({ length: 800_000 }, (_, n) => tensor(n)).join(",")}}`),
    /more than 200,000 values/,
  ],
  [
    "safetensors with 20 million brackets",
    "checkpoint",
    "a.safetensors",
    () => safetensorsHeader(`{"a":${"[".repeat(2e7)}`),
    /more than 200,000 values|not a safetensors file/,
  ],
  [
    "a project with globs that backtrack",
    "settings",
    ".posenc.json",
    () => ignoring(`${"*a".repeat(400)}*b`, `${"**/a/".repeat(150)}b`),
    null,
  ],
  [
    "a project with nested patterns",
    "settings",
    ".posenc.json",
    () => ignoring(`${"+(".repeat(30)}a${")".repeat(30)}b`),
    /only \*, \?/,
  ],
  [
    "a project with braces",
    "settings",
    ".posenc.json",
    () => ignoring("{a,b}".repeat(30)),
    /more than 64 alternatives/,
  ],
  ["a project with ranges", "settings", ".posenc.json", () => ignoring("{1..99999999}"), null],
  [
    "a project with 100,000 globs",
    "settings",
    ".posenc.json",
    () => ignoring(...Array(100_000).fill("*a*")),
    /only the first 200/,
  ],
  ["Python with brackets 300,000 deep", "code", "a.py", () => "(".repeat(300_000), null],
  ["Python with 9,000 encodings", "code", "a.py", () => ROPE.repeat(9000), null],
  [
    "Python with 9,000 classes that inherit",
    "code",
    "a.py",
    () => lines(9000, (n) => `class RotaryEmbedding${n}(RotaryEmbedding${n - 1}):\n  def forward(self): pass\n`),
    null,
  ],
  ["Python with a sum of 140,000 terms", "code", "a.py", () => `x = ${"a + ".repeat(140_000)}a`, null],
  [
    "Python with a name of 500,000 letters",
    "code",
    "a.py",
    () => `class ${"rotaryEmbedding".repeat(33_000)}:\n  pass\n`,
    null,
  ],
  ["Python of 2 MB", "source", "a.py", () => ROPE.repeat(40_000), /not read: more than 600,000 characters/],
  ["1,000 hovers in a file of 9,000 encodings", "points", "a.py", () => ROPE.repeat(9000), null],
  ["Markdown with a line of 100,000 spaces", "source", "a.md", () => `# x\n${" ".repeat(100_000)}x\n`, null],
  ["Markdown with 100,000 tabs and quotes", "source", "a.md", () => `${"\t> ".repeat(100_000)}x\n`, null],
  ["Markdown with 100,000 fences", "source", "a.md", () => "```python\nx\n```\n".repeat(30_000), null],
  ["Markdown with 100,000 dollars", "source", "a.md", () => "$ x".repeat(100_000), null],
  ["TeX with 100,000 beginnings", "source", "a.tex", () => "\\begin{align}\\[".repeat(35_000), null],
  ["a notebook of 100,000 cells", "source", "a.ipynb", () => notebook(100_000, "x = 1"), /more than 200,000 values/],
  ["a notebook of 10,000 cells", "source", "a.ipynb", () => notebook(10_000, "x = 1"), /more than 2000 cells/],
  ["a notebook with 1,900 cells", "source", "a.ipynb", () => notebook(1900, ROPE), null],
  [
    "a notebook with a cell of 30 MB",
    "source",
    "a.ipynb",
    () => notebook(1, "x".repeat(30_000_000)),
    /more than 600,000 characters/,
  ],
  ["a notebook with brackets 900,000 deep", "source", "a.ipynb", () => `{"cells":${"[".repeat(900_000)}`, null],
];

beforeAll(buildReaders);

describe("in bounded time and memory:", () => {
  it.each(FILES)("%s", async (_name, reader, file, content, says) => {
    const run = await runReader(reader, put(scratchFolder(), file, content()));
    expectBounded(run);
    expect(run.exitCode, run.stderr).toBe(0);
    if (says !== null) expect(run.stdout).toMatch(says);
  });
});

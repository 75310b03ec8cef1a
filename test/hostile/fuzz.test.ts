import { describe, expect, it } from "vitest";
import { memoryReader } from "../../src/core/checkpoint/rangeReader.ts";
import { readTomlConfig } from "../../src/core/config/frameworks/readTomlConfig.ts";
import { readYamlConfig } from "../../src/core/config/frameworks/readYamlConfig.ts";
import { readProjectSettings } from "../../src/core/config/project/settings.ts";
import { readConfig } from "../../src/core/config/readConfig.ts";
import { readCheckpoint } from "../../src/core/config/weights/readCheckpoint.ts";
import { readPanelState } from "../../src/core/protocol/guards.ts";
import { buildLinkQuery, readLinkQuery } from "../../src/core/protocol/link.ts";
import { initialPanelState, type PanelState } from "../../src/core/protocol/state.ts";
import { openSource } from "../../src/core/python/sourceFile.ts";
import { UserError } from "../../src/core/util/errors.ts";
import { derivePanelEncoding } from "../../webview/state/panelEncoding.ts";
import { gguf, safetensors } from "../unit/support/checkpointFiles.ts";
import { cpuTime } from "../unit/support/cpuTime.ts";
import { readFixture } from "../unit/support/files.ts";
import { mutateBytes } from "../unit/support/mutateBytes.ts";
import { generator, pick } from "../unit/support/random.ts";

const MAX_MS = 2000;
const MAX_MEGABYTES = 500;
const SEEDS = [1, 2, 3];
const MUTATIONS = 30;

/** Pieces that end, begin or confuse something in one of the formats. */
const PIECES = [
  ..."{}[]()<>\"'`$\\%#&*!|:,;-=~@\n\r\t\0\u2028\ufeff\ud800",
  "\\begin{align}",
  "$$",
  "```",
  "&a *a",
  "<<: *a",
  `\${a.b}`,
  "!!binary",
  "__proto__",
  "constructor",
  "1e999",
  "-0",
  "NaN",
  "9007199254740993",
  "null",
];

/** A text that is cut, joined anew, changed in places or pumped. */
function mutateText(text: string, random: () => number): string {
  const [a, b] = [random(), random()].map((part) => Math.floor(part * text.length)).sort((x, y) => x - y);
  switch (Math.floor(random() * 4)) {
    case 0:
      return text.slice(0, b);
    case 1:
      return text.slice(0, b) + text.slice(a);
    case 2: {
      const places = Array.from({ length: 1 + Math.floor(random() * 8) }, () => Math.floor(random() * text.length));
      return places.reduce((now, at) => now.slice(0, at) + pick(random, PIECES, "") + now.slice(at + 1), text);
    }
    default:
      return text.slice(0, a) + text.slice(a, Math.min(b ?? 0, (a ?? 0) + 40)).repeat(1000) + text.slice(a);
  }
}

/** Hovers at every twentieth of a source. */
function explainEverywhere(path: string, text: string): void {
  const source = openSource(path, text);
  const lines = text.split("\n");
  for (let n = 0; n < 20; n++) {
    const line = Math.floor((n * lines.length) / 20);
    source.explain({ line: line + 1, column: 1 + ((lines[line] ?? "").length >> 1) });
  }
}

function draw(state: PanelState | undefined): void {
  if (state !== undefined) derivePanelEncoding(state, null);
}

const STATE = JSON.stringify({ ...initialPanelState("rope"), changes: { rope_theta: 1e6, head_dim: 64 } });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const YAML = `name: &name x
rope_theta: 500000.0
base: *name
model: {num_layers: 32, hidden_size: 4096, num_attention_heads: 32, seq_length: \${data.length}}
data: {length: 8192}
`;
const TOML = `[job]
description = "x"
[model]
name = "llama3"
flavor = "8B"
list = [1, {a.b = 2}, "\\u00e9"]
[[training.parts]]
seq_len = 8_192
`;
const OPTIONS = `HIDDEN=4096
ARGS=(
    --num-layers 32 --hidden-size $HIDDEN --num-attention-heads=32 # 7B
    --position-embedding-type "rope" --rotary-base 500000 --swiglu
)
`;
const SETTINGS = `{"rules": {"rope/yarn": "off"}, "ignore": ["**/old/*.json", "!(a|b)/[a-z]*", "{x,y}/**"]}`;
const CONFIG = readFixture("workspace/qwen2.5-7b-yarn/config.json");

const TEXTS: readonly (readonly [format: string, seed: string, read: (text: string) => void])[] = [
  ["JSON configs", CONFIG, (text) => void readConfig(text)],
  ["YAML configs", YAML, (text) => void readYamlConfig(text)],
  ["TOML configs", TOML, (text) => void readTomlConfig(text)],
  ["command-line options", OPTIONS, (text) => void readYamlConfig(text)],
  ["project settings", SETTINGS, (text) => void readProjectSettings(text).ignores("a/b/c/config.json")],
  ["Python files", readFixture("code/attention.py"), (text) => explainEverywhere("a.py", text)],
  ["notebooks", readFixture("code/cells.ipynb"), (text) => explainEverywhere("a.ipynb", text)],
  ["Markdown files", readFixture("code/notes.md"), (text) => explainEverywhere("a.md", text)],
  ["TeX files", readFixture("code/paper.tex"), (text) => explainEverywhere("a.tex", text)],
  ["share links", buildLinkQuery(initialPanelState("rope")), (text) => draw(readLinkQuery(text))],
  ["saved states", STATE, (text) => draw(readPanelState(parsed(text)))],
];

/** Runs a reader, whose only exception may be a message for the user, in bounded processor time and memory. */
async function expectBounded(read: () => unknown, input = ""): Promise<void> {
  const start = cpuTime();
  const highest = process.resourceUsage().maxRSS;
  try {
    await read();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  const shown = JSON.stringify(input.slice(0, 200));
  expect(cpuTime() - start, shown).toBeLessThan(MAX_MS);
  // `maxRSS` is the most that this process ever had, in kilobytes: what it grows by is what this input needed at least.
  expect((process.resourceUsage().maxRSS - highest) / 1024, shown).toBeLessThan(MAX_MEGABYTES);
}

describe("mutated input", () => {
  it.each(TEXTS.flatMap(([format, text, read]) => SEEDS.map((seed) => [format, seed, text, read] as const)))(
    "in %s ends in bounded time and memory with a result or a message (seed %i)",
    async (_format, seed, text, read) => {
      const random = generator(seed);
      let current = text;
      for (let n = 0; n < MUTATIONS; n++) {
        current = n % 10 === 0 ? text : current;
        current = mutateText(current, random).slice(0, 4 * text.length + 40_000);
        const input = current;
        await expectBounded(() => read(input), input);
      }
    },
  );

  const checkpoints = [
    ["GGUF", gguf({ "general.architecture": "llama", "llama.rope.freq_base": 1e6, "llama.block_count": 2 })],
    ["safetensors", safetensors({ "wpe.weight": [1024, 768] })],
  ] as const;

  it.each(checkpoints.flatMap(([format, bytes]) => SEEDS.map((seed) => [format, seed, bytes] as const)))(
    "in %s headers ends in bounded time and memory with a result or a message (seed %i)",
    async (_format, seed, bytes) => {
      const random = generator(seed);
      for (let n = 0; n < 10 * MUTATIONS; n++) {
        const input = mutateBytes(bytes, random);
        await expectBounded(() => readCheckpoint(memoryReader(input)));
      }
    },
  );
});

import { expect, test } from "vitest";
import { memoryReader } from "../../../../src/core/checkpoint/rangeReader.ts";
import { looksLikeYamlConfig, readYamlConfig } from "../../../../src/core/config/frameworks/readYamlConfig.ts";
import { summarise } from "../../../../src/core/config/report/summarise.ts";
import { readCheckpoint } from "../../../../src/core/config/weights/readCheckpoint.ts";
import { gguf, safetensors } from "../../support/checkpointFiles.ts";
import { cpuTime } from "../../support/cpuTime.ts";
import { mutateBytes } from "../../support/mutateBytes.ts";
import { generator, pick } from "../../support/random.ts";

const LIMIT_MS = 100;

const HEADS: readonly Uint8Array[] = [
  gguf(
    {
      "general.architecture": "gemma3",
      "gemma3.block_count": 26,
      "gemma3.embedding_length": 1152,
      "gemma3.attention.head_count": 4,
      "gemma3.attention.sliding_window": 512,
      "gemma3.attention.sliding_window_pattern": [true, true, false],
      "gemma3.rope.freq_base": 1000000,
      "gemma3.rope.scaling.type": "yarn",
      "gemma3.rope.scaling.factor": 8,
      "gemma3.rope.dimension_sections": [16, 24, 24, 0],
    },
    [{ name: "rope_freqs.weight", shape: [4], data: [1, 2, 3, 4] }],
  ),
  safetensors({
    "wpe.weight": [1024, 768],
    "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight": [32, 8],
  }),
];

async function timed(bytes: Uint8Array): Promise<number> {
  const start = cpuTime();
  const reading = await readCheckpoint(memoryReader(bytes));
  if (reading !== undefined) summarise(reading.specs);
  return cpuTime() - start;
}

test("readCheckpoint handles 6,000 mutated GGUF and safetensors headers without an exception, below 100 ms each", async () => {
  const random = generator(7);
  for (let i = 0; i < 6000; i++) {
    const bytes = mutateBytes(pick(random, HEADS, new Uint8Array()), random);
    const took = await timed(bytes);
    // Wall time includes other programs, so only input that is slow every time counts.
    const again = took < LIMIT_MS ? [took] : [await timed(bytes), await timed(bytes), await timed(bytes)];
    expect(Math.min(...again)).toBeLessThan(LIMIT_MS);
  }
});

const YAML = `# litgpt
name: &name x
block_size: 8192
n_layer: 32
n_head: 32
n_embd: 4096
padded_vocab_size: 128256
rotary_percentage: 1.0
rope_adjustments: {factor: 8.0, low_freq_factor: 1.0, high_freq_factor: 4.0, original_max_seq_len: 8192}
model:
  _component_: torchtune.models.llama3_2.llama3_2_1b
  name: *name
pos_emb: rotary
`;
const PIECES = [
  "\n",
  "  ",
  ": ",
  "- ",
  "[",
  "{",
  "}",
  "]",
  "&a ",
  "*a ",
  "<<: ",
  "|\n",
  ">-\n",
  "!!binary ",
  "'",
  '"',
  "\t",
  "---\n",
  "NaN",
  "0x",
  "\u0000",
];

function mutateText(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  if (random() < 0.2) return text.slice(0, at);
  return text.slice(0, at) + pick(random, PIECES, "") + text.slice(at + Math.floor(random() * 6));
}

test("readConfig handles 1,500 mutated YAML files without an exception", () => {
  const random = generator(11);
  for (let i = 0; i < 1500; i++) {
    let text = YAML;
    for (let n = 0; n < 1 + (i % 4); n++) text = mutateText(text, random);
    summarise(readYamlConfig(text).specs);
    if (i % 5 === 0) expect(looksLikeYamlConfig(text)).toBeTypeOf("boolean");
  }
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findFiles } from "../../../../../src/cli/findFiles.ts";
import { runInspect } from "../../../../../src/cli/inspect.ts";
import { looksLikeYamlConfig, readYamlConfig } from "../../../../../src/core/config/frameworks/readYamlConfig.ts";
import { scratchFolder } from "../../../support/scratch.ts";

describe("the reader of training framework configs", () => {
  test("reads GPT-NeoX keys with dashes or underscores, in JSON-like text or plain YAML", () => {
    const { format, specs } = readYamlConfig(`{
  # GPT-NeoX 20B
  "num-layers": 44, "hidden-size": 6144, "num-attention-heads": 64,
  "max-position-embeddings": 2048, "pos-emb": "rotary", "rotary-pct": 0.25,
}`);
    expect(format).toBe("neox-yaml");
    expect(specs[0]).toMatchObject({
      encoding: "rope",
      params: {
        rope_theta: 10000,
        head_dim: 96,
        rotary_dim: 24,
        num_layers: 44,
        layout: "half",
        max_position_embeddings: 2048,
      },
    });
    const rpe = readYamlConfig("pos_emb: rpe\nnum_layers: 2\nhidden_size: 64\nnum_attention_heads: 4\n");
    expect(rpe.specs[0]).toMatchObject({ encoding: "t5_bias", params: { num_buckets: 32, max_distance: 128 } });
    expect(readYamlConfig("pos_emb: alibi\nnum_attention_heads: 4\n").specs[0]?.encoding).toBe("alibi");
  });

  test("reads LitGPT, where a quarter of the head rotates by default, with Llama 3's adjustments", () => {
    const base = "name: x\nblock_size: 8192\nn_layer: 32\nn_head: 32\nn_embd: 4096\npadded_vocab_size: 128256\n";
    expect(readYamlConfig(base).specs[0]?.params).toMatchObject({
      partial_rotary_factor: 0.25,
      head_dim: 128,
      rotary_dim: 32,
      rope_theta: 10000,
      rope_type: "default",
    });
    const scaled = readYamlConfig(`${base}rotary_percentage: 1.0
rope_base: 500000
rope_adjustments:
  factor: 8.0
  low_freq_factor: 1.0
  high_freq_factor: 4.0
  original_max_seq_len: 8192
`);
    expect(scaled.format).toBe("litgpt-yaml");
    expect(scaled.specs[0]?.params).toMatchObject({
      rope_type: "llama3",
      factor: 8,
      original_max_position_embeddings: 8192,
      rotary_dim: 128,
    });
    const evidence = scaled.specs[0]?.evidence.find(({ param }) => param === "factor");
    expect(evidence).toMatchObject({
      path: ["rope_adjustments", "factor"],
      range: { start: { line: 10, column: 11 } },
    });
    expect(readYamlConfig(`${base}rope_condense_ratio: 4\n`).specs[0]?.params).toMatchObject({
      rope_type: "linear",
      factor: 4,
    });
  });

  test("reads Megatron and NeMo keys at the top level or under model", () => {
    const nemo = readYamlConfig(
      "model:\n  encoder_seq_length: 4096\n  num_layers: 2\n  hidden_size: 64\n  num_attention_heads: 4\n  position_embedding_type: rope\n  rotary_percentage: 0.5\n  seq_len_interpolation_factor: 2\n",
    );
    expect(nemo.format).toBe("nemo-yaml");
    expect(nemo.specs[0]?.params).toMatchObject({
      rotary_dim: 8,
      rope_type: "linear",
      factor: 2,
      max_position_embeddings: 4096,
    });
    const scaled = readYamlConfig(
      "num_layers: 2\nposition_embedding_type: rope\nuse_rope_scaling: true\nrotary_interleaved: true\nhidden_size: 64\nnum_attention_heads: 4\n",
    );
    expect(scaled.specs[0]?.params).toMatchObject({ rope_type: "llama3", factor: 8, layout: "interleaved" });
  });

  test("reads LLM Foundry's ALiBi, RoPE and learned table", () => {
    const model = (attention: string) =>
      `max_seq_len: 2048\nmodel:\n  name: mpt_causal_lm\n  d_model: 64\n  n_heads: 4\n  n_layers: 2\n  max_seq_len: \${max_seq_len}\n  attn_config:\n    attn_impl: flash\n${attention}`;
    expect(readYamlConfig(model("    alibi: true\n"))).toMatchObject({
      format: "llm-foundry-yaml",
      specs: [{ encoding: "alibi", params: { alibi_bias_max: 8 } }],
    });
    expect(readYamlConfig(model("    rope: true\n    rope_theta: 500000\n")).specs[0]).toMatchObject({
      encoding: "rope",
      params: { rope_theta: 500000, max_position_embeddings: 2048 },
    });
    expect(readYamlConfig(model("")).specs[0]).toMatchObject({
      encoding: "learned_absolute",
      params: { usable_positions: 2048 },
    });
  });

  test("resolves OmegaConf references (sibling, parent, absolute, chained) and gives no number for unknown ones", () => {
    const nemo = (length: string) =>
      readYamlConfig(
        `sizes:\n  short: 1024\nlength: \${sizes.short}\nmodel:\n  encoder_seq_length: 4096\n  max_position_embeddings: ${length}\n  num_layers: 2\n  hidden_size: 64\n  num_attention_heads: 4\n  position_embedding_type: rope\n`,
      );
    const lengthOf = (name: string) => nemo(`\${${name}}`).specs[0]?.params.max_position_embeddings;
    expect([".encoder_seq_length", "..sizes.short", "sizes.short", "length"].map(lengthOf)).toEqual([
      4096, 1024, 1024, 1024,
    ]);
    for (const open of ["LENGTH", "oc.env:LENGTH", ".max_position_embeddings"]) {
      expect([open, lengthOf(open)]).toEqual([open, null]);
      expect(nemo(`\${${open}}`).problems).toMatchObject([
        { rule: "config/unresolved-reference", severity: "info", path: ["model", "max_position_embeddings"] },
      ]);
    }
    expect(nemo("???").problems).toMatchObject([{ message: expect.stringContaining("???") }]);
  });

  test("reads base, layout and scaling from torchtune's builder name", () => {
    const { format, specs } = readYamlConfig(
      "tokenizer:\n  max_seq_len: null\nmodel:\n  _component_: torchtune.models.llama3_2.llama3_2_1b\n",
    );
    expect(format).toBe("torchtune-yaml");
    expect(specs[0]?.params).toMatchObject({
      rope_theta: 500000,
      rope_type: "llama3",
      factor: 32,
      layout: "interleaved",
    });
    expect(readYamlConfig("model:\n  _component_: torchtune.models.qwen2.qwen2_7b\n").specs[0]?.params).toMatchObject({
      rope_theta: 1000000,
      layout: "half",
      rope_type: "default",
    });
  });

  test("reads axolotl's and LLaMA-Factory's overrides of another model's config", () => {
    const axolotl = readYamlConfig(
      "base_model: x\nsequence_len: 8192\noverrides_of_model_config:\n  rope_scaling:\n    type: linear\n    factor: 2.0\n",
    );
    expect(axolotl).toMatchObject({
      format: "axolotl-yaml",
      specs: [{ confidence: "guess", params: { rope_type: "linear", factor: 2 } }],
    });
    expect(readYamlConfig("base_model: x\ndatasets: []\n")).toMatchObject({ format: "axolotl-yaml", specs: [] });
    expect(readYamlConfig("model_name_or_path: x\nstage: sft\nrope_scaling: yarn\n")).toMatchObject({
      format: "llamafactory-yaml",
      specs: [{ params: { rope_type: "yarn", factor: null } }],
    });
  });

  test("reads Swin configs", () => {
    const { format, specs } = readYamlConfig(
      "MODEL:\n  TYPE: swin\n  SWIN:\n    EMBED_DIM: 96\n    DEPTHS: [2, 2, 6, 2]\n    NUM_HEADS: [3, 6, 12, 24]\n    WINDOW_SIZE: 7\n",
    );
    expect(format).toBe("swin-yaml");
    expect(specs[0]).toMatchObject({
      encoding: "swin_bias",
      where: "vision",
      params: { window_size: 7, num_heads: [3, 6, 12, 24], num_layers: 4 },
    });
  });
});

describe("the YAML reader", () => {
  test("ignores text that is not a model config", () => {
    for (const text of ["", "a: 1\n", "- 1\n", "on: push\njobs: {}\n", "services:\n  web:\n    image: x\n"]) {
      expect(looksLikeYamlConfig(text)).toBe(false);
      expect(readYamlConfig(text)).toMatchObject({ format: "unknown", specs: [] });
    }
  });

  test("ends with an error or without a result for recursive aliases, deep nesting and broken text", () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 12; i++) lines.push(`a${i}: &a${i} [${`*a${i === 1 ? "" : i - 1}, `.repeat(9)}]`);
    expect(readYamlConfig(`pos_emb: rotary\nnum_layers: 2\n${lines.join("\n")}\n`).format).toBe("neox-yaml");
    expect(readYamlConfig(`pos_emb: ${"[".repeat(50_000)}`).error).not.toBeNull();
    const broken = readYamlConfig('pos_emb: rotary\nnum_layers: 2\nrotary_pct: "0.5');
    expect(broken.specs[0]?.encoding).toBe("rope");
    expect(broken.error).toMatchObject({ line: 3 });
  });

  test("reads only YAML files with known keys from a folder", async () => {
    const root = scratchFolder("yaml");
    writeFileSync(join(root, "20B.yml"), "pos_emb: rotary\nnum_layers: 2\nhidden_size: 64\nnum_attention_heads: 4\n");
    writeFileSync(join(root, "ci.yaml"), "on: push\n");
    expect(findFiles([root])).toEqual([join(root, "20B.yml")]);
    const { stdout, exitCode } = await runInspect([root], { json: true });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)[0].encodings[0].derived.inv_freq).toHaveLength(8);
  });
});

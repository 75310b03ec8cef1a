import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { FRAMEWORKS } from "../../../../../src/core/config/frameworks/index.ts";
import { looksLikeTomlConfig, readTomlConfig } from "../../../../../src/core/config/frameworks/readTomlConfig.ts";
import { looksLikeYamlConfig, readYamlConfig } from "../../../../../src/core/config/frameworks/readYamlConfig.ts";
import { looksLikeModelConfig, readConfig } from "../../../../../src/core/config/readConfig.ts";
import { PUBLISHED_FILES } from "./publishedFiles.ts";

describe("a published file of a training framework", () => {
  test.each(PUBLISHED_FILES.map((file) => [file.source, file] as const))(
    "is read as its code computes: %s",
    (_source, { content, format, specs }) => {
      const yaml = stringify(content);
      const reading = readYamlConfig(yaml);
      expect(reading).toMatchObject({ format, error: null });
      expect(reading.specs).toHaveLength(specs.length);
      expect(reading.specs).toMatchObject(specs);
      expect(looksLikeYamlConfig(yaml)).toBe(true);
      // A key of the file that nothing reads would be reported.
      expect(reading.problems.filter(({ severity }) => severity !== "info")).toEqual([]);
    },
  );

  test.each(PUBLISHED_FILES.map((file) => [file.source, file] as const))(
    "is read the same as JSON: %s",
    (_source, { content, format, specs }) => {
      const json = JSON.stringify(content, null, 2);
      const named = readConfig(json);
      // References are OmegaConf's, which reads YAML.
      if (json.includes(`\${`)) return;
      expect(named).toMatchObject({ format, error: null, specs });
      expect(looksLikeModelConfig(json)).toBe(true);
    },
  );

  test("covers each framework that is recognised by two keys or more, twice", () => {
    const counts = new Map<string, number>();
    for (const { format } of PUBLISHED_FILES) counts.set(format, (counts.get(format) ?? 0) + 1);
    const others = [
      "swin-yaml",
      "torchtune-yaml",
      "litgpt-yaml",
      "axolotl-yaml",
      "llamafactory-yaml",
      "torchtitan-toml",
    ];
    const missing = FRAMEWORKS.filter(({ format }) => !others.includes(format) && (counts.get(format) ?? 0) < 2);
    expect(missing.map(({ format }) => format)).toEqual([]);
  });
});

describe("torchtitan's TOML", () => {
  const titan = (model: string, length = 8192) =>
    `# preset\n[job]\ndescription = "x"\n\n[model]\n${model}\n[training]\nseq_len = ${length} # tokens\n`;

  test("takes sizes, base and scaling of the flavour from the code (train_configs/llama3_8b.toml)", () => {
    const text = titan('name = "llama3"\nflavor = "8B"');
    expect(looksLikeTomlConfig(text)).toBe(true);
    const { format, specs } = readTomlConfig(text);
    expect(format).toBe("torchtitan-toml");
    expect(specs).toMatchObject([
      {
        encoding: "rope",
        params: {
          rope_theta: 500_000,
          rope_type: "llama3",
          head_dim: 128,
          num_kv_heads: 8,
          layout: "interleaved",
          max_position_embeddings: 8192,
        },
      },
    ]);
    const [evidence] = specs[0]?.evidence ?? [];
    expect(evidence).toMatchObject({ path: ["training", "seq_len"], range: { start: { line: 9, column: 11 } } });
  });

  test("has layers without RoPE, windows, and scaling for long texts only", () => {
    const layers = (model: string, length?: number) =>
      readTomlConfig(titan(model, length)).specs.map(({ encoding, params, layers: own }) => [
        encoding,
        params["rope_type"] ?? null,
        params.sliding_window,
        own === "all" ? own : own.slice(0, 3),
      ]);
    expect(layers('name = "llama4"\nflavor = "17bx16e_irope"')).toEqual([
      ["rope", "llama3", null, [1, 2, 3]],
      ["none", null, null, [0, 4, 8]],
    ]);
    expect(layers('name = "gpt_oss"\nflavor = "20b"')).toEqual([
      ["rope", "yarn", 128, [0, 2, 4]],
      ["rope", "yarn", null, [1, 3, 5]],
    ]);
    expect(layers('name = "deepseek_v3"\nflavor = "16B"', 4096)).toEqual([["rope", "default", null, "all"]]);
    expect(layers('name = "deepseek_v3"\nflavor = "16B"', 8192)).toEqual([["rope", "yarn", null, "all"]]);
    expect(layers('name = "llama3"\nflavor = "8B"\ntokenizer_path = "x"')).toEqual([["rope", "default", null, "all"]]);
  });

  test("says that a flavour or model is not known", () => {
    expect(readTomlConfig(titan('name = "llama3"\nflavor = "9B"'))).toMatchObject({
      specs: [],
      problems: [{ rule: "config/unknown-value", path: ["model", "flavor"] }],
    });
    expect(looksLikeTomlConfig("[project]\nname = 'x'\nflavor = 1\n")).toBe(false);
  });
});

describe("options of a command line", () => {
  const script = `#!/bin/bash
# --num-layers 99
HIDDEN=4096
MODEL_ARGS=(
    --num-layers 32
    --hidden-size \${HIDDEN}
    --num-attention-heads 32 --group-query-attention --num-query-groups=8
    --position-embedding-type rope
    --rotary-base 500000
    --max-position-embeddings $LENGTH
)
`;

  test("are read from a shell script, with its variables (Megatron-LM examples/llama/train_llama3_8b_h100_fp8.sh)", () => {
    const { format, specs, problems } = readYamlConfig(script);
    expect(format).toBe("megatron-yaml");
    expect(specs).toMatchObject([
      {
        encoding: "rope",
        params: { rope_theta: 500_000, head_dim: 128, num_kv_heads: 8, num_layers: 32, max_position_embeddings: null },
      },
    ]);
    expect(specs[0]?.evidence.find(({ param }) => param === "rope_theta")).toMatchObject({
      path: ["--rotary-base"],
      range: { start: { line: 9, column: 19 } },
    });
    expect(problems).toMatchObject([{ rule: "config/unresolved-reference", path: ["--max-position-embeddings"] }]);
  });

  test("are read from strings and lists of a YAML file", () => {
    const inString =
      'env: {}\nargs: "--num-layers 2 --hidden-size 64 --num-attention-heads 4 --use-rotary-position-embeddings --swiglu"\n';
    const inList =
      'cmd:\n  - --num-layers\n  - "2"\n  - --hidden-size\n  - "64"\n  - --num-attention-heads\n  - "4"\n  - --use-rotary-position-embeddings\n';
    for (const text of [inString, inList])
      expect(readYamlConfig(text).specs).toMatchObject([{ encoding: "rope", params: { head_dim: 16, num_layers: 2 } }]);
  });

  test("that name two models are not read", () => {
    expect(readYamlConfig(`${script}\nOTHER=(--num-layers 40 --swiglu)\n`)).toMatchObject({
      format: "unknown",
      specs: [],
    });
  });
});

describe("the values of a framework", () => {
  test("that refer to something outside the file are unknown, not the default", () => {
    const { specs, problems } = readYamlConfig(
      `pos_emb: rotary\nnum_layers: 2\nhidden_size: 64\nnum_attention_heads: 4\nrotary_emb_base: \${oc.env:BASE}\n`,
    );
    expect(specs[0]?.params.rope_theta).toBeNull();
    expect(problems).toMatchObject([{ rule: "config/unresolved-reference", path: ["rotary_emb_base"] }]);
  });

  test("that its code does not know are said, and nothing is concluded", () => {
    const { specs, problems } = readYamlConfig("pos_emb: spiral\nrotary_pct: 1\nnum_layers: 2\nhidden_size: 64\n");
    expect(specs).toEqual([]);
    expect(problems).toContainEqual(expect.objectContaining({ rule: "config/unknown-value", path: ["pos_emb"] }));
  });

  test("are a guess where Megatron's RoPE keys stand without the one that turns it on", () => {
    const text = "num_layers: 2\nhidden_size: 64\nnum_attention_heads: 4\nrotary_base: 150000\nrotary_percent: 1.0\n";
    expect(readYamlConfig(text).specs).toMatchObject([{ encoding: "learned_absolute", confidence: "guess" }]);
  });
});

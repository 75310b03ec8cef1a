import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { runInspect } from "../../../src/cli/inspect.ts";
import { scratchFolder } from "../support/scratch.ts";

function folder(files: Readonly<Record<string, string>>): string {
  const root = scratchFolder("inspect");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

async function inspect(...paths: string[]) {
  const { stdout, exitCode } = await runInspect(paths, { json: true });
  return { entries: JSON.parse(stdout), exitCode };
}

const LLAMA = '{"model_type":"llama","hidden_size":64,"num_attention_heads":4,"rope_theta":10000.0}';

describe("posenc inspect", () => {
  test("prints one JSON entry per file with derived values in float64", async () => {
    const root = folder({ "config.json": LLAMA });
    const { entries, exitCode } = await inspect(join(root, "config.json"));
    expect(exitCode).toBe(0);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      file: join(root, "config.json"),
      format: "hf-config",
      model_type: "llama",
      error: null,
      diagnostics: [],
    });
    const [encoding] = entries[0].encodings;
    expect(encoding).toMatchObject({
      where: "text",
      encoding: "rope",
      layout: "half",
      rope_type: "default",
      layers: "all",
      confidence: "checked",
    });
    expect(encoding.params).toMatchObject({
      rope_theta: 10000,
      head_dim: 16,
      rotary_dim: 16,
      sliding_window: null,
      num_buckets: null,
    });
    expect(encoding.sources).toMatchObject({
      rope_theta: "config",
      head_dim: "derived",
      partial_rotary_factor: "default",
    });
    expect(encoding.derived.inv_freq).toHaveLength(8);
    encoding.derived.inv_freq.forEach((value: number, k: number) => {
      expect(value).toBeCloseTo(10000 ** (-k / 8), 15);
    });
    expect(encoding.derived.attention_scaling).toBe(1);
    expect(encoding.evidence).toContainEqual({ param: "rope_theta", path: ["rope_theta"], line: 1, column: 77 });
  });

  test("prints DeepSeek's softmax scale and ALiBi's slopes in the model's order", async () => {
    const root = folder({
      "a/config.json": JSON.stringify({
        model_type: "deepseek_v3",
        rope_scaling: {
          type: "yarn",
          factor: 40,
          original_max_position_embeddings: 4096,
          mscale: 1,
          mscale_all_dim: 1,
        },
      }),
      "b/config.json": '{"model_type":"bloom","n_head":8}',
    });
    const [deepseek, bloom] = (await inspect(root)).entries;
    const m = 0.1 * Math.log(40) + 1;
    expect(deepseek.encodings[0].derived.softmax_scale).toBeCloseTo((m * m) / Math.sqrt(192), 15);
    expect(deepseek.encodings[0].derived.attention_scaling).toBe(1);
    expect(bloom.encodings[0].derived.alibi_slopes).toEqual([
      0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625,
    ]);
  });

  test("lists config.json and other model files of a folder sorted, and keeps the order of the given paths", async () => {
    const root = folder({
      "b/config.json": LLAMA,
      "a/config.json": "not JSON",
      "a/text_config.json": LLAMA,
      "a/tsconfig.json": '{"compilerOptions":{}}',
      "a/params.json": '{"dim":64,"n_layers":2,"n_heads":4,"norm_eps":1e-5}',
      "node_modules/x/config.json": LLAMA,
      ".git/config.json": LLAMA,
      "ignored/config.json": LLAMA,
      ".posenc.json": '{"ignore": ["ignored/**"]}',
    });
    symlinkSync(join(root, "b"), join(root, "link"));
    symlinkSync(join(root, "b/config.json"), join(root, "a/model_config.json"));
    const { entries, exitCode } = await inspect(join(root, "b"), root);
    expect(entries.map(({ file }: { file: string }) => file.slice(root.length + 1))).toEqual([
      "b/config.json",
      "a/config.json",
      "a/model_config.json",
      "a/params.json",
      "a/text_config.json",
      "b/config.json",
    ]);
    expect(entries[1].error).toMatchObject({ line: 1, column: 1 });
    expect(exitCode).toBe(2);
  });

  test("exits with 1 for a finding of severity error and still prints every entry", async () => {
    const root = folder({ "config.json": '{"model_type":"llama","rope_theta":"10000"}' });
    const { entries, exitCode } = await inspect(root);
    expect(exitCode).toBe(1);
    expect(entries[0].diagnostics[0]).toMatchObject({
      rule: "config/wrong-type",
      severity: "error",
      path: ["rope_theta"],
      line: 1,
      column: 36,
      range: { start: { line: 1, column: 36 }, end: { line: 1, column: 43 } },
    });
    expect(entries[0].encodings).toHaveLength(1);
  });

  test("lists a missing file as an entry and exits with 2", async () => {
    const { entries, exitCode } = await inspect(join(tmpdir(), "posenc-no-such-file.json"));
    expect(exitCode).toBe(2);
    expect(entries[0].error.message).toContain("ENOENT");
  });

  test("prints file, format and summary as text", async () => {
    const root = folder({ "config.json": LLAMA });
    const { stdout } = await runInspect([root], { json: false });
    expect(stdout).toContain(`${join(root, "config.json")}  (hf-config, llama)`);
    expect(stdout).toContain("RoPE · θ 1e4");
  });
});

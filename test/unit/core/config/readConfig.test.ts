import { describe, expect, test } from "vitest";
import { looksLikeModelConfig, readConfig } from "../../../../src/core/config/readConfig.ts";
import { summarise } from "../../../../src/core/config/report/summarise.ts";
import { useLanguage } from "../../../../src/core/l10n/useLanguage.ts";
import type { Evidence } from "../../../../src/core/spec.ts";

function evidence(text: string | Uint8Array, param: string): Evidence | undefined {
  return readConfig(text).specs[0]?.evidence.find((item) => item.param === param);
}

describe("positions in a file", () => {
  const text =
    '{\r\n\t"model_type": "llama",\n  "é😀": 1, "rope_theta": 500000.0,\n "rope_scaling": {"rope_type": "linear", "factor": 2}\n}';

  test("count lines and UTF-16 columns from 1, and a tab as one column", () => {
    expect(evidence(text, "rope_theta")).toEqual({
      param: "rope_theta",
      path: ["rope_theta"],
      range: { start: { line: 3, column: 27 }, end: { line: 3, column: 35 } },
    });
    expect(evidence(text, "factor")?.path).toEqual(["rope_scaling", "factor"]);
  });

  test("do not count a byte order mark", () => {
    expect(evidence('\uFEFF{"model_type":"llama","rope_theta":5}', "rope_theta")?.range.start.column).toBe(36);
    const bytes = new TextEncoder().encode('\uFEFF{"model_type":"llama","rope_theta":5}');
    expect(evidence(bytes, "rope_theta")?.range.start.column).toBe(36);
  });

  test("belong to the last of two equal keys, as in Python", () => {
    expect(readConfig('{"model_type":"llama","rope_theta":5,"rope_theta":7}').specs[0]?.params.rope_theta).toBe(7);
  });
});

describe("readConfig", () => {
  test("accepts comments, trailing commas, NaN and infinities in unrelated keys", () => {
    const text = `{ // a comment with "NaN"
      "model_type": "llama", "rope_theta": 7, "loss": NaN, "best": -Infinity, /* NaN */ "s": "NaN \\" Infinity",
    }`;
    const { error, problems, specs } = readConfig(text);
    expect([error, problems]).toEqual([null, []]);
    expect(specs[0]?.params.rope_theta).toBe(7);
    expect(evidence(text, "rope_theta")?.range.start).toEqual({ line: 2, column: 44 });
  });

  test("reports NaN, a string or a list in a needed key at that key and uses the default", () => {
    for (const [value, shown] of [
      ["NaN", "NaN"],
      ['"1e6"', '"1e6"'],
      ["[1]", "[1]"],
    ]) {
      const { problems, specs, error } = readConfig(`{"model_type":"llama",\n"rope_theta":${value}}`);
      expect(error).toBeNull();
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatchObject({ severity: "error", path: ["rope_theta"], rule: "config/wrong-type" });
      expect(problems[0]?.range.start).toEqual({ line: 2, column: 14 });
      expect(problems[0]?.message).toContain(shown);
      expect(specs[0]?.params.rope_theta).toBe(10000);
    }
  });

  test("reports an invalid value as a note for a guessed model type", () => {
    const { problems } = readConfig(
      '{"model_type":"nobody","rope_theta":"x","hidden_size":64,"num_attention_heads":4}',
    );
    expect(problems.map(({ severity }) => severity)).toEqual(["info"]);
  });

  test("reports sizes that the file does not give as missing", () => {
    const { problems, specs } = readConfig('{"model_type":"nobody","rope_theta":7,"hidden_size":64}');
    expect(problems).toMatchObject([{ rule: "config/missing-value", message: "missing: num_attention_heads" }]);
    expect(specs[0]?.params).toMatchObject({ rope_theta: 7, head_dim: null });
    expect(readConfig('{"model_type":"nobody","alibi":true}').problems).toMatchObject([
      { rule: "config/missing-value" },
    ]);
  });

  test("reports a negative base", () => {
    const { problems } = readConfig('{"model_type":"llama","rope_theta":-1}');
    expect(problems[0]).toMatchObject({ path: ["rope_theta"], severity: "error" });
  });

  test("reads a truncated file as far as possible and reports where it ends", () => {
    const { specs, error } = readConfig('{"model_type":"llama",\n"rope_theta":7,\n"hidden_si');
    expect(specs[0]?.params.rope_theta).toBe(7);
    expect(error).toMatchObject({ line: 3 });
  });

  test("handles deep nesting, many bytes and invalid UTF-8 in unrelated values", () => {
    const deep = `{"a":${"[".repeat(200)}${"]".repeat(200)},"model_type":"llama","rope_theta":7}`;
    expect(readConfig(deep)).toMatchObject({ error: null });
    expect(readConfig(deep).specs[0]?.params.rope_theta).toBe(7);
    const deeper = `{"model_type":"llama","rope_theta":7,"a":${"[".repeat(100_000)}`;
    expect(readConfig(deeper).error?.message).toContain("1000");
    expect(readConfig(deeper).specs[0]?.params.rope_theta).toBe(7);
    const big = `{"vocab":"${"x".repeat(5_000_000)}","model_type":"llama","rope_theta":7}`;
    expect(readConfig(big).specs[0]?.params.rope_theta).toBe(7);
    const bytes = new TextEncoder().encode('{"name":"??","model_type":"llama","rope_theta":7}');
    bytes.set([0xff, 0xc0], 9);
    expect(readConfig(bytes)).toMatchObject({ error: null, modelType: "llama" });
  });

  test("skips huge numbers of small values, and reads and checks the keys around them", () => {
    const sea = Array(60_000).fill('{"x":[1,"]"]}').join(",");
    const around = (inside: string) =>
      `{"model_type":"qwen2_vl","other":[${inside}],\n"text_config":{"rope_theta":7,"list":[${inside}],"hidden_size":64}}`;
    expect(around(sea).length).toBeGreaterThan(1_500_000);
    const { specs, error } = readConfig(around(sea));
    expect(error).toBeNull();
    const text = specs.find(({ where }) => where === "text");
    expect(text?.params.rope_theta).toBe(7);
    const place = { param: "rope_theta", path: ["text_config", "rope_theta"] };
    expect(text?.evidence).toContainEqual(
      expect.objectContaining({ ...place, range: { start: { line: 2, column: 29 }, end: { line: 2, column: 30 } } }),
    );
    expect(readConfig(around(`${sea} {}`)).error).toMatchObject({ line: 1, message: "expected a comma" });
    expect(readConfig(around(`${sea}]`)).error).not.toBeNull();
  });

  test("keeps long strings and large sub-configs", () => {
    const long = "x".repeat(5_000_000);
    const config = { model_type: "qwen2_vl", text_config: { note: long, notes: [long], rope_theta: 7 } };
    const { specs } = readConfig(JSON.stringify(config));
    expect(specs.find(({ where }) => where === "text")?.params.rope_theta).toBe(7);
  });

  test("reports text that is not a JSON object, and nothing for JSON of another kind", () => {
    for (const text of ["", "[]", "42", "null", "hello", "\u0000\u0001", '{"a":']) {
      const { format, specs, error } = readConfig(text);
      expect([format, specs]).toEqual(["unknown", []]);
      expect(error).not.toBeNull();
    }
    for (const text of [
      "{}",
      '{"a":1}',
      '{"tokenizer_class":"X","model_max_length":5}',
      '{"_class_name":"DDIMScheduler"}',
    ]) {
      expect(readConfig(text)).toEqual({
        format: "unknown",
        modelType: null,
        specs: [],
        problems: [],
        ignored: [],
        error: null,
      });
    }
  });

  test("does not read more than 16 MB", () => {
    expect(readConfig(new Uint8Array(17 * 1024 * 1024)).error?.message).toContain("16");
  });

  test("bounds time and memory for a hostile number of layers", () => {
    const { specs } = readConfig('{"model_type":"gemma3_text","num_hidden_layers":1e15}');
    expect(specs.length).toBeLessThan(4);
  });
});

describe("a model config", () => {
  test("is recognised by its content", () => {
    expect(looksLikeModelConfig('{"model_type":"llama"}')).toBe(true);
    expect(looksLikeModelConfig('{"dim":4096,"n_layers":32,"n_heads":32,"norm_eps":1e-5}')).toBe(true);
    expect(looksLikeModelConfig('{"compilerOptions":{}}')).toBe(false);
    expect(looksLikeModelConfig('{"_from_model_config":true,"transformers_version":"4.1"}')).toBe(false);
  });

  test("is summarised in one line in both languages", () => {
    const yarn = readConfig(
      JSON.stringify({
        model_type: "qwen2",
        max_position_embeddings: 131072,
        rope_theta: 1000000.0,
        rope_scaling: { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32768 },
      }),
    );
    expect(summarise(yarn.specs)).toBe("RoPE · YaRN ×4 · θ 1e6 · 32k→131k");
    const bert = readConfig('{"model_type":"bert"}');
    expect(summarise(bert.specs)).toBe("learned · 512 positions");
    useLanguage("zh-cn");
    expect(summarise(bert.specs)).toBe("可学习 · 512 个位置");
    useLanguage("en");
  });
});

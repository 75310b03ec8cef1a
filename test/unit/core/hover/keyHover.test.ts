import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../../scripts/lib/root.ts";
import { readYamlConfig } from "../../../../src/core/config/frameworks/readYamlConfig.ts";
import { readConfig } from "../../../../src/core/config/readConfig.ts";
import { readJson } from "../../../../src/core/config/text/json.ts";
import { readYaml } from "../../../../src/core/config/text/yamlDocument.ts";
import { MAX_HOVER_LENGTH, renderHover } from "../../../../src/core/hover/hoverMarkdown.ts";
import { findKeyAt } from "../../../../src/core/hover/keyAt.ts";
import { buildKeyHover } from "../../../../src/core/hover/keyHover.ts";
import { PARAM_BY_KEY } from "../../../../src/core/hover/paramByKey.ts";
import { useLanguage } from "../../../../src/core/l10n/useLanguage.ts";

const workspace = path.join(root, "test/fixtures/workspace");
const targets = { panel: () => "command:panel", rule: (id: string) => `command:rule?${id}` };

/** The hover over a key: the last one of that name in the text, or the one at an offset. */
function hover(text: string, key: string, offset = text.lastIndexOf(`"${key}"`) + 1) {
  const { specs, problems } = readConfig(text);
  const place = findKeyAt(readJson(text), offset);
  return place === undefined ? undefined : buildKeyHover({ ...place, specs, problems }, targets);
}

function facts(text: string, key: string): Record<string, string> {
  const said = hover(text, key)?.facts ?? [];
  return Object.fromEntries(
    said.map(({ label, value, note }) => [label, note === undefined ? value : `${value} (${note})`]),
  );
}

const fixture = (name: string) => readFileSync(path.join(workspace, name, "config.json"), "utf8");
const plain = (text: string) => text.replaceAll("\u00a0", " ");

describe("the hover over a config key", () => {
  it("puts the file's numbers into the formula of YaRN", () => {
    const said = facts(fixture("qwen2.5-7b-yarn"), "factor");
    expect(plain(said["with these values"] ?? "")).toBe("4 × 32 768 = 131 072 tokens");
    // 0.1 ln 4 + 1 = 1.1386…, squared 1.2965…
    expect(said["attention factor"]).toBe("cos and sin × 1.139, scores × 1.296 (0.1 · ln 4 + 1)");
    expect(hover(fixture("qwen2.5-7b-yarn"), "factor")?.formula?.id).toBe("rope_yarn");
  });

  it("shows YaRN's bounds: d ln(L/2πβ) / (2 ln θ)", () => {
    const text = fixture("qwen2.5-7b-yarn").replace('"factor": 4.0', '"beta_fast": 32, "factor": 4.0');
    const expected = (128 * Math.log(32768 / (2 * Math.PI * 32))) / (2 * Math.log(1e6));
    expect(expected).toBeCloseTo(23.6, 1);
    expect(plain(facts(text, "beta_fast").beta_fast ?? "")).toBe(
      `k = 128 · ln(32 768/(2π · 32)) / (2 ln 1 000 000) = ${Number(expected.toPrecision(4))}`,
    );
  });

  it("shows the longest wavelength, 2π θ^((d−2)/d), and the full rotations in training", () => {
    const text = JSON.stringify({
      model_type: "llama",
      hidden_size: 4096,
      num_attention_heads: 32,
      num_hidden_layers: 32,
      max_position_embeddings: 4096,
      rope_theta: 10000,
    });
    const longest = 2 * Math.PI * 10000 ** (126 / 128);
    const pairs = Array.from({ length: 64 }, (_, k) => 2 * Math.PI * 10000 ** (k / 64)).filter((wave) => wave <= 4096);
    const said = facts(text, "rope_theta");
    expect(plain(said["with these values"] ?? "")).toBe("ω_k = 10 000^(−2k/128)");
    expect(plain(said.wavelengths ?? "")).toBe(
      `6.28 … ${plain(Math.round(longest).toLocaleString("en").replaceAll(",", " "))} tokens`,
    );
    expect(plain(said["full rotation in training"] ?? "")).toBe(`${pairs.length} of 64 pairs, within 4 096 tokens`);
  });

  it("concerns the layers of the key if layers differ", () => {
    const text = fixture("gemma-3-4b");
    expect(plain(facts(text, "rope_local_base_freq")["with these values"] ?? "")).toContain("10 000^");
    expect(plain(facts(text, "rope_theta")["with these values"] ?? "")).toContain("1 000 000^");
    expect(plain(facts(text, "sliding_window")["receptive field"] ?? "")).toBe(
      "29 667 tokens back across 29 such layers",
    );
  });

  it("shows the effective value in place of the written one, and the rule that reports it", () => {
    const text = fixture("qwen2.5-7b-yarn");
    const content = hover(text, "sliding_window");
    expect(content?.facts[0]?.label).toBe("note");
    expect(content?.links).toContainEqual({ label: "window/dead", target: "command:rule?window/dead" });
    const neox = JSON.stringify({
      model_type: "gpt_neox",
      hidden_size: 512,
      num_attention_heads: 8,
      num_hidden_layers: 2,
      max_position_embeddings: 2048,
      rotary_emb_base: 10000,
      rope_theta: 50000,
    });
    expect(plain(facts(neox, "rope_theta")["used by the model"] ?? "")).toBe("10 000 (set elsewhere in this file)");
  });

  it("explains tables, biases and slopes", () => {
    expect(plain(facts(fixture("gpt2"), "n_positions").positions ?? "")).toBe(
      "0 … 1 023; position 1 024 does not exist",
    );
    expect(facts(fixture("t5-small"), "relative_attention_num_buckets")["bucket boundaries"]).toMatch(
      /^0 1 2 3 4 5 6 7 8 12 16 23/,
    );
    expect(facts(fixture("bloom-560m"), "num_attention_heads").slopes).toBe("16 heads: 0.7071 … 0.003906");
  });

  it("is absent for unrelated keys, and for words with another meaning in the file", () => {
    const text = JSON.stringify({
      ...JSON.parse(fixture("llama-3.1-8b")),
      vocab_size: 5,
      quantization_config: { type: "int8", factor: 2, rope_theta: 1 },
    });
    for (const key of ["vocab_size", "num_hidden_layers", "num_attention_heads", "model_type"])
      expect(hover(text, key)).toBeUndefined();
    const inside = text.indexOf('"type":"int8"') + 1;
    expect(hover(text, "type", inside)).toBeUndefined();
    expect(hover(text, "factor", text.lastIndexOf('"factor"') + 1)).toBeUndefined();
    expect(hover(text, "rope_theta", text.lastIndexOf('"rope_theta"') + 1)).toBeUndefined();
  });

  it("reads YAML from its evidence", () => {
    const text =
      "pos-emb: rotary\nrotary-pct: 0.25\nhidden-size: 4096\nnum-layers: 2\nnum-attention-heads: 32\nmax-position-embeddings: 2048\nrotary_emb_base: 20000\n";
    const { specs, problems } = readYamlConfig(text);
    const place = findKeyAt(readYaml(text), text.indexOf("rotary-pct"));
    const content = place && buildKeyHover({ ...place, specs, problems }, targets);
    expect(content?.facts[0]?.value).toBe("⌊0.25 · 128⌋ = 32 of 128 dimensions rotate, 96 do not");
  });

  it("shows no made-up numbers for a model in another file", () => {
    const text =
      "base_model: x\nadapter: lora\noverrides_of_model_config:\n  rope_scaling:\n    type: yarn\n    factor: 4\n    original_max_position_embeddings: 8192\n";
    const { specs, problems } = readYamlConfig(text);
    const place = findKeyAt(readYaml(text), text.indexOf("factor"));
    const content = place && buildKeyHover({ ...place, specs, problems }, targets);
    expect(content?.facts.map(({ label }) => label)).toEqual(["with these values", "attention factor"]);
    expect(plain(content?.facts[0]?.value ?? "")).toBe("4 × 8 192 = 32 768 tokens");
  });

  it("stays bounded and escaped for any file", () => {
    const odd = JSON.stringify({
      model_type: "llama",
      hidden_size: 4096,
      num_attention_heads: 32,
      max_position_embeddings: 1e300,
      rope_theta: 1e308,
      head_dim: 1e9,
      rope_scaling: {
        rope_type: "](command:evil) <img src=x onerror=1>",
        type: "yarn",
        factor: 1e308,
        short_factor: Array(5000).fill(1),
      },
      layer_types: Array(500).fill("full_attention"),
    });
    for (const key of Object.keys(PARAM_BY_KEY)) {
      if (!odd.includes(`"${key}"`)) continue;
      const content = hover(odd, key);
      if (content === undefined) continue;
      const text = renderHover(content, { sections: "full", image: () => null });
      expect(text.length).toBeLessThan(MAX_HOVER_LENGTH);
      expect(text).not.toMatch(/(?<!\\)\]\(command:evil|<img/);
    }
  });

  it("explains every relevant key of the sample workspace in both languages", () => {
    for (const language of ["en", "zh-cn"] as const) {
      useLanguage(language);
      let said = 0;
      for (const name of readdirSync(workspace).filter((each) => statSync(path.join(workspace, each)).isDirectory())) {
        const text = fixture(name);
        for (const { index, 1: key = "" } of text.matchAll(/"(\w+)"\s*:/g)) {
          if (!/^(rope|rotary|factor|alibi|relative|sliding|n_positions|partial)/.test(key)) continue;
          const content = hover(text, key, index + 1);
          if (content === undefined) continue;
          said++;
          expect(content.summary).toMatch(language === "en" ? /[a-z]{3}/ : /[\u4e00-\u9fff]/);
        }
      }
      expect(said).toBeGreaterThan(15);
    }
    useLanguage("en");
  });
});

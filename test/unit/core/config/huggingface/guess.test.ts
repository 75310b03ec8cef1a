import { describe, expect, test } from "vitest";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import { specToJson } from "../../../../../src/core/config/report/specJson.ts";
import { summarise, summariseReading } from "../../../../../src/core/config/report/summarise.ts";

const read = (config: Readonly<Record<string, unknown>>) => readConfig(JSON.stringify(config));

/** Stack, encoding and confidence of each encoding. */
const outline = (config: Readonly<Record<string, unknown>>) =>
  read(config).specs.map(({ where, encoding, confidence }) => `${where} ${encoding} ${confidence}`);

const SIZES = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 };

describe("an unknown model type", () => {
  test.each([
    { max_position_embeddings: 512 },
    { n_positions: 1024, n_embd: 64, n_head: 4 },
    { max_position_embeddings: 2048, rms_norm_eps: 1e-5, ssm_cfg: {} },
    {},
  ])("is unknown, neither learned nor without positions: %j", (keys) => {
    const reading = read({ model_type: "nobody", ...SIZES, ...keys });
    expect([reading.format, reading.specs, reading.error]).toEqual(["hf-config", [], null]);
    expect(summariseReading(reading)).toBe("position encoding unknown");
  });

  test("is a guess where keys are a clue, and shown as one", () => {
    const reading = read({ model_type: "nobody", ...SIZES, rope_theta: 500000, max_position_embeddings: 512 });
    expect(reading.specs.map((spec) => specToJson(spec).confidence)).toEqual(["guess"]);
    expect(summariseReading(reading)).toBe("possibly RoPE · θ 5e5 · 512");
    expect(summarise(read({ model_type: "llama", ...SIZES }).specs)).toMatch(/^RoPE/);
  });

  test.each([
    [{ alibi: true }, "text alibi guess"],
    [{ rope_pct: 0.25 }, "text rope guess"],
    [{ type_vocab_size: 2 }, "text learned_absolute guess"],
    [{ position_embedding_type: "nope" }, "text none guess"],
    [{ rms_norm_eps: 1e-5, max_position_embeddings: 64 }, "text rope guess"],
  ])("%j is %s", (keys, wanted) => {
    expect(outline({ model_type: "nobody", ...SIZES, ...keys })).toEqual([wanted]);
  });

  test("has no finding above a note", () => {
    const { problems } = read({
      model_type: "nobody",
      ...SIZES,
      rope_theta: "1e6",
      rope_scaling: { rope_type: "yarn", factor: "4" },
    });
    expect(problems.length).toBeGreaterThan(1);
    expect([...new Set(problems.map(({ severity }) => severity))]).toEqual(["info"]);
  });

  test("reads the fraction, the base and the context under their other names", () => {
    const [spec] = read({ model_type: "nobody", ...SIZES, rotary_emb_base: 5000, rope_pct: 0.5, seq_length: 77 }).specs;
    expect(spec?.params).toMatchObject({ rope_theta: 5000, rotary_dim: 8, max_position_embeddings: 77 });
  });

  test("has ordinary heads if latent attention is off", () => {
    const [spec] = read({ model_type: "nobody", ...SIZES, rope_theta: 5000, qk_rope_head_dim: 0 }).specs;
    expect(spec?.params).toMatchObject({ head_dim: 16, rotary_dim: 16 });
  });
});

describe("a dictionary with its own width and heads", () => {
  const llama = { ...SIZES, model_type: "llama", rope_theta: 7 };

  test.each([["llm_cfg"], ["language_model"], ["thinker.text_config"], ["model.backbone.llm"]])(
    "is read as a model of its own type under %s",
    (path) => {
      const config = path
        .split(".")
        .toReversed()
        .reduce<Record<string, unknown>>((inner, key) => ({ [key]: inner }), llama);
      const { specs } = read({ model_type: "nobody", ...config });
      expect(specs.map(({ encoding, where, confidence }) => [encoding, where, confidence])).toEqual([
        ["rope", path.endsWith("llm") || /text|llm|language/.test(path) ? "text" : path, "automatic"],
      ]);
      expect(specs[0]?.params).toMatchObject({ rope_theta: 7, num_heads: 4 });
      expect(specs[0]?.evidence.find(({ param }) => param === "rope_theta")?.path).toEqual([
        ...path.split("."),
        "rope_theta",
      ]);
    },
  );

  test("keeps its key as its name if another has the usual one", () => {
    const vision = { hidden_size: 32, num_heads: 2, image_size: 28, patch_size: 14 };
    expect(
      outline({ model_type: "nobody", llm_cfg: llama, draft_llm: { ...llama, rope_theta: 9 }, vision_cfg: vision }),
    ).toEqual(["text rope automatic", "draft_llm rope automatic", "vision learned_absolute guess"]);
  });

  test("is not a model if it only has a width", () => {
    expect(outline({ model_type: "nobody", ...SIZES, adapter: { hidden_size: 64 } })).toEqual([]);
  });

  test("of a hostile file is looked for within bounds", () => {
    const deep = Array.from({ length: 900 }).reduce<unknown>((inner) => ({ a: inner }), llama);
    expect(outline({ model_type: "nobody", ...SIZES, deep })).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`a${i}`, llama]));
    expect(read({ model_type: "nobody", ...many }).specs.length).toBeLessThanOrEqual(32);
  });
});

test("sub-configs that are not in the file are unknown, not without positions", () => {
  expect(outline({ model_type: "vision-encoder-decoder" })).toEqual([]);
});

test("a class that is known to have no positions says so", () => {
  expect(outline({ model_type: "mamba" })).toEqual(["text none checked"]);
});

import { describe, expect, test } from "vitest";
import { readYamlConfig } from "../../../../../src/core/config/frameworks/readYamlConfig.ts";
import { UNREAD_KEY } from "../../../../../src/core/config/positionKeys/accountForKeys.ts";
import { findPositionTopic } from "../../../../../src/core/config/positionKeys/positionKeyTable.ts";
import { type ConfigReading, readConfig } from "../../../../../src/core/config/readConfig.ts";

const read = (config: Readonly<Record<string, unknown>>): ConfigReading => readConfig(JSON.stringify(config, null, 1));
const unread = ({ problems }: ConfigReading): string[] =>
  problems.filter(({ rule }) => rule === UNREAD_KEY).map(({ message }) => message);
const reasons = ({ ignored }: ConfigReading): Record<string, string> =>
  Object.fromEntries(ignored.map(({ path, reason }) => [path.join("."), reason]));

describe("keys about positions", () => {
  test("that nothing reads are reported with their value, and whose keys they are", () => {
    const reading = read({ model_type: "llama", rope_theta: 500000, rotary_pct: 0.5, rope_magic: 7 });
    expect(unread(reading)).toEqual([
      "rotary_pct 0.5 is not read for llama; it is a key of GPT-NeoX",
      "rope_magic 7 is not read for llama",
    ]);
    expect(reading.problems.map(({ severity, range }) => [severity, range.start.line])).toEqual([
      ["info", 4],
      ["info", 5],
    ]);
  });

  test("of a model that is read by its keys alone are not said to be without effect", () => {
    const reading = read({
      model_type: "unheard_of",
      hidden_size: 64,
      num_attention_heads: 4,
      rope_theta: 1e4,
      rope_magic: 7,
    });
    expect(unread(reading)).toEqual(["rope_magic 7 is not read: what it does in this model is not known"]);
  });

  test("that have no effect in this file are ignored, with the reason", () => {
    const qwen = { model_type: "qwen2", use_sliding_window: false, sliding_window: 4096, max_window_layers: 14 };
    const reading = read({ ...qwen, rope_scaling: null, rotary_dropout: 0.1, rotary_interleaved: false });
    expect(unread(reading)).toEqual([]);
    expect(reasons(reading)).toEqual({
      max_window_layers: "use_sliding_window decides instead",
      rope_scaling: "not set",
      rotary_dropout: "how positions are computed or trained, not which ones",
      rotary_interleaved: "switched off",
    });
  });

  test("that decide something are used, even if they are evidence of no parameter", () => {
    const reading = read({
      model_type: "qwen2",
      use_sliding_window: true,
      sliding_window: 4096,
      max_window_layers: 14,
    });
    expect([unread(reading), reading.ignored]).toEqual([[], []]);
  });

  test("that state what the model does anyway are not reported", () => {
    const reading = read({ model_type: "gptj", rotary: true, position_embedding_type: "rotary" });
    expect(unread(reading)).toEqual([]);
    expect(Object.keys(reasons(reading))).toEqual(["rotary", "position_embedding_type"]);
    expect(unread(read({ model_type: "gptj", position_embedding_type: "alibi" }))).toHaveLength(1);
  });

  test("inside a dictionary with a finding refer to it", () => {
    const reading = read({ model_type: "gptj", rope_scaling: { type: "linear", factor: 4 } });
    expect(reading.problems.map(({ rule }) => rule)).toEqual(["rope/scaling-unread"]);
    expect(reasons(reading)).toEqual({
      "rope_scaling.type": "see the finding at rope_scaling",
      "rope_scaling.factor": "see the finding at rope_scaling",
    });
  });

  test("are accounted for in YAML too", () => {
    const text =
      "pos-emb: rotary\nrotary-pct: 0.25\nnum-layers: 2\nhidden-size: 64\nnum-attention-heads: 4\nrotary-magic: 3\n";
    expect(unread(readYamlConfig(text))).toEqual(["rotary-magic 3 is not read for neox-yaml"]);
  });
});

describe("a key is about", () => {
  test.each([
    ["rope_theta", "encoding"],
    ["rotary-emb-base", "encoding"],
    ["ropeTheta", "encoding"],
    ["relative_attention_num_buckets", "encoding"],
    ["position_embedding_type", "encoding"],
    ["use_rel_pos_bias", "encoding"],
    ["n_positions", "length"],
    ["max_seq_len", "length"],
    ["seq_length", "length"],
    ["sliding_window", "window"],
    ["layer_types", "window"],
    ["rope_dropout", "computation"],
    ["apply_rope_fusion", "computation"],
    ["liger_rope", "computation"],
  ])("%s: %s", (name, topic) => {
    expect(findPositionTopic(["model", name])).toBe(topic);
  });

  test.each([
    "max_new_tokens",
    "max_length",
    "pad_token_position",
    "position_ids",
    "adam_beta1",
    "beta",
    "relative_step",
    "loss_scale_window",
    "pos_train_data_paths",
    "decomposition",
    "hidden_size",
    "eos_token_id",
    "property",
    "europe",
    "model_type",
  ])("something else: %s", (name) => {
    expect(findPositionTopic([name])).toBeUndefined();
  });

  test("its section, unless that is the optimiser's or the tokenizer's", () => {
    expect(findPositionTopic(["rope_scaling", "factor"])).toBe("encoding");
    expect(findPositionTopic(["optimizer", "theta"])).toBeUndefined();
    expect(findPositionTopic(["tokenizer", "max_seq_len"])).toBeUndefined();
  });
});

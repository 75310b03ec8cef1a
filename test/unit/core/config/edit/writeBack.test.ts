import { describe, expect, it } from "vitest";
import { computeWriteBack } from "../../../../../src/core/config/edit/writeBack.ts";
import { readYamlConfig } from "../../../../../src/core/config/frameworks/readYamlConfig.ts";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import { checkParams, pickKnownParams, suggestParams } from "../../../../../src/core/encodings/support/schema.ts";
import type { EncodingSpec, Params } from "../../../../../src/core/spec.ts";
import { readFixture } from "../../../support/files.ts";
import { knownEncoding } from "../../../support/knownEncoding.ts";

function sample(model: string): string {
  return readFixture(`workspace/${model}/config.json`);
}

/** Parameters of the panel after a user's changes. */
function changedParams(spec: EncodingSpec, changes: Params): Params {
  const encoding = knownEncoding(spec.encoding);
  const base = checkParams(encoding, pickKnownParams(encoding, spec.params)).params;
  return suggestParams(encoding, { ...base, ...changes });
}

function writeChanges(text: string, changes: Params, index = 0) {
  const { format, specs } = readConfig(text);
  const spec = specs[index];
  if (spec === undefined) throw new Error("no encoding");
  const { edit, unwritable } = computeWriteBack(text, format, spec, changedParams(spec, changes));
  const result =
    edit === null ? text : text.slice(0, edit.offset) + edit.content + text.slice(edit.offset + edit.length);
  return { result, left: unwritable, edit, again: readConfig(result).specs[index] };
}

describe("write back", () => {
  it("changes the value in place and nothing else", () => {
    const text = sample("qwen2.5-7b-yarn");
    const { result, left } = writeChanges(text, { rope_theta: 5_000_000 });
    expect(left).toEqual([]);
    const lines = text.split("\n");
    const changed = result.split("\n").filter((line, n) => line !== lines[n]);
    expect(changed).toEqual([expect.stringMatching(/^ {2}"rope_theta": 5000000(\.0)?,$/)]);
  });

  it("writes into the scaling dictionary and into the stack's own object", () => {
    const { again } = writeChanges(sample("qwen2.5-7b-yarn"), { factor: 2, beta_fast: 16 });
    expect(again?.params).toMatchObject({ factor: 2, beta_fast: 16, rope_type: "yarn" });
    const gemma = writeChanges(sample("gemma-3-4b"), { rope_theta: 2_000_000, factor: 4 }, 1);
    expect(gemma.again?.params).toMatchObject({ rope_theta: 2_000_000, factor: 4 });
    expect(gemma.result).toContain('"rope_local_base_freq": 10000');
  });

  it("keeps comments, tabs and the spelling of floats", () => {
    const text =
      '{\n\t// a base of our own\n\t"model_type": "llama",\n\t"num_attention_heads": 32, /* heads */\n\t"hidden_size": 4096,\n\t"rope_theta": 10000.0, // trained\n}\n';
    const { result } = writeChanges(text, { rope_theta: 500_000 });
    expect(result).toBe(text.replace("10000.0", "500000.0"));
  });

  it("adds missing scaling in the form of transformers 4 or 5", () => {
    const plain =
      '{\n  "model_type": "llama",\n  "max_position_embeddings": 4096,\n  "rope_theta": 10000.0,\n  "rope_scaling": null\n}\n';
    const four = writeChanges(plain, { rope_type: "yarn", factor: 8 });
    expect(JSON.parse(four.result)).toMatchObject({ rope_scaling: { rope_type: "yarn", factor: 8 } });
    expect(four.result).toContain('"factor": 8.0');
    expect(four.again?.params).toMatchObject({ rope_type: "yarn", factor: 8, rope_theta: 10_000 });
    const newer =
      '{\n  "model_type": "llama",\n  "rope_parameters": {\n    "rope_theta": 10000.0,\n    "rope_type": "default"\n  }\n}\n';
    const five = writeChanges(newer, { rope_type: "linear", factor: 4, rope_theta: 20_000 });
    expect(JSON.parse(five.result)).toEqual({
      model_type: "llama",
      rope_parameters: { rope_theta: 20_000, rope_type: "linear", factor: 4 },
    });
    expect(five.result).toContain("20000.0");
  });

  it("writes keys that transformers requires even if they equal Posenc's default", () => {
    const { result, again } = writeChanges(sample("qwen2.5-7b-yarn"), { rope_type: "llama3", factor: 8 });
    expect(JSON.parse(result).rope_scaling).toEqual({
      type: "llama3",
      factor: 8,
      original_max_position_embeddings: 32_768,
      low_freq_factor: 1,
      high_freq_factor: 4,
    });
    expect(again?.params).toMatchObject({ rope_type: "llama3", low_freq_factor: 1, high_freq_factor: 4 });
  });

  it("removes keys that the new type does not use, and the whole scaling for the type default", () => {
    const linear = writeChanges(sample("llama-3.1-8b"), { rope_type: "linear", factor: 4 });
    expect(JSON.parse(linear.result).rope_scaling).toEqual({ rope_type: "linear", factor: expect.closeTo(4) });
    const none = writeChanges(sample("qwen2.5-7b-yarn"), { rope_type: "default" });
    expect(JSON.parse(none.result).rope_scaling).toBeNull();
    expect(none.again?.params).toMatchObject({ rope_type: "default", rope_theta: 1_000_000 });
  });

  it("uses the key names of other models", () => {
    expect(JSON.parse(writeChanges(sample("gpt2"), { max_position_embeddings: 2048 }).result).n_positions).toBe(2048);
    expect(
      JSON.parse(writeChanges(sample("t5-small"), { num_buckets: 64 }).result).relative_attention_num_buckets,
    ).toBe(64);
  });

  it("reports values that no key of the file can hold", () => {
    const { edit, left } = writeChanges(sample("llama-3.1-8b"), { layout: "interleaved" });
    expect(edit).toBeNull();
    expect(left).toEqual([{ param: "layout", reason: expect.stringContaining("not by a key of this file") }]);
    expect(writeChanges(sample("llama-3.1-8b"), { rope_type: "ntk" }).left.map(({ param }) => param)).toContain(
      "rope_type",
    );
    const patches = writeChanges(sample("gemma-3-4b"), { max_position_embeddings: 1024 }, 2);
    expect([patches.edit, patches.left.length]).toEqual([null, 1]);
    const local = writeChanges(sample("gemma-3-4b"), { rope_type: "yarn", factor: 2 });
    expect([local.edit, local.left[0]?.reason]).toEqual([null, "text_config.rope_scaling belongs to other layers"]);
  });

  it("changes nothing if no value has changed", () => {
    for (const model of ["qwen2.5-7b-yarn", "gemma-3-4b", "llama-3.1-8b", "gpt2", "t5-small", "bloom-560m"]) {
      expect(writeChanges(sample(model), {}), model).toMatchObject({ edit: null, left: [] });
    }
  });

  it("replaces scalars of a YAML file and leaves checkpoints unchanged", () => {
    const text =
      "name: llama # a comment\nrope_base: 10000\nn_head: 32\nn_embd: 4096\nblock_size: 4096\nrotary_percentage: 1.0\nn_layer: 2\n";
    const reading = readYamlConfig(text);
    const spec = reading?.specs[0];
    if (reading === undefined || spec === undefined) throw new Error("not read");
    const { edit } = computeWriteBack(text, reading.format, spec, changedParams(spec, { rope_theta: 500_000 }));
    expect(edit).toEqual({ offset: text.indexOf("10000"), length: expect.any(Number), content: expect.any(String) });
    const result =
      edit === null ? "" : text.slice(0, edit.offset) + edit.content + text.slice(edit.offset + edit.length);
    expect(result).toBe(text.replace("rope_base: 10000", "rope_base: 500000"));
    const refused = computeWriteBack("", "gguf", spec, changedParams(spec, { rope_theta: 5 }));
    expect([refused.edit, refused.unwritable.map(({ param }) => param)]).toEqual([null, ["rope_theta"]]);
  });
});

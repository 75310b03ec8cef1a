import { describe, expect, it } from "vitest";
import { ropeCompletions } from "../../../../src/core/completion/ropeCompletion.ts";
import { SCALING_TYPES } from "../../../../src/core/completion/ropeSnippets.ts";
import { yamlCompletions } from "../../../../src/core/completion/yamlCompletion.ts";
import { readYamlConfig } from "../../../../src/core/config/frameworks/readYamlConfig.ts";
import { readConfig } from "../../../../src/core/config/readConfig.ts";
import { ROPE_TYPE_KEYS } from "../../../../src/core/config/rules/support/ropeKeys.ts";
import { config } from "../../support/llamaConfig.ts";

/** A valid config with more text typed at its end; `|` is the cursor. */
const typed = (more: string, sound = config()) => `${sound.slice(0, -1)}, ${more}}`;

function complete(marked: string) {
  const offset = marked.indexOf("|");
  const text = marked.replace("|", "");
  return { text, found: ropeCompletions(text, offset, readConfig(text).specs) };
}

const labels = (marked: string) => complete(marked).found?.items.map(({ label }) => label) ?? [];

/** The text after accepting an item, with every tab stop unchanged. */
function take(marked: string, label: string, kind?: string): string {
  const { text, found } = complete(marked);
  const item = found?.items.find((each) => each.label === label && (kind === undefined || each.kind === kind));
  if (found === undefined || item === undefined) throw new Error(`${label} is not offered`);
  const plain = item.insert.replace(/\$\{\d+:((?:[^\\}]|\\.)*)\}/g, (_, value: string) =>
    value.replace(/\\(.)/g, "$1"),
  );
  return text.slice(0, found.start) + plain + text.slice(found.end);
}

const without = (key: string) => config({ [key]: undefined });

describe("completion in a RoPE dictionary", () => {
  it("offers the keys of the given type, required keys first", () => {
    const keys = labels(typed('"rope_scaling": {"rope_type": "yarn", "|"}'));
    expect(keys.slice(0, 2)).toEqual(["factor", "original_max_position_embeddings"]);
    expect(keys).toEqual(expect.arrayContaining([...(ROPE_TYPE_KEYS.yarn?.optional ?? [])]));
    expect(keys).not.toContain("rope_type");
    expect(keys).not.toContain("low_freq_factor");
  });

  it("skips keys that are present, and reads the older name of the type key", () => {
    const keys = labels(typed('"rope_scaling": {"type": "llama3", "factor": 8.0, |}'));
    expect(keys).toEqual(["original_max_position_embeddings", "low_freq_factor", "high_freq_factor"]);
  });

  it("documents each key from the encoding's schema, with its default", () => {
    const { found } = complete(typed('"rope_scaling": {"rope_type": "yarn", |}'));
    const fast = found?.items.find(({ label }) => label === "beta_fast");
    expect(fast?.documentation).toMatch(/Pairs with more rotations than this.*Default: 32/);
    expect(fast?.detail).toBe("optional");
    expect(found?.items[0]?.detail).toBe("required by yarn");
  });

  it("offers types as values, with name, meaning and formula", () => {
    const { found } = complete(typed('"rope_scaling": {"rope_type": "|"}'));
    expect(found?.items.map(({ label }) => label)).toEqual(SCALING_TYPES);
    expect(found?.items.find(({ label }) => label === "yarn")?.documentation).toMatch(
      /YaRN: keeps high frequencies[\s\S]*ω′_k/,
    );
  });

  it("replaces the string at the cursor including its quotes", () => {
    expect(take(typed('"rope_scaling": {"rope_type": "ya|"}'), "yarn")).toBe(
      typed('"rope_scaling": {"rope_type": "yarn"}'),
    );
    expect(take(typed('"rope_scaling": {"rope_type": "yarn", "fa|ctor": 2.0}'), "beta_fast")).toContain(
      '"beta_fast": 2.0}',
    );
  });

  it("keeps the next key even if its opening quote seems to close the string at the cursor", () => {
    const text = typed('"rope_scaling": {"rope_type": "yarn", "be|"factor": 4.0}');
    expect(take(text, "beta_fast")).toContain('"yarn", "beta_fast": 32.0,"factor": 4.0}');
  });

  it("adds a comma before another key and none at the end", () => {
    expect(take(typed('"rope_scaling": {| "rope_type": "linear"}'), "factor")).toContain('{"factor": 4.0, "rope_type"');
    expect(take(typed('"rope_scaling": {"rope_type": "linear", |}'), "factor")).toContain('"factor": 4.0}');
  });

  it.each(SCALING_TYPES)("inserts a whole %s dictionary without findings", (type) => {
    const text = take(typed('"rope_parameters": |', without("rope_theta")), type);
    const { specs, problems, error } = readConfig(text);
    expect(error).toBeNull();
    expect(specs[0]?.params.rope_type).toBe(type);
    expect(problems.filter(({ severity, rule }) => severity !== "info" && rule !== "rope/factor-mismatch")).toEqual([]);
  });

  it("starts a dictionary with the numbers of the file", () => {
    const text = take(typed('"rope_scaling": |'), "yarn");
    expect(JSON.parse(text).rope_scaling).toEqual({
      rope_type: "yarn",
      factor: 4,
      original_max_position_embeddings: 4096,
    });
    const long = JSON.parse(take(typed('"rope_scaling": null|'), "longrope"));
    expect(long.rope_scaling.short_factor).toHaveLength(64);
    expect(labels(typed('"rope_scaling": |'))).toContain("null");
  });

  it("offers one dictionary for each layer type that the file names", () => {
    const layered = config({ layer_types: ["full_attention", "sliding_attention", "full_attention"] });
    const keys = labels(typed('"rope_parameters": {|}', layered));
    expect(keys).toEqual(expect.arrayContaining(["full_attention", "sliding_attention"]));
    const inner = labels(typed('"rope_parameters": {"full_attention": {"rope_type": "linear", |}}', layered));
    expect(inner).toEqual(["factor", "rope_theta", "partial_rotary_factor"]);
  });

  it("offers the dictionary in the form that the file's transformers version reads", () => {
    expect(labels(typed("|"))).toEqual(["rope_scaling"]);
    const five = config({ transformers_version: "5.1.0", rope_theta: undefined });
    expect(labels(typed("|", five))).toEqual(["rope_parameters"]);
    expect(JSON.parse(take(typed("|", five), "rope_parameters")).rope_parameters.rope_theta).toBe(10000);
  });

  it("offers nothing elsewhere or for models without rotation", () => {
    expect(labels(typed('"quantization_config": {|}'))).toEqual([]);
    expect(labels(typed('"hidden_act": "|"'))).toEqual([]);
    const bert = JSON.stringify({
      model_type: "bert",
      hidden_size: 768,
      num_attention_heads: 12,
      num_hidden_layers: 12,
      max_position_embeddings: 512,
    });
    expect(labels(typed('"rope_scaling": {|}', bert))).toEqual([]);
  });

  it("offers true and false for boolean keys", () => {
    const { found } = complete(typed('"rope_scaling": {"rope_type": "yarn", "truncate": |}'));
    expect(found?.items.map(({ label, detail }) => [label, detail])).toEqual([
      ["true", "default"],
      ["false", ""],
    ]);
  });

  it("works at any cursor position in any prefix of a file", () => {
    const text = typed(
      '"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}',
    );
    const { specs } = readConfig(text);
    for (let end = 0; end <= text.length; end += 3) {
      for (let offset = Math.max(0, end - 40); offset <= end; offset += 7) {
        const found = ropeCompletions(text.slice(0, end), offset, specs);
        if (found !== undefined) expect(found.start).toBeLessThanOrEqual(offset);
      }
    }
  });
});

describe("completion in files of training frameworks", () => {
  const axolotl = "base_model: x\nadapter: lora\n";
  const scaling = `${axolotl}overrides_of_model_config:\n  rope_scaling:\n`;

  function completionsAt(marked: string) {
    const offset = marked.indexOf("|");
    const text = marked.replace("|", "");
    const found = yamlCompletions(text, offset);
    return { text, found, labels: found?.items.map(({ label }) => label) ?? [] };
  }

  /** The file after accepting an item, indented by the editor below the cursor's line. */
  function acceptCompletion(marked: string, label: string): string {
    const { text, found } = completionsAt(marked);
    const item = found?.items.find((each) => each.label === label);
    if (found === undefined || item === undefined) throw new Error(`${label} is not offered`);
    const line = text.slice(text.lastIndexOf("\n", found.start - 1) + 1, found.start);
    const indent = /^ */.exec(line)?.[0] ?? "";
    const plain = item.insert.replace(/\$\{\d+:([^}]*)\}/g, "$1").replace(/\$\{\d+\|(\w+)[^}]*\}/g, "$1");
    const insert = plain.replaceAll("\n", `\n${indent}`).replaceAll("\t", "  ");
    return text.slice(0, found.start) + insert + text.slice(found.end);
  }

  it("offers the transformers dictionary below axolotl's overrides of the model config", () => {
    expect(completionsAt(`${scaling}    rope_type: yarn\n    # far\n    fa|\n  rope_theta: 5\n`).labels).toEqual([
      ...(ROPE_TYPE_KEYS.yarn?.required ?? []),
      ...(ROPE_TYPE_KEYS.yarn?.optional ?? []),
    ]);
    expect(completionsAt(`${scaling}    type: "l|"\n`).labels).toEqual(SCALING_TYPES);
    expect(completionsAt(`${axolotl}|`).labels).toEqual(["overrides_of_model_config"]);
    expect(completionsAt(`${axolotl}overrides_of_model_config:\n  |`).labels).toEqual(["rope_scaling"]);
  });

  it.each([
    [`${axolotl}|`, "overrides_of_model_config", "yarn"],
    [`${axolotl}overrides_of_model_config:\n  r|`, "rope_scaling", "yarn"],
    [`${axolotl}overrides_of_model_config:\n  rope_scaling: |`, "llama3", "llama3"],
    [`${scaling}    |`, "linear", "linear"],
    [`${scaling}    rope_type:|`, "dynamic", "dynamic"],
    ["model_name_or_path: a\nstage: sft\n|", "rope_scaling", "linear"],
    ["model_name_or_path: a\nstage: sft\nrope_scaling: y|", "yarn", "yarn"],
    ["block_size: 8192\nn_layer: 2\nn_head: 2\nn_embd: 256\nrope_base: 10000\n|", "rope_adjustments", "llama3"],
    [
      "model:\n  n_heads: 2\n  d_model: 256\n  attn_config:\n    rope: true\n    rope_impl: hf\n    |",
      "rope_hf_config",
      "no_scaling",
    ],
  ])("inserts values that the reader understands: %j, %s", (marked, label, type) => {
    const text = acceptCompletion(marked, label);
    const { specs, error, problems } = readYamlConfig(text);
    expect({ error, problems: problems.filter(({ severity }) => severity !== "info") }).toEqual({
      error: null,
      problems: [],
    });
    expect(specs[0]?.params.rope_type).toBe(type === "no_scaling" ? "default" : type);
  });

  it("offers the values of each format with the encodings that they select", () => {
    const neox = completionsAt('pos-emb: "ro|"\nnum-layers: 2\n');
    expect(neox.labels).toEqual(["rotary", "alibi", "rpe", "sinusoidal", "learned", "none"]);
    expect(neox.found?.items[1]?.detail).toContain("ALiBi");
    expect(acceptCompletion("pos_emb: learned\nrotary_|\n", "rotary_emb_base")).toContain("rotary_emb_base: 10000\n");
    expect(completionsAt("model:\n  num_layers: 2\n  rotary_base: 1\n  |").labels).toContain("position_embedding_type");
    expect(completionsAt("model:\n  num_layers: 2\n  rotary_base: 1\n|").labels).toEqual([]);
  });

  it("offers no arguments that torchtune's builders of a fixed size reject", () => {
    const model = (name: string) => `model:\n  _component_: torchtune.models.${name}\n  |`;
    expect(completionsAt(model("llama3_1.llama3_1")).labels).toEqual(["rope_base", "scale_factor"]);
    expect(completionsAt(model("mistral.mistral")).labels).toEqual(["rope_base"]);
    for (const name of ["llama3_1.lora_llama3_1_8b", "qwen2_5.qwen2_5_0_5b", "phi3.phi3_mini"])
      expect(completionsAt(model(name)).labels).toEqual([]);
  });

  it("offers nothing in comments, lists, other keys and other files", () => {
    for (const marked of [
      `${scaling}    # rope_type: |`,
      `${axolotl}datasets:\n  - path: |`,
      `${axolotl}wandb:\n  |`,
      `${scaling}    factor: 4.0\n      |`,
      "services:\n  web:\n    |",
    ])
      expect(completionsAt(marked).labels).toEqual([]);
  });

  it("works at any cursor position in any prefix of a framework file", () => {
    const text = `${scaling}    rope_type: "yarn"\r\n    factor: 4.0\n\tbeta_fast: [1,\n  rope_theta: 5\n`;
    for (let end = 0; end <= text.length; end++) {
      const found = yamlCompletions(text.slice(0, end), Math.max(0, end - (end % 9)));
      if (found !== undefined) expect(found.start).toBeLessThanOrEqual(found.end);
    }
  });
});

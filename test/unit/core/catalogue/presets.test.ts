import { describe, expect, it } from "vitest";
import { PRESETS } from "../../../../src/core/catalogue/presets.ts";
import { readConfig } from "../../../../src/core/config/readConfig.ts";
import { encodingById } from "../../../../src/core/encodings/index.ts";
import { checkParams, pickKnownParams } from "../../../../src/core/encodings/support/schema.ts";
import { initialPanelState } from "../../../../src/core/protocol/state.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import { choosePreset } from "../../../../webview/state/reducers.ts";
import { readFixture } from "../../support/files.ts";

const preset = (name: string) => {
  const found = PRESETS.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no preset ${name}`);
  return found;
};

/** Name of a preset, sample config, and which of its encodings. */
const SAMPLES = [
  ["Llama 3.1 8B", "llama-3.1-8b", 0],
  ["Qwen2.5 7B YaRN ×4", "qwen2.5-7b-yarn", 0],
  ["Mistral 7B v0.3", "mistral-7b-v0.3", 0],
  ["Gemma 3 4B, sliding layers", "gemma-3-4b", 0],
  ["Gemma 3 4B, full layers", "gemma-3-4b", 1],
  ["GPT-2", "gpt2", 0],
  ["BERT base", "bert-base-uncased", 0],
  ["BLOOM 560M", "bloom-560m", 0],
  ["T5 small, encoder", "t5-small", 0],
  ["T5 small, decoder", "t5-small", 1],
  ["DeBERTa v3 base", "deberta-v3-base", 0],
  ["ChatGLM3 6B", "chatglm3-6b", 0],
  ["Baichuan 13B", "baichuan-13b", 0],
] as const;

describe("presets of known models", () => {
  it.each(PRESETS.map((one) => [one.name, one] as const))("have valid parameters that can be drawn: %s", (_, one) => {
    const model = derivePanelEncoding(choosePreset(one)(initialPanelState("none")), null);
    expect(model?.problems).toEqual([]);
    expect(model?.resolved).not.toBeNull();
    expect(model?.params).toMatchObject(one.values);
  });

  it.each(SAMPLES)("have the values of the model's own config: %s", (name, folder, index) => {
    const spec = readConfig(readFixture(`workspace/${folder}/config.json`)).specs[index];
    const { encoding: id, values } = preset(name);
    const encoding = encodingById(id);
    if (spec === undefined || encoding === undefined) throw new Error("nothing to compare with");
    expect(spec.encoding).toBe(id);
    const own = checkParams(encoding, pickKnownParams(encoding, spec.params)).params;
    for (const [param, value] of Object.entries(checkParams(encoding, values).params)) {
      if (param in values) expect([param, own[param] ?? null]).toEqual([param, value]);
    }
  });

  it("have unique names and are the values that a reset restores", () => {
    expect(new Set(PRESETS.map(({ name }) => name)).size).toBe(PRESETS.length);
    const chosen = choosePreset(preset("Llama 3.1 8B"))(initialPanelState("alibi"));
    const model = derivePanelEncoding({ ...chosen, changes: { rope_theta: 1 } }, null);
    const theta = model?.controls.find(({ parameter }) => parameter.name === "rope_theta");
    expect(theta).toMatchObject({ value: 1, source: "you", base: 500_000, baseSource: "config" });
  });
});

import { describe, expect, test } from "vitest";
import { applyFix } from "../../../../../src/core/config/edit/applyFix.ts";
import { TRANSFORMERS_RUN } from "../../../../../src/core/config/huggingface/readingView.ts";
import { applySeverities } from "../../../../../src/core/config/project/severities.ts";
import { type ConfigReading, readConfig } from "../../../../../src/core/config/readConfig.ts";
import { specAsRun } from "../../../../../src/core/config/runs.ts";

const read = (config: Readonly<Record<string, unknown>>): ConfigReading => readConfig(JSON.stringify(config, null, 2));
const findings = ({ problems }: ConfigReading) => problems.filter(({ rule }) => rule === "config/read-otherwise");

/** databricks/dbrx-base, config.json (sizes and base). */
const DBRX = { model_type: "dbrx", attn_config: { rope_theta: 500000 }, d_model: 6144, n_heads: 48, n_layers: 40 };

describe("what a file declares, and what transformers 5.18 makes of it", () => {
  test("DBRX's base in attn_config: both, with the effect and a fix", () => {
    const reading = read(DBRX);
    expect(reading.specs.map(({ params, runs }) => [params.rope_theta, runs])).toEqual([
      [500000, { [TRANSFORMERS_RUN]: { rope_theta: 10000 } }],
    ]);
    const [finding] = findings(reading);
    expect([finding?.severity, finding?.path, finding?.message]).toEqual([
      "warning",
      ["attn_config", "rope_theta"],
      "attn_config.rope_theta 500000 is not read by transformers 5.18, which uses 10000: scores differ from distance 2",
    ]);
    const { specs } = readConfig(applyFix(JSON.stringify(DBRX), finding?.fix ?? { title: "", changes: [] }));
    expect(specs.map(({ params, runs }) => [params.rope_theta, runs])).toEqual([[500000, undefined]]);
  });

  test("relative keys of the BERT family: distances are declared, the learned table runs", () => {
    for (const kind of ["relative_key", "relative_key_query"]) {
      const reading = read({ model_type: "bert", max_position_embeddings: 128, position_embedding_type: kind });
      const [spec] = reading.specs;
      expect(spec).toMatchObject({
        encoding: "shaw",
        params: { max_relative_position: 127, position_embeddings_type: kind },
      });
      expect(spec && specAsRun(spec, TRANSFORMERS_RUN)).toMatchObject({
        encoding: "learned_absolute",
        params: { max_position_embeddings: 128, usable_positions: 128 },
      });
      expect(findings(reading).map(({ severity }) => severity)).toEqual(["error"]);
    }
    expect(findings(read({ model_type: "bert", position_embedding_type: "absolute" }))).toEqual([]);
    const layout = read({ model_type: "layoutlm", position_embedding_type: "relative_key" });
    expect(layout.specs.map(({ encoding, where }) => [encoding, where])).toEqual([
      ["shaw", "text"],
      ["learned_absolute", "layout"],
    ]);
  });

  test("MPT with rotation, a table, or another largest bias: transformers runs ALiBi with 8", () => {
    const encodings = (attn_config: unknown) => {
      const [spec] = read({ model_type: "mpt", attn_config }).specs;
      const run = spec && specAsRun(spec, TRANSFORMERS_RUN);
      return [spec?.encoding, run?.encoding, run?.params.alibi_bias_max];
    };
    expect(encodings({ alibi: false, rope: true, rope_theta: 500000 })).toEqual(["rope", "alibi", 8]);
    expect(encodings({ alibi: false })).toEqual(["learned_absolute", "alibi", 8]);
    expect(encodings({ alibi: true, alibi_bias_max: 16 })).toEqual(["alibi", "alibi", 8]);
    // MosaicML published StoryWriter with 16, so that it is not the user's error.
    const story = findings(read({ model_type: "mpt", attn_config: { alibi: true, alibi_bias_max: 16 } }));
    expect(story.map(({ severity }) => severity)).toEqual(["warning"]);
    expect(findings(read({ model_type: "mpt", attn_config: { alibi: true, alibi_bias_max: 8 } }))).toEqual([]);
  });

  test("a base beside a class's default dictionary", () => {
    const [spec] = read({ model_type: "apertus", rope_theta: 12345 }).specs;
    expect([spec?.params.rope_theta, spec?.runs]).toEqual([12345, { [TRANSFORMERS_RUN]: { rope_theta: 12000000 } }]);
    expect(findings(read({ model_type: "apertus" }))).toEqual([]);
  });

  test("a fraction inside a sub-config", () => {
    const reading = read({ model_type: "llava", text_config: { model_type: "llama", partial_rotary_factor: 0.5 } });
    expect(findings(reading).map(({ message }) => message)).toEqual([
      "text_config.partial_rotary_factor 0.5 is not read by transformers 5.18, which uses all 128 dimensions: scores differ from distance 2",
    ]);
  });

  test("the ids of the rules that it replaces still work in settings", () => {
    const problems = findings(read(DBRX));
    expect(applySeverities(problems, { "rope/dbrx-theta": "off" })).toEqual([]);
    expect(applySeverities(problems, { "rope/*": "off" })).toHaveLength(1);
    expect(applySeverities(problems, { "config/read-otherwise": "info" })[0]?.severity).toBe("info");
  });
});

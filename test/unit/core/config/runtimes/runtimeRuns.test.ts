import { expect, test } from "vitest";
import { TRANSFORMERS_RUN } from "../../../../../src/core/config/huggingface/readingView.ts";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import { specAsRun } from "../../../../../src/core/config/runs.ts";
import { buildRuntimeTables } from "../../../../../src/core/config/runtimes/index.ts";
import { addRuntimeRuns } from "../../../../../src/core/config/runtimes/runtimeRuns.ts";
import { runSide } from "../../../../../src/core/protocol/runSide.ts";

function readWithRuns(config: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify(config);
  const reading = readConfig(text);
  return addRuntimeRuns(reading.specs, buildRuntimeTables(text, reading));
}

test("every runtime that reads something else is beside the declared encoding", () => {
  const [spec] = readWithRuns({ model_type: "llama", rope_parameters: { rope_type: "default", rope_theta: 500000 } });
  if (spec === undefined) throw new Error("no encoding");
  expect(spec.params.rope_theta).toBe(500000);
  // transformers 4.57 does not read rope_parameters.
  expect(spec.runs?.["transformers 4.x"]).toEqual({ rope_theta: 10000 });
  expect(spec.runs).not.toHaveProperty("transformers 5.x");
  expect(specAsRun(spec, "transformers 4.x").params).toEqual({ ...spec.params, rope_theta: 10000 });
});

test("a file that all runtimes read alike has no runs", () => {
  const [spec] = readWithRuns({ model_type: "llama", rope_theta: 500000 });
  expect(spec?.runs).toBeUndefined();
});

test("the table of runtimes belongs to its encoding, even where transformers 5.18 reads the file otherwise", () => {
  const text = JSON.stringify({ model_type: "olmo3", rope_theta: 10000 });
  const reading = readConfig(text);
  const tables = buildRuntimeTables(text, reading);
  expect(tables.map(({ spec }) => spec)).toEqual([0, 1]);
  const bases = tables[0]?.rows.find(({ id }) => id === "rope_theta")?.cells.map(({ value }) => value);
  expect(bases?.[1]).toBe(500000);
});

test("one side of a comparison follows the file, or has the values of a run", () => {
  const { specs } = readConfig(JSON.stringify({ model_type: "dbrx", attn_config: { rope_theta: 500000 } }));
  const [spec] = specs;
  if (spec === undefined) throw new Error("no encoding");
  const config = { uri: "file:///dbrx/config.json", index: 0 };
  expect(runSide(spec, null, config)).toEqual({ encoding: "rope", config, given: null, changes: {} });
  const run = runSide(spec, TRANSFORMERS_RUN, config);
  expect([run.config, run.given?.name, run.given?.values.rope_theta]).toEqual([null, TRANSFORMERS_RUN, 10000]);
  const bert = readConfig(JSON.stringify({ model_type: "bert", position_embedding_type: "relative_key" })).specs[0];
  expect(bert && runSide(bert, TRANSFORMERS_RUN, config).encoding).toBe("learned_absolute");
});

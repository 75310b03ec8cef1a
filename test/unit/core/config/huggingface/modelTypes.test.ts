import { expect, test } from "vitest";
import { findModelType, modelTypeNames } from "../../../../../src/core/config/huggingface/modelTypes.ts";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import { COMMON_PARAMS } from "../../../../../src/core/config/specBuilder.ts";
import { ENCODING_IDS } from "../../../../../src/core/spec.ts";

const IDS: ReadonlySet<string> = new Set(ENCODING_IDS);

test("the model table contains every model type of transformers 5.18 and common remote ones", () => {
  const names = modelTypeNames();
  expect(names.length).toBe(735);
  for (const name of ["llama", "qwen3_next", "gemma3_text", "t5", "bert", "chatglm", "baichuan"])
    expect(names).toContain(name);
});

test("the model table names known encodings and existing references only", () => {
  for (const name of modelTypeNames()) {
    for (const stack of findModelType(name)?.stacks ?? []) {
      if (stack.reference === undefined) expect([name, IDS.has(stack.encoding ?? "none")]).toEqual([name, true]);
      else if (stack.reference !== "*")
        expect([name, findModelType(stack.reference) !== undefined]).toEqual([name, true]);
    }
  }
});

test.each(modelTypeNames())("a config with only the model type %s gives the defaults of its class", (name) => {
  const { specs, problems, error, modelType } = readConfig(JSON.stringify({ model_type: name }));
  expect([modelType, error]).toEqual([name, null]);
  // Remote code has no class here, so sizes that are not in the file are missing.
  const complaints =
    findModelType(name)?.remoteCode === true
      ? problems.filter(({ rule }) => rule !== "config/missing-value")
      : problems;
  expect(complaints).toEqual([]);
  for (const spec of specs) {
    expect(Object.keys(spec.params)).toEqual(expect.arrayContaining([...COMMON_PARAMS]));
    expect(spec.evidence).toEqual([]);
    expect(Object.values(spec.sources)).not.toContain("config");
    for (const [param, value] of Object.entries(spec.params)) {
      if (value !== null) expect([param, spec.sources[param]]).not.toEqual([param, undefined]);
    }
  }
});

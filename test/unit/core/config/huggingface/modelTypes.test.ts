import { expect, test } from "vitest";
import { layerTypeRuleNames } from "../../../../../src/core/config/huggingface/layers.ts";
import table from "../../../../../src/core/config/huggingface/modelTypes.json" with { type: "json" };
import { findModelType, modelTypeNames } from "../../../../../src/core/config/huggingface/modelTypes.ts";
import remoteTable from "../../../../../src/core/config/huggingface/remoteModelTypes.json" with { type: "json" };
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import { ROPE_TYPE_KEYS } from "../../../../../src/core/config/rules/support/ropeKeys.ts";
import { COMMON_PARAMS } from "../../../../../src/core/config/specBuilder.ts";
import { ENCODING_IDS } from "../../../../../src/core/spec.ts";

const IDS: ReadonlySet<string> = new Set(ENCODING_IDS);

test("the model table contains every model type of transformers 5.18 and common remote ones", () => {
  const names = modelTypeNames();
  expect(Object.keys(table)).toHaveLength(735);
  expect(names.length).toBe(735 + Object.keys(remoteTable).length);
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

test("the fields of the model table have values that their readers know", () => {
  for (const name of modelTypeNames()) {
    const type = findModelType(name);
    const { ropeByLayerType = {}, ropeTypeAliases = {}, acceptedRopeTypes = [], layerTypeRule } = type ?? {};
    const { nestedKeyValueHeads, sizeVariants, partialFactorRatio, stacks = [] } = type ?? {};
    for (const ropeType of [...Object.values(ropeTypeAliases), ...acceptedRopeTypes])
      expect([name, Object.keys(ROPE_TYPE_KEYS)]).toEqual([name, expect.arrayContaining([ropeType])]);
    expect([name, layerTypeRule?.[0] ?? "const"]).toEqual([name, expect.toBeOneOf(layerTypeRuleNames())]);
    const labels = Object.keys(ropeByLayerType);
    expect([name, labels.length]).not.toEqual([name, 1]);
    for (const { layerTypes = [] } of Object.values(ropeByLayerType))
      expect(layerTypes.filter((layerType) => labels.includes(layerType))).toEqual([]);
    for (const repository of type?.remoteCode ?? []) expect(repository).toMatch(/^[\w.-]+\/[\w.-]+$/);
    // Conditions on the size need the sizes, and sizes are of use only with such a condition.
    const bySize = stacks.flatMap(({ when }) => (when?.[0] === "sizeVariant" ? [when[1]] : []));
    expect([name, bySize]).toEqual([name, sizeVariants === undefined ? [] : ["small", "large"]]);
    expect([name, partialFactorRatio?.length ?? 2, nestedKeyValueHeads?.path.length ?? 2]).toEqual([name, 2, 2]);
  }
});

test.each(modelTypeNames())("a config with only the model type %s gives the defaults of its class", (name) => {
  const { specs, problems, error, modelType } = readConfig(JSON.stringify({ model_type: name }));
  expect([modelType, error]).toEqual([name, null]);
  // Remote code has no class here, so sizes that are not in the file are missing.
  const complaints =
    findModelType(name)?.remoteCode !== undefined
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

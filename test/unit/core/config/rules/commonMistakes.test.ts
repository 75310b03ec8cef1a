import { describe, expect, test } from "vitest";
import { applyFix } from "../../../../../src/core/config/edit/applyFix.ts";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";

/** A valid config, into which each case puts a common mistake. */
const SOUND = {
  model_type: "qwen2",
  hidden_size: 3584,
  num_attention_heads: 28,
  num_key_value_heads: 4,
  num_hidden_layers: 28,
  max_position_embeddings: 32768,
  rope_theta: 1000000.0,
};
const YARN = { rope_type: "yarn", factor: 4.0, original_max_position_embeddings: 32768 };

type Change = Readonly<Record<string, unknown>>;

/** The change (undefined removes the key), the one rule that reports it, and the key of the finding. */
const CASES: readonly (readonly [change: Change, rule: string, key: string])[] = [
  [{ rope_scalling: YARN }, "rope/near-miss-key", "rope_scalling"],
  [{ "rope-scaling": YARN }, "rope/near-miss-key", "rope-scaling"],
  [{ rope_theta: undefined, rope_thetha: 1e6 }, "rope/near-miss-key", "rope_thetha"],
  [{ rope_theta: undefined, rope_base: 1e6 }, "rope/near-miss-key", "rope_base"],
  [
    { max_position_embeddings: undefined, max_position_embedding: 8192 },
    "rope/near-miss-key",
    "max_position_embedding",
  ],
  [{ rope_scaling: { ...YARN, attn_factor: 1.5 } }, "rope/near-miss-key", "attn_factor"],
  [
    { rope_scaling: { rope_type: "yarn", factor: 4.0, original_max_position: 32768 } },
    "rope/near-miss-key",
    "original_max_position",
  ],
  [{ rope_scaling: { rope_type: "yarn", factor: 4.0 } }, "rope/yarn-needs-original-length", "rope_scaling"],
  [{ rope_scaling: { ...YARN, factor: "4.0" } }, "config/wrong-type", "factor"],
  [{ rope_theta: "1000000" }, "config/wrong-type", "rope_theta"],
  [{ max_position_embeddings: "32768" }, "config/wrong-type", "max_position_embeddings"],
  [{ max_position_embeddings: null }, "config/not-an-integer", "max_position_embeddings"],
  [{ hidden_size: [3584] }, "config/not-an-integer", "hidden_size"],
  [{ rope_scaling: { ...YARN, type: "linear" } }, "rope/types-disagree", "type"],
  [{ rope_scaling: { ...YARN, rope_type: null } }, "rope/unknown-type", "rope_type"],
  [{ rope_scaling: { rope_type: "axial" } }, "rope/unknown-type", "rope_type"],
  [{ rope_scaling: { rope_type: "constructor" } }, "rope/unknown-type", "rope_type"],
  [{ max_position_embeddings: 65536, rope_scaling: YARN }, "rope/factor-mismatch", "factor"],
  [
    { rope_parameters: { full_attention: { rope_type: "default", rope_theta: 1e6 } } },
    "rope/nested-on-flat",
    "full_attention",
  ],
];

describe("a common mistake", () => {
  test.each(CASES.map((entry) => [JSON.stringify(entry[0]), ...entry] as const))(
    "gives one finding at its key and none after the fix: %s",
    (_, change, rule, key) => {
      const source = JSON.stringify({ ...SOUND, ...change }, null, 2);
      const { problems, specs } = readConfig(source);
      const found = problems.filter(({ severity }) => severity !== "info");
      expect(found.map((problem) => [problem.rule, problem.path.at(-1)])).toEqual([[rule, key]]);
      expect(specs.length).toBeGreaterThan(0);
      const [{ range, fix } = { range: undefined, fix: undefined }] = found;
      expect(source.split("\n")[(range?.start.line ?? 0) - 1]).toContain(`"${key}"`);
      if (fix === undefined) return;
      const after = readConfig(applyFix(source, fix)).problems;
      expect(after.filter(({ severity }) => severity !== "info")).toEqual([]);
    },
  );
});

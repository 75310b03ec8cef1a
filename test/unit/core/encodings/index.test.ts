import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";
import { checkParams, requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { onesContent } from "../../../../src/core/terms/content.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";
import { loadAdapters } from "../../../golden/adapters.ts";
import { readGoldenParams } from "../../../golden/attention.ts";
import type { GoldenCase } from "../../../golden/case.ts";
import { root } from "../../support/files.ts";
import { randomScene } from "../../support/scenes.ts";

const adapters = await loadAdapters();

const scene = (tokens: number, change: Partial<Scene> = {}) => randomScene(tokens, 5, change);

describe("every encoding", () => {
  const learned = ENCODINGS.filter(
    (encoding) => (encoding.requiredArrays?.(requireParams(encoding, {})) ?? encoding.learnedArrays).length > 0,
  );

  test.each(learned.map((encoding) => [encoding.id, encoding] as const))(
    "%s refuses inputs without its learned arrays and labels example values as examples",
    (_id, encoding) => {
      const params = requireParams(encoding, {});
      const own = scene(4, { content: onesContent });
      expect(() => encoding.terms(params, { ...own, inputs: { other: [1] } })).toThrow(/learned array/);
      const names = encoding.terms(params, own).map((term) => term.name);
      expect(names.some((name) => name.en.endsWith("(example values)") && name.zh.endsWith("（示例数值）"))).toBe(true);
    },
  );

  test.each(ENCODINGS.map((encoding) => [encoding.id, encoding] as const))(
    "%s has traits that agree with each other and with its derived values",
    (_id, encoding) => {
      const params = requireParams(encoding, {});
      const { rotation, frequencies, slopes, classification, derived } = encoding;
      expect(rotation !== undefined).toBe(classification.actsOn === "query_key");
      if (rotation !== undefined) expect(frequencies).toBeDefined();
      if (rotation?.by(params) === "axes") expect(encoding.patchGrid?.(params)).toBeDefined();
      const values = derived?.(params) ?? {};
      expect(frequencies?.(params)).toEqual(values["inv_freq"] ?? values["frequencies"]);
      expect(slopes?.(params)).toEqual(values["alibi_slopes"]);
      expect([encoding.name.en, encoding.name.zh].join()).not.toContain("—");
    },
  );

  const folder = join(root, "test/golden/data");
  const files = new Map(adapters.flatMap((adapter) => adapter.files.map((file) => [file, adapter.encoding] as const)));

  test.each(readdirSync(folder))("takes the parameters of %s by their own names", (file) => {
    const encoding = files.get(file.replace(".json", ""));
    if (encoding === undefined) return expect(file).toMatch(/^(masks|worked_example|absolute_four_term)\.json$/);
    const cases: readonly GoldenCase[] = JSON.parse(readFileSync(join(folder, file), "utf8"));
    for (const golden of cases) {
      const completed = readGoldenParams(encoding, golden);
      expect(checkParams(encoding, completed).problems).toEqual([]);
    }
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { largeJsonModule } from "../../../scripts/lib/largeJson.ts";

async function evaluate(module: string): Promise<unknown> {
  const loaded: { readonly default: unknown } = await import(
    `data:text/javascript;base64,${Buffer.from(module).toString("base64")}`
  );
  return loaded.default;
}

describe("a large JSON file in a bundle", () => {
  test("has the values and the order of keys of the file", async () => {
    const text = readFileSync("src/core/config/huggingface/modelTypes.json", "utf8");
    const loaded = await evaluate(largeJsonModule(JSON.parse(text)));
    expect(JSON.stringify(loaded)).toBe(JSON.stringify(JSON.parse(text)));
  });

  test("takes less than two thirds of the bytes if its keys repeat", () => {
    const text = JSON.stringify(JSON.parse(readFileSync("src/core/config/huggingface/modelTypes.json", "utf8")));
    expect(largeJsonModule(JSON.parse(text)).length).toBeLessThan((JSON.stringify(text).length * 2) / 3);
  });

  const row = { repeated: 1, a: 2, b: [{ repeated: null }], constructor: 'x "a": 1', 7: "seven", "some-key": "b" };

  test.each([
    ["look like short ones, numbers or inherited properties", {}],
    ["have a quote", { 'half "a': { 'half "repeated': 3 } }],
  ])("keeps keys that %s", async (_, other) => {
    const value = [row, row, { toString: row, repeated: [row, "repeated", '"repeated":'], ...other }];
    expect(await evaluate(largeJsonModule(value))).toEqual(value);
  });
});

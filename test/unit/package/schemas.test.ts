import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ropeSchema, settingsSchema } from "../../../scripts/lib/docs/schemas.ts";
import { root } from "../../../scripts/lib/root.ts";
import { RULES } from "../../../src/core/config/rules/index.ts";
import { ROPE_TYPE_KEYS } from "../../../src/core/config/rules/support/ropeKeys.ts";
import { CODE_RULES } from "../../../src/core/python/diagnostics/index.ts";

interface Property {
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly type?: string;
  readonly description: string;
}

describe("the schema of .posenc.json", () => {
  const { properties } = JSON.parse(settingsSchema([...RULES, ...CODE_RULES]));
  const rules: Readonly<Record<string, Property>> = properties.rules.properties;

  test("lists every rule and group with its severities", () => {
    for (const { id, severity } of [...RULES, ...CODE_RULES]) {
      expect(rules[id]).toMatchObject({ enum: ["off", "info", "warning", "error"], default: severity });
      expect(rules[id.replace(/\/.*/, "/*")]?.enum).toContain("off");
    }
    expect(properties.rules.additionalProperties).toBe(false);
  });

  test("is contributed for that file only and shipped", () => {
    const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
    expect(manifest.contributes.jsonValidation).toEqual([
      { fileMatch: ".posenc.json", url: "./docs/posenc.schema.json" },
    ]);
    expect(manifest.files).toContain("docs/*.schema.json");
    expect(existsSync(path.join(root, "docs/posenc.schema.json"))).toBe(true);
  });
});

describe("the schema of RoPE dictionaries", () => {
  const { definitions } = JSON.parse(ropeSchema());
  const properties: Readonly<Record<string, Property>> = definitions.parameters.properties;

  test("describes every key that transformers reads", () => {
    for (const key of Object.values(ROPE_TYPE_KEYS).flatMap(({ required, optional }) => [...required, ...optional]))
      expect(properties[key]?.description).toMatch(/\w/);
    expect(properties.beta_fast).toMatchObject({ type: "number", default: 32 });
    expect(properties.short_factor).toMatchObject({ type: "array" });
  });

  test("requires the keys of each type that transformers does not fill in", () => {
    const asked: { if: { properties: { rope_type: { const: string } } }; then: { required: string[] } }[] =
      definitions.parameters.allOf;
    const byType = Object.fromEntries(asked.map((each) => [each.if.properties.rope_type.const, each.then.required]));
    expect(byType).toEqual({
      linear: ["factor"],
      dynamic: ["factor"],
      yarn: ["factor"],
      longrope: ["short_factor", "long_factor"],
      llama3: ["factor", "low_freq_factor", "high_freq_factor"],
    });
  });
});

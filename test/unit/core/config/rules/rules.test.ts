import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyFix, fixEdit } from "../../../../../src/core/config/edit/applyFix.ts";
import { readConfig, type SiblingTexts } from "../../../../../src/core/config/readConfig.ts";
import { RULES } from "../../../../../src/core/config/rules/index.ts";
import type { GgufSibling } from "../../../../../src/core/config/rules/rule.ts";
import { useLanguage } from "../../../../../src/core/l10n/useLanguage.ts";

const FIXTURES = "test/fixtures/configs/rules";

function text(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Parameters of the GGUF file in the same folder as JSON, because rules read specs, not bytes. */
function ggufOf(path: string): readonly GgufSibling[] {
  const written = text(path);
  if (written === undefined) return [];
  const [spec] = readConfig(written).specs;
  return spec === undefined ? [] : [{ name: "model.gguf", specs: [spec] }];
}

function problemsOf(folder: string, name: "fail" | "pass") {
  const siblings: SiblingTexts = {
    tokenizer: () => text(join(folder, `${name}.tokenizer.json`)),
    generation: () => text(join(folder, `${name}.generation.json`)),
    gguf: ggufOf(join(folder, `${name}.gguf.json`)),
  };
  const source = text(join(folder, `${name}.json`)) ?? "";
  const { problems, error } = readConfig(source, siblings);
  expect(error).toBeNull();
  return { source, problems };
}

test("at least 40 rules exist, each with its own id, both languages and a reference", () => {
  expect(RULES.length).toBeGreaterThanOrEqual(40);
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  for (const { id, title, rationale, reference } of RULES) {
    expect(id).toMatch(/^[a-z0-9]+\/[a-z0-9-]+$/);
    for (const words of [title, rationale]) {
      expect(words.en.length).toBeGreaterThan(5);
      expect(words.zh).toMatch(/\p{Script=Han}/u);
    }
    expect(reference.length).toBeGreaterThan(10);
  }
});

test("every rule is in the file that its id names, and every file contains one rule", () => {
  const folder = "src/core/config/rules";
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^(?!support).*\/.*\.ts$/.test(name),
  );
  const named = RULES.map(({ id }) => `${id.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}.ts`);
  expect(files.sort()).toEqual(named.sort());
});

test("every fixture folder belongs to a rule", () => {
  const ids = new Set(RULES.map(({ id }) => id));
  for (const group of readdirSync(FIXTURES)) {
    for (const name of readdirSync(join(FIXTURES, group))) expect(ids).toContain(`${group}/${name}`);
  }
});

describe.each(RULES.map((rule) => [rule.id, rule] as const))("rule %s", (id, rule) => {
  const folder = join(FIXTURES, id);

  test("finds the mistake in its failing fixture, at a place inside the file", () => {
    const { source, problems } = problemsOf(folder, "fail");
    const found = problems.filter((problem) => problem.rule === id);
    expect(found.length).toBeGreaterThan(0);
    for (const { message, range, severity } of found) {
      expect(severity).toBe(rule.severity);
      expect(message).not.toMatch(/\{\d\}|undefined|NaN/);
      expect(range.start.line).toBeLessThanOrEqual(source.split("\n").length);
    }
  });

  test("has a Chinese message", () => {
    useLanguage("zh-cn");
    const { problems } = problemsOf(folder, "fail");
    useLanguage("en");
    for (const { message } of problems.filter((problem) => problem.rule === id))
      expect(message).toMatch(/\p{Script=Han}/u);
  });

  test("finds nothing in its passing fixture, nor does any other rule above info", () => {
    const { problems } = problemsOf(folder, "pass");
    expect(problems.filter((problem) => problem.rule === id || problem.severity !== "info")).toEqual([]);
  });

  test("has a fix, if any, that removes the finding and leaves valid JSON", () => {
    const { source, problems } = problemsOf(folder, "fail");
    for (const { fix } of problems.filter((problem) => problem.rule === id)) {
      if (fix === undefined) continue;
      const fixed = applyFix(source, fix);
      expect(() => JSON.parse(fixed)).not.toThrow();
      expect(readConfig(fixed).problems.filter((problem) => problem.rule === id)).toEqual([]);
      const edit = fixEdit(source, fix);
      expect(source.slice(0, edit.offset) + edit.content + source.slice(edit.offset + edit.length)).toBe(fixed);
    }
  });
});

test("fixes keep comments, key order and indentation", () => {
  const source = `{
    // the base of our fine-tune
    "model_type": "llama", /* kept */
    "rope_scaling": { "rope_type": "yarn", "factor": 4.0, "attn_factor": 1.0, "original_max_position_embeddings": 32768 },
    "max_position_embeddings": 131072
}
`;
  const [problem] = readConfig(source).problems.filter(({ rule }) => rule === "rope/near-miss-key");
  if (problem?.fix === undefined) throw new Error("no fix");
  const fixed = applyFix(source, problem.fix);
  expect(fixed).toBe(source.replace("attn_factor", "attention_factor"));
});

test("fixes use the file's indentation for added text, even if one line deviates", () => {
  const source = '{\n    "model_type": "llama",\n  "hidden_size": 64,\n  "num_attention_heads": 4\n}\n';
  const fixed = applyFix(source, { title: "", changes: [{ path: ["rope_scaling"], value: { factor: 2 } }] });
  expect(fixed).toBe(source.replace("4\n}", '4,\n  "rope_scaling": {\n    "factor": 2\n  }\n}'));
});

test("errors become notes if the encoding is a guess", () => {
  const config = {
    model_type: "nobody",
    hidden_size: 64,
    num_attention_heads: 4,
    rope_scaling: { rope_type: "linear" },
  };
  const { problems } = readConfig(JSON.stringify(config));
  expect(problems.map(({ rule, severity }) => [rule, severity])).toContainEqual(["rope/missing-keys", "info"]);
  expect(problems.filter(({ severity }) => severity !== "info")).toEqual([]);
});

describe("the rules", () => {
  const folder = "test/fixtures/workspace";
  const stock = readdirSync(folder).filter(
    (name) => existsSync(join(folder, name, "config.json")) && !["my-finetune", "cut-off"].includes(name),
  );
  test.each(stock)("report no false finding in %s", (name) => {
    const { problems } = readConfig(readFileSync(join(folder, name, "config.json"), "utf8"));
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(problems.filter(({ severity }) => severity === "warning").length).toBeLessThanOrEqual(1);
  });
});

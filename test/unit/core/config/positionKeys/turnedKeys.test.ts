import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { readYamlConfig } from "../../../../../src/core/config/frameworks/readYamlConfig.ts";
import { listPositionKeys } from "../../../../../src/core/config/positionKeys/positionKey.ts";
import { type ConfigReading, readConfig } from "../../../../../src/core/config/readConfig.ts";
import { type JsonDocument, type Path, readJson } from "../../../../../src/core/config/text/json.ts";
import { Section } from "../../../../../src/core/config/text/section.ts";
import { readYaml } from "../../../../../src/core/config/text/yamlDocument.ts";
import { PUBLISHED_FILES } from "../frameworks/publishedFiles.ts";

/**
 * Metamorphic: one key about positions of one file gets another value. Either the encodings change with it, or the
 * reading names the key: in a finding, or as ignored with a reason.
 */

interface ConfigFile {
  readonly name: string;
  readonly text: string;
}

function readFile({ name, text }: ConfigFile): ConfigReading {
  if (/\.ya?ml$/.test(name)) return readYamlConfig(text);
  return readConfig(text);
}

function parse({ name, text }: ConfigFile): JsonDocument {
  return /\.ya?ml$/.test(name) ? readYaml(text) : readJson(text);
}

/** Files below a folder whose names match. */
function listFiles(folder: string, pattern: RegExp): ConfigFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), "utf8") }));
}

interface Listed {
  readonly id?: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Configs of a list, each as a file. */
function listConfigs(file: string): ConfigFile[] {
  const listed: readonly Listed[] = JSON.parse(readFileSync(file, "utf8"));
  return listed.map(({ id, config }, i) => ({
    name: `${path.basename(file)}: ${id ?? `${String(config.model_type)} ${i}`}`,
    text: JSON.stringify(config),
  }));
}

function listFixtures(): ConfigFile[] {
  return [
    ...listConfigs("test/fixtures/configs/stock.json"),
    ...listConfigs("test/fixtures/configs/transformers-5.18.json"),
    ...listConfigs("test/fixtures/configs/makers.json"),
    ...listConfigs("test/fixtures/configs/remoteCode.json"),
    ...PUBLISHED_FILES.map(({ source, content }) => ({ name: `${source}: file.yaml`, text: stringify(content) })),
    ...listFiles("test/fixtures/configs/rules", /\.(?:json|ya?ml)$/),
    ...listFiles("test/fixtures/workspace", /(?:config|params)[^/]*\.json$|\.ya?ml$/),
  ].filter((file) => {
    const { format, error } = readFile(file);
    return format !== "unknown" && error === null;
  });
}

/** Another value of the same type; undefined where there is none. */
function turn(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? value * 2 + 2 : value / 2;
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return value === "" ? undefined : `${value}_turned`;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.map(turn);
}

function describeSpecs({ specs }: ConfigReading): string {
  return JSON.stringify(specs.map(({ evidence, sources, ...rest }) => rest));
}

function namesKey({ problems, ignored }: ConfigReading, key: Path): boolean {
  return [...problems, ...ignored].some((named) => named.path.join("\n") === key.join("\n"));
}

/** The text with one value replaced in place. */
function replaceText(file: ConfigFile, document: JsonDocument, key: Path, value: unknown): string {
  const written = document.textAt(key) ?? "";
  const start = offsetOf(file.text, document, key);
  return file.text.slice(0, start) + JSON.stringify(value) + file.text.slice(start + written.length);
}

function offsetOf(text: string, document: JsonDocument, key: Path): number {
  const node = key.reduce<JsonDocument["root"]>(
    (at, step) => at?.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1],
    document.root,
  );
  return node?.offset ?? text.length;
}

test("a key about positions that gets another value is used, or named", () => {
  const files = listFixtures();
  const silent: string[] = [];
  let turned = 0;
  for (const file of files) {
    const document = parse(file);
    const root = Section.root(document);
    const before = describeSpecs(readFile(file));
    for (const key of root === undefined ? [] : listPositionKeys(root)) {
      const other = turn(key.value);
      if (other === undefined) continue;
      turned++;
      const after = readFile({ ...file, text: replaceText(file, document, key.path, other) });
      if (describeSpecs(after) === before && !namesKey(after, key.path))
        silent.push(`${file.name}: ${key.path.join(".")}`);
    }
  }
  console.log(`turned ${turned} keys of ${files.length} files, ${silent.length} silent`);
  expect(silent).toEqual([]);
  expect(turned).toBeGreaterThan(2500);
}, 60_000);

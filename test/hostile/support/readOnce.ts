/** Runs one reader of the extension on one file and prints what it says: the entry that `readers.ts` bundles. */
import { readFileSync } from "node:fs";
import { memoryReader } from "../../../src/core/checkpoint/rangeReader.ts";
import { ropeCompletions } from "../../../src/core/completion/ropeCompletion.ts";
import { yamlCompletions } from "../../../src/core/completion/yamlCompletion.ts";
import { compareSpecs } from "../../../src/core/config/compare/differences.ts";
import {
  looksLikeTomlConfig,
  MAX_TOML_SIZE,
  readTomlConfig,
} from "../../../src/core/config/frameworks/readTomlConfig.ts";
import { looksLikeYamlConfig, readYamlConfig } from "../../../src/core/config/frameworks/readYamlConfig.ts";
import { readProjectSettings } from "../../../src/core/config/project/settings.ts";
import { type ConfigReading, looksLikeModelConfig, readConfig } from "../../../src/core/config/readConfig.ts";
import { specToJson } from "../../../src/core/config/report/specJson.ts";
import { summarise } from "../../../src/core/config/report/summarise.ts";
import { buildRuntimeTables } from "../../../src/core/config/runtimes/index.ts";
import { readJson } from "../../../src/core/config/text/json.ts";
import { readToml } from "../../../src/core/config/text/tomlDocument.ts";
import { readYaml } from "../../../src/core/config/text/yamlDocument.ts";
import { readCheckpoint } from "../../../src/core/config/weights/readCheckpoint.ts";
import { findKeyAt } from "../../../src/core/hover/keyAt.ts";
import { readLinkQuery } from "../../../src/core/protocol/link.ts";
import { findCodeDiagnostics } from "../../../src/core/python/diagnostics/index.ts";
import { createPythonDocument, MAX_PYTHON_LENGTH } from "../../../src/core/python/document.ts";
import { findEncodingSites } from "../../../src/core/python/explain.ts";
import { openSource } from "../../../src/core/python/sourceFile.ts";
import { UserError } from "../../../src/core/util/errors.ts";

const describe = ({ specs, problems, error }: ConfigReading) => ({
  summary: summarise(specs).slice(0, 1000),
  problems: problems
    .slice(0, 20)
    .map(({ rule, path, message }) => `${rule} ${path.join(".")}: ${message}`.slice(0, 500)),
  problemCount: problems.length,
  error,
});

function readJsonFile(text: string): unknown {
  const looksLike = looksLikeModelConfig(text);
  const reading = readConfig(text);
  for (const spec of reading.specs) JSON.stringify(specToJson(spec));
  compareSpecs(reading.specs, reading.specs);
  buildRuntimeTables(text, reading);
  findKeyAt(readJson(text), text.length >> 1);
  if (text.length < 2_000_000) ropeCompletions(text, text.length >> 1, reading.specs);
  return { looksLike, ...describe(reading) };
}

function readYamlFile(text: string): unknown {
  const looksLike = looksLikeYamlConfig(text);
  const reading = readYamlConfig(text);
  for (const spec of reading.specs) JSON.stringify(specToJson(spec));
  findKeyAt(readYaml(text), text.length >> 1);
  if (text.length < 2_000_000) yamlCompletions(text, text.length >> 1);
  return { looksLike, ...describe(reading) };
}

function readTomlFile(text: string): unknown {
  const looksLike = looksLikeTomlConfig(text);
  const reading = readTomlConfig(text);
  for (const spec of reading.specs) JSON.stringify(specToJson(spec));
  if (text.length < 2_000_000) findKeyAt(readToml(text.slice(0, MAX_TOML_SIZE)), text.length >> 1);
  return { looksLike, ...describe(reading) };
}

function readSettings(text: string): unknown {
  const { ignores, problems } = readProjectSettings(text);
  const paths = ["config.json", "a/b/c/config.json", `${"a".repeat(200)}/${"a/".repeat(50)}config.json`];
  return { ignored: paths.map(ignores), problems };
}

function readCode(text: string): unknown {
  if (text.length > MAX_PYTHON_LENGTH) return { error: { message: "longer than what is parsed" } };
  const document = createPythonDocument(text);
  return { sites: findEncodingSites(document).length, diagnostics: findCodeDiagnostics(document).length };
}

/** Hovers at the start, in the middle and at the end. */
function explainSource(path: string, text: string): unknown {
  const source = openSource(path, text);
  const lines = text.split("\n");
  return [0, lines.length >> 1, lines.length - 1].map((line) => {
    const column = 1 + ((lines[line] ?? "").length >> 1);
    return source.explain({ line: line + 1, column })?.title ?? null;
  });
}

/** As many hovers as a program asks for at once. */
function explainPoints(path: string, text: string): unknown {
  const source = openSource(path, text);
  const lines = text.split("\n").length;
  const points = Array.from({ length: 1000 }, (_, n) => ({ line: 1 + Math.floor((n * lines) / 1000), column: 5 }));
  return points.filter((point) => source.explain(point) !== null).length;
}

async function read(reader: string, file: string): Promise<unknown> {
  const bytes = readFileSync(file);
  const text = () => new TextDecoder().decode(bytes);
  switch (reader) {
    case "json":
      return readJsonFile(text());
    case "yaml":
      return readYamlFile(text());
    case "toml":
      return readTomlFile(text());
    case "settings":
      return readSettings(text());
    case "checkpoint": {
      const reading = await readCheckpoint(memoryReader(bytes));
      return reading === undefined ? null : describe(reading);
    }
    case "code":
      return readCode(text());
    case "source":
      return explainSource(file, text());
    case "points":
      return explainPoints(file, text());
    case "link":
      return readLinkQuery(text()) ?? null;
    default:
      throw new Error(`there is no reader ${reader}`);
  }
}

const [reader = "", file = ""] = process.argv.slice(2);
read(reader, file).then(
  (found) => process.stdout.write(JSON.stringify(found)),
  (error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    process.stdout.write(JSON.stringify({ error: { message: error.message } }));
  },
);

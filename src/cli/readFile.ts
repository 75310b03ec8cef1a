import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openRange } from "#openRange";
import { looksLikeTomlConfig, readTomlConfig } from "../core/config/frameworks/readTomlConfig.ts";
import { readYamlConfig } from "../core/config/frameworks/readYamlConfig.ts";
import type { ConfigProblem } from "../core/config/problems.ts";
import { applySeverities } from "../core/config/project/severities.ts";
import {
  type ConfigReading,
  failedReading,
  MAX_JSON_SIZE,
  readConfig,
  type SiblingTexts,
} from "../core/config/readConfig.ts";
import type { GgufSibling } from "../core/config/rules/rule.ts";
import { TOO_LARGE } from "../core/config/sizeLimits.ts";
import { decodeText } from "../core/config/text/json.ts";
import { readCheckpoint, readShardedCheckpoint } from "../core/config/weights/readCheckpoint.ts";
import { errorMessage } from "../core/util/errors.ts";
import { settingsFor } from "./projectSettings.ts";
import { isRegularFile } from "./regularFile.ts";

/** One file of the command line and its reading. */
export interface FileReading {
  readonly file: string;
  readonly reading: ConfigReading;
  /** Text of the file, if it is a JSON config. */
  readonly text?: string | undefined;
}

/** A reading, with the text if it is a JSON config. */
interface TextReading {
  readonly reading: ConfigReading;
  readonly text?: string;
}

/** Reads a file by its content, whatever its name. If it cannot be read, `error` is set. */
export async function readModelFile(file: string): Promise<FileReading> {
  const { reading, text } = await readByContent(file);
  return { file, reading: { ...reading, problems: withProjectSeverities(file, reading.problems) }, text };
}

async function readByContent(file: string): Promise<TextReading> {
  try {
    // Reading a pipe would block until somebody writes to it.
    if (!statSync(file).isFile()) return { reading: failedReading("not a regular file") };
    const checkpoint = hasCheckpointSignature(file) ? await readCheckpointFile(file) : undefined;
    if (checkpoint !== undefined) return { reading: checkpoint };
    if (statSync(file).size > MAX_JSON_SIZE)
      return { reading: failedReading(`larger than ${MAX_JSON_SIZE / 1024 / 1024} MB, so it was not read`) };
    const bytes = readFileSync(file);
    const index = await readIndexFile(file, bytes);
    return index === undefined ? readText(file, bytes, await readGgufSiblings(file)) : { reading: index };
  } catch (error) {
    return { reading: failedReading(errorMessage(error)) };
  }
}

/**
 * Tries JSON, then YAML, then TOML; a name in .toml is TOML. If no format is recognised, the reading of JSON counts, unless the name ends in .yml or
 * .yaml. Invalid JSON can be valid YAML: GPT-NeoX's files are braces with YAML comments.
 */
function readText(file: string, bytes: Uint8Array, gguf: readonly GgufSibling[]): TextReading {
  if (/\.toml$/i.test(file)) return { reading: readTomlConfig(bytes) };
  const text = decodeText(bytes);
  const json = readConfig(text, { ...lazySiblings(file), gguf });
  const isYamlName = /\.ya?ml$/i.test(file);
  if (json.format !== "unknown" && (json.error === null || !isYamlName)) return { reading: json, text };
  const yaml = readYamlConfig(bytes);
  if (yaml.format !== "unknown" || isYamlName) return { reading: yaml };
  return { reading: looksLikeTomlConfig(text) ? readTomlConfig(text) : json };
}

/** Recognises GGUF by its magic number and safetensors by the brace after the eight bytes of the header length. */
function hasCheckpointSignature(file: string): boolean {
  const start = new Uint8Array(9);
  const handle = openSync(file, "r");
  try {
    readSync(handle, start, 0, 9, 0);
  } finally {
    closeSync(handle);
  }
  const isGguf = start[0] === 0x47 && start[1] === 0x47 && start[2] === 0x55 && start[3] === 0x46;
  // JSON text has no zero bytes, whereas a safetensors header length below 4 GB has four.
  return isGguf || (start[8] === 0x7b && start[6] === 0 && start[7] === 0);
}

async function readCheckpointFile(file: string): Promise<ConfigReading | undefined> {
  const opened = await openRange(file);
  try {
    return await readCheckpoint(opened.reader);
  } finally {
    await opened.close();
  }
}

async function readIndexFile(file: string, bytes: Uint8Array): Promise<ConfigReading | undefined> {
  if (!file.endsWith(".index.json")) return undefined;
  return readShardedCheckpoint(bytes, (name) => openRange(join(dirname(file), name)).catch(() => undefined));
}

/** Reads the GGUF files beside a config.json. Files that cannot be read are reported in their own entry. */
async function readGgufSiblings(file: string): Promise<GgufSibling[]> {
  if (basename(file) !== "config.json") return [];
  const siblings: GgufSibling[] = [];
  for (const name of readdirSync(dirname(file))
    .filter((entry) => entry.endsWith(".gguf"))
    .sort()) {
    const reading = await readCheckpointFile(join(dirname(file), name)).catch(() => undefined);
    if (reading !== undefined) siblings.push({ name, specs: reading.specs });
  }
  return siblings;
}

function lazySiblings(file: string): SiblingTexts {
  const sibling = (name: string) => () => {
    const path = join(dirname(file), name);
    return isRegularFile(path) && statSync(path).size <= MAX_JSON_SIZE ? readFileSync(path, "utf8") : undefined;
  };
  return { tokenizer: sibling("tokenizer_config.json"), generation: sibling("generation_config.json") };
}

/** Applies the severities of the project's `.posenc.json`. */
function withProjectSeverities(file: string, problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.length === 0 ? problems : applySeverities(problems, settingsFor(dirname(file)).rules);
}

/** Why a file cannot be computed with: it could not be read, or has a size that no model has. */
export function whyUnusable({ file, reading }: FileReading): string | undefined {
  if (reading.error !== null) return `${file}: ${reading.error.message}`;
  const problem = reading.problems.find(({ rule }) => rule === TOO_LARGE);
  if (problem === undefined) return undefined;
  const { line, column } = problem.range.start;
  return `${file}:${line}:${column}: ${problem.message}`;
}

/** One file after the other: a folder may contain more files than a process may open. */
export async function readModelFiles(files: readonly string[]): Promise<FileReading[]> {
  const readings: FileReading[] = [];
  for (const [i, file] of files.entries()) {
    showProgress(i, files.length);
    readings.push(await readModelFile(file));
  }
  showProgress(files.length, files.length);
  return readings;
}

/** Files between two updates of the progress count, which is only shown on a terminal. */
const PROGRESS_STEP = 100;

function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY || total < PROGRESS_STEP || (done % PROGRESS_STEP !== 0 && done !== total)) return;
  process.stderr.write(done === total ? "\r\u001b[K" : `\r${done}/${total}`);
}

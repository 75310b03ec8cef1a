import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openRange } from "#openRange";
import type { OpenRange } from "../core/checkpoint/rangeReader.ts";
import { readYamlConfig } from "../core/config/frameworks/readYamlConfig.ts";
import type { ConfigProblem } from "../core/config/problems.ts";
import { withSeverities } from "../core/config/project/severities.ts";
import { type ConfigReading, MAX_JSON_SIZE, readConfig, type SiblingTexts } from "../core/config/readConfig.ts";
import type { GgufSibling } from "../core/config/rules/rule.ts";
import { decodeText, readJson } from "../core/config/text/json.ts";
import { readCheckpoint, readIndex } from "../core/config/weights/readCheckpoint.ts";
import { settingsFor } from "./projectSettings.ts";

/** One file of the command line with what was read from it. */
export interface FileReading {
  readonly file: string;
  readonly reading: ConfigReading;
  /** Of a JSON config. */
  readonly text?: string | undefined;
}

/** What was read from a file, and its text where others read on in it. */
interface Read {
  readonly reading: ConfigReading;
  readonly text?: string;
}

/** Reads a file as what its content says it is; a file that cannot be read has `error` set. */
export async function readModelFile(file: string): Promise<FileReading> {
  const { reading, text } = await readNow(file);
  return { file, reading: { ...reading, problems: settled(file, reading.problems) }, text };
}

async function readNow(file: string): Promise<Read> {
  try {
    // Reading a pipe would wait for whoever writes it.
    if (!statSync(file).isFile()) return { reading: failed("not a regular file") };
    const checkpoint = isCheckpoint(file) ? await readCheckpointFile(file) : undefined;
    if (checkpoint !== undefined) return { reading: checkpoint };
    if (statSync(file).size > MAX_JSON_SIZE)
      return { reading: failed(`larger than ${MAX_JSON_SIZE / 1024 / 1024} MB, so it was not read`) };
    const bytes = readFileSync(file);
    const index = await readIndexFile(file, bytes);
    return index === undefined ? readText(file, bytes, await ggufSiblings(file)) : { reading: index };
  } catch (error) {
    return { reading: failed(error instanceof Error ? error.message : String(error)) };
  }
}

/**
 * JSON, else YAML: what neither knows is said in the words of JSON, unless the name says YAML. Broken JSON may be good
 * YAML: GPT-NeoX's files are braces with YAML's comments.
 */
function readText(file: string, bytes: Uint8Array, gguf: readonly GgufSibling[]): Read {
  const text = decodeText(bytes);
  const json = readConfig(text, { ...siblingsOf(file), gguf });
  const isYamlName = /\.ya?ml$/i.test(file);
  if (json.format !== "unknown" && (json.error === null || !isYamlName)) return { reading: json, text };
  const yaml = readYamlConfig(bytes);
  return { reading: yaml.format !== "unknown" || isYamlName ? yaml : json };
}

/** By the first bytes: GGUF's mark, or a brace behind the eight bytes of a length. */
function isCheckpoint(file: string): boolean {
  const start = new Uint8Array(9);
  const handle = openSync(file, "r");
  try {
    readSync(handle, start, 0, 9, 0);
  } finally {
    closeSync(handle);
  }
  const isGguf = start[0] === 0x47 && start[1] === 0x47 && start[2] === 0x55 && start[3] === 0x46;
  // JSON text has no zero bytes; a safetensors length below 4 GB has four of them.
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
  const document = readJson(decodeText(bytes));
  if (document.root === undefined) return undefined;
  const opened: OpenRange[] = [];
  try {
    return await readIndex(document.valueOf(document.root), async (name) => {
      const path = join(dirname(file), name);
      if (!existsSync(path)) return undefined;
      const shard = await openRange(path);
      opened.push(shard);
      return shard.reader;
    });
  } finally {
    for (const shard of opened) await shard.close();
  }
}

/** GGUF files beside a config.json; those that cannot be read say so in their own entry. */
async function ggufSiblings(file: string): Promise<GgufSibling[]> {
  if (basename(file) !== "config.json") return [];
  const siblings: GgufSibling[] = [];
  for (const name of readdirSync(dirname(file))
    .filter((entry) => entry.endsWith(".gguf"))
    .sort()) {
    const reading = await readCheckpointFile(join(dirname(file), name));
    if (reading !== undefined) siblings.push({ name, specs: reading.specs });
  }
  return siblings;
}

function siblingsOf(file: string): SiblingTexts {
  const sibling = (name: string) => () => {
    const path = join(dirname(file), name);
    return existsSync(path) && statSync(path).size <= MAX_JSON_SIZE ? readFileSync(path, "utf8") : undefined;
  };
  return { tokenizer: sibling("tokenizer_config.json"), generation: sibling("generation_config.json") };
}

/** Severities as the project's `.posenc.json` wants them. */
function settled(file: string, problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.length === 0 ? problems : withSeverities(problems, settingsFor(dirname(file)).rules);
}

function failed(message: string): ConfigReading {
  return { format: "unknown", modelType: null, specs: [], problems: [], error: { message, line: 1, column: 1 } };
}

/** Files one after the other: a folder may hold more of them than a process may open. */
export async function readModelFiles(files: readonly string[]): Promise<FileReading[]> {
  const readings: FileReading[] = [];
  for (const [i, file] of files.entries()) {
    showProgress(i, files.length);
    readings.push(await readModelFile(file));
  }
  showProgress(files.length, files.length);
  return readings;
}

/** Every so many files a count is shown, to a person only, and taken away at the end. */
const PROGRESS_STEP = 100;

function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY || total < PROGRESS_STEP || (done % PROGRESS_STEP !== 0 && done !== total)) return;
  process.stderr.write(done === total ? "\r\u001b[K" : `\r${done}/${total}`);
}

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConfigProblem } from "../core/config/problems.ts";
import { type ConfigReading, MAX_JSON_SIZE, readConfig, type SiblingTexts } from "../core/config/readConfig.ts";
import { withSeverities } from "../core/config/severities.ts";
import { settingsFor } from "./projectSettings.ts";

/** One file of the command line with what was read from it. */
export interface FileReading {
  readonly file: string;
  readonly reading: ConfigReading;
}

/** Reads a file as what its content says it is; a file that cannot be read has `error` set. */
export function readModelFile(file: string): FileReading {
  const reading = readNow(file);
  return { file, reading: { ...reading, problems: settled(file, reading.problems) } };
}

function readNow(file: string): ConfigReading {
  try {
    if (statSync(file).size > MAX_JSON_SIZE) return failed(`larger than ${MAX_JSON_SIZE / 1024 / 1024} MB, not read`);
    return readConfig(readFileSync(file), siblingsOf(file));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
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

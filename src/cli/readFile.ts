import { readFileSync, statSync } from "node:fs";
import { type ConfigReading, MAX_JSON_SIZE, readConfig } from "../core/config/readConfig.ts";

/** One file of the command line with what was read from it. */
export interface FileReading {
  readonly file: string;
  readonly reading: ConfigReading;
}

/** Reads a file as what its content says it is; a file that cannot be read has `error` set. */
export function readModelFile(file: string): FileReading {
  try {
    if (statSync(file).size > MAX_JSON_SIZE)
      return { file, reading: failed(`larger than ${MAX_JSON_SIZE / 1024 / 1024} MB, not read`) };
    return { file, reading: readConfig(readFileSync(file)) };
  } catch (error) {
    return { file, reading: failed(error instanceof Error ? error.message : String(error)) };
  }
}

function failed(message: string): ConfigReading {
  return { format: "unknown", modelType: null, specs: [], problems: [], error: { message, line: 1, column: 1 } };
}

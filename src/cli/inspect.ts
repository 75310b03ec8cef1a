import { ignoredKeyToJson, problemToJson, specToJson } from "../core/config/report/specJson.ts";
import { summariseReading } from "../core/config/report/summarise.ts";
import { findFiles } from "./findFiles.ts";
import type { CommandResult } from "./io.ts";
import { formatLayers } from "./layers.ts";
import { formatJson, joinLines } from "./output.ts";
import { type FileReading, readModelFiles } from "./readFile.ts";
import { formatRuntimeTable, readRuntimeTables, runtimeTableToJson } from "./runtimes.ts";

export interface InspectOptions {
  readonly json: boolean;
  /** Also print what each runtime reads from the file. */
  readonly runtimes?: boolean;
}

/** `posenc inspect PATH…`: lists the position encodings of files and folders. */
export async function runInspect(paths: readonly string[], options: InspectOptions): Promise<CommandResult> {
  const { runtimes = false } = options;
  const readings = await readModelFiles(findFiles(paths));
  const stdout = options.json
    ? formatJson(
        readings.map((found) => readingToJson(found, runtimes)),
        2,
      )
    : readings.map((found) => formatReading(found, runtimes)).join("\n");
  return { exitCode: exitCodeOf(readings), stdout, stderr: "" };
}

/** Exit code: 2 if a file could not be parsed, 1 for a finding with severity error, else 0. */
function exitCodeOf(readings: readonly FileReading[]): 0 | 1 | 2 {
  if (readings.some(({ reading }) => reading.error !== null)) return 2;
  return readings.some(({ reading }) => reading.problems.some(({ severity }) => severity === "error")) ? 1 : 0;
}

function readingToJson(found: FileReading, runtimes: boolean): Record<string, unknown> {
  const { file, reading } = found;
  return {
    file,
    format: reading.format,
    model_type: reading.modelType,
    encodings: reading.specs.map(specToJson),
    diagnostics: reading.problems.map((problem) => problemToJson(file, problem)),
    ignored: reading.ignored.map(ignoredKeyToJson),
    error: reading.error,
    ...(runtimes ? { runtimes: readRuntimeTables(found).map(runtimeTableToJson) } : {}),
  };
}

function formatReading(found: FileReading, runtimes: boolean): string {
  const { file, reading } = found;
  const kind = [reading.format, reading.modelType].filter((part) => part !== null).join(", ");
  const lines = [`${file}  (${kind})`];
  const summary = summariseReading(reading);
  if (summary !== "") lines.push(`  ${summary}`, ...formatLayers(reading.specs));
  if (reading.error !== null) lines.push(`  ${reading.error.line}:${reading.error.column}  ${reading.error.message}`);
  for (const { severity, message, rule, range, path } of reading.problems) {
    lines.push(`  ${range.start.line}:${range.start.column}  ${severity}  ${path.join(".")}: ${message}  ${rule}`);
  }
  if (runtimes)
    for (const table of readRuntimeTables(found))
      lines.push(...formatRuntimeTable(table, reading.specs[table.spec]?.where ?? ""));
  return joinLines(lines);
}

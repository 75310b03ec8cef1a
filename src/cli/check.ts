import type { ConfigProblem } from "../core/config/problems.ts";
import { problemToJson } from "../core/config/report/specJson.ts";
import { errorMessage } from "../core/util/errors.ts";
import { isRecord } from "../core/util/isRecord.ts";
import { ownValue } from "../core/util/ownValue.ts";
import { findFiles } from "./findFiles.ts";
import { formatGithubLog } from "./githubLog.ts";
import { type CommandResult, failure } from "./io.ts";
import { formatJson, joinLines } from "./output.ts";
import { type FileReading, readModelFiles } from "./readFile.ts";
import { readRegularFile } from "./regularFile.ts";
import { formatSarif } from "./sarif.ts";

export interface CheckOptions {
  /** Report format: text, json, sarif or github. */
  readonly format: string;
  /** As typed on the command line. */
  readonly maxWarnings?: string | undefined;
  /** JSON output of an earlier run, whose findings are not reported again. */
  readonly baseline?: string | undefined;
}

/** A finding with its file. */
export interface FileProblem {
  readonly file: string;
  readonly problem: ConfigProblem;
}

type ReportFormat = (problems: readonly FileProblem[]) => string;

const REPORT_FORMATS: Readonly<Record<string, ReportFormat>> = {
  text: formatText,
  json: formatProblemsJson,
  sarif: formatSarif,
  github: formatGithubLog,
};

/** `posenc check PATH…`: findings of the rules, for people, programs and code scanning. */
export async function runCheck(paths: readonly string[], options: CheckOptions): Promise<CommandResult> {
  const format = ownValue(REPORT_FORMATS, options.format);
  if (format === undefined)
    return failure(`--format must be one of ${Object.keys(REPORT_FORMATS).join(", ")}, not ${options.format}`);
  const maxWarnings = options.maxWarnings === undefined ? Number.POSITIVE_INFINITY : Number(options.maxWarnings);
  if (!(maxWarnings >= 0)) return failure(`--max-warnings must be a non-negative number, not ${options.maxWarnings}`);
  const baseline = options.baseline === undefined ? new Set<string>() : readBaseline(options.baseline);
  if (typeof baseline === "string") return failure(baseline);
  const readings = await readModelFiles(findFiles(paths));
  const problems = readings
    .flatMap(({ file, reading }) =>
      [...unreadableProblem(reading), ...reading.problems].map((problem) => ({ file, problem })),
    )
    .filter((found) => !baseline.has(findingIdentity(found.file, found.problem)));
  const broken = readings.some(({ reading }) => reading.error !== null);
  return { exitCode: broken ? 2 : exitCodeFor(problems, maxWarnings), stdout: format(problems), stderr: "" };
}

function unreadableProblem({ error }: FileReading["reading"]): ConfigProblem[] {
  if (error === null) return [];
  const { message, line, column } = error;
  const range = { start: { line, column }, end: { line, column: column + 1 } };
  return [{ rule: "config/unreadable", severity: "error", message, path: [], range }];
}

function exitCodeFor(problems: readonly FileProblem[], maxWarnings: number): 0 | 1 {
  const count = (severity: string) => problems.filter(({ problem }) => problem.severity === severity).length;
  return count("error") > 0 || count("warning") > maxWarnings ? 1 : 0;
}

/** Identifies a finding by file, rule and path, so that it stays the same when lines move. */
function findingIdentity(
  file: string,
  { rule, path }: { readonly rule: string; readonly path: readonly unknown[] },
): string {
  return JSON.stringify([file, rule, path]);
}

/** Identities of a baseline's findings, or why it cannot be read. */
function readBaseline(path: string): Set<string> | string {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(readRegularFile(path)));
    if (!Array.isArray(value)) return `${path}: not the JSON output of posenc check`;
    return new Set(value.flatMap(baselineIdentity));
  } catch (error) {
    return `${path}: ${errorMessage(error)}`;
  }
}

function baselineIdentity(entry: unknown): string[] {
  if (
    !isRecord(entry) ||
    typeof entry.file !== "string" ||
    typeof entry.rule !== "string" ||
    !Array.isArray(entry.path)
  )
    return [];
  return [findingIdentity(entry.file, { rule: entry.rule, path: entry.path })];
}

function formatProblemsJson(problems: readonly FileProblem[]): string {
  return formatJson(
    problems.map(({ file, problem }) => problemToJson(file, problem)),
    2,
  );
}

function formatText(problems: readonly FileProblem[]): string {
  const lines = problems.map(({ file, problem: { severity, message, rule, path, range } }) => {
    const key = path.length === 0 ? "" : `${path.join(".")}: `;
    return `${file}:${range.start.line}:${range.start.column}  ${severity}  ${key}${message}  ${rule}`;
  });
  const count = (severity: string) => problems.filter(({ problem }) => problem.severity === severity).length;
  return joinLines([...lines, `${count("error")} errors, ${count("warning")} warnings, ${count("info")} notes`]);
}

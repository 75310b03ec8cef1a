import * as vscode from "vscode";
import type { ConfigProblem } from "../../core/config/problems.ts";
import type { ConfigReading } from "../../core/config/readConfig.ts";
import { COMMANDS, DIAGNOSTIC_SOURCE } from "../ids.ts";
import { configTitle } from "./configTitle.ts";
import { toVscodeRange } from "./ranges.ts";

/** The one clear message: file, line, key and what is wrong; undefined for a config that reads well. */
export function describeReading(uri: vscode.Uri, { error, problems }: ConfigReading): string | undefined {
  if (error !== null) return `${configTitle(uri)}:${error.line}:${error.column}: ${error.message}`;
  const problem = problems.find(({ severity }) => severity === "error");
  if (problem === undefined) return undefined;
  const key = problem.path.join(".");
  return `${configTitle(uri)}:${problem.range.start.line}: ${key === "" ? "" : `${key}: `}${problem.message}`;
}

/**
 * What a file that cannot be read as a whole lacks, rules would call missing: it has its one message alone.
 * @param problems those of the reading with the severities that the user wants
 */
export function readingDiagnostics(
  error: ConfigReading["error"],
  problems: readonly ConfigProblem[],
): vscode.Diagnostic[] {
  if (error === null) return problems.map(toDiagnostic);
  const range = toVscodeRange({ start: error, end: { line: error.line, column: error.column + 1 } });
  return [made(range, error.message, vscode.DiagnosticSeverity.Error, "config/unreadable")];
}

export function toDiagnostic({ range, message, severity, rule, path }: ConfigProblem): vscode.Diagnostic {
  const key = path.join(".");
  return made(toVscodeRange(range), key === "" ? message : `${key}: ${message}`, toSeverity(severity), rule);
}

function made(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
  rule: string,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, severity);
  diagnostic.source = DIAGNOSTIC_SOURCE;
  const code = codeOf(rule);
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}

/** What readers say of a file (`config/…`) stands for itself; rules lead to their entry of the page. */
function codeOf(rule: string): vscode.Diagnostic["code"] {
  if (rule.startsWith("config/")) return rule;
  const argument = encodeURIComponent(JSON.stringify([rule]));
  return { value: rule, target: vscode.Uri.parse(`command:${COMMANDS.openRule}?${argument}`) };
}

function toSeverity(severity: ConfigProblem["severity"]): vscode.DiagnosticSeverity {
  switch (severity) {
    case "error":
      return vscode.DiagnosticSeverity.Error;
    case "warning":
      return vscode.DiagnosticSeverity.Warning;
    case "info":
      return vscode.DiagnosticSeverity.Information;
  }
}

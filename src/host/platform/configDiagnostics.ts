import * as vscode from "vscode";
import { type ConfigProblem, isOnRulesPage } from "../../core/config/problems.ts";
import type { ConfigReading } from "../../core/config/readConfig.ts";
import { escapeControls } from "../../core/util/escapeControls.ts";
import { COMMANDS, DIAGNOSTIC_SOURCE } from "../ids.ts";
import { configTitle } from "./configTitle.ts";
import { toVscodeRange } from "./ranges.ts";

/** The first error with file, line and key; undefined if there is none. */
export function describeFirstError(uri: vscode.Uri, { error, problems }: ConfigReading): string | undefined {
  if (error !== null) return `${configTitle(uri)}:${error.line}:${error.column}: ${error.message}`;
  const problem = problems.find(({ severity }) => severity === "error");
  if (problem === undefined) return undefined;
  const key = problem.path.join(".");
  return `${configTitle(uri)}:${problem.range.start.line}: ${key === "" ? "" : `${key}: `}${problem.message}`;
}

/**
 * Diagnostics of a config. An unreadable file has only its one error: rules would report the unreadable rest as
 * missing.
 * @param problems of the reading, with the user's severities applied
 */
export function toDiagnostics(error: ConfigReading["error"], problems: readonly ConfigProblem[]): vscode.Diagnostic[] {
  if (error === null) return problems.map(toDiagnostic);
  const range = toVscodeRange({ start: error, end: { line: error.line, column: error.column + 1 } });
  return [createDiagnostic(range, error.message, vscode.DiagnosticSeverity.Error, "config/unreadable")];
}

export function toDiagnostic({ range, message, severity, rule, path }: ConfigProblem): vscode.Diagnostic {
  const key = path.join(".");
  return createDiagnostic(
    toVscodeRange(range),
    key === "" ? message : `${key}: ${message}`,
    toSeverity(severity),
    rule,
  );
}

function createDiagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
  rule: string,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, escapeControls(message), severity);
  diagnostic.source = DIAGNOSTIC_SOURCE;
  const code = diagnosticCode(rule);
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}

/** Rules link to their entry on the rules page. */
function diagnosticCode(rule: string): vscode.Diagnostic["code"] {
  if (!isOnRulesPage(rule)) return rule;
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

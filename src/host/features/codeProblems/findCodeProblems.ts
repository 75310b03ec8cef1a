import * as vscode from "vscode";
import { codeDiagnostics } from "../../../core/python/diagnostics/index.ts";
import { toDiagnostic } from "../../platform/describeReading.ts";
import { pythonDocument } from "../../platform/pythonDocuments.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";

/** Problems of a Python document, with the severities that hold for it. */
export async function findCodeProblems(
  { rules }: Services,
  document: vscode.TextDocument,
): Promise<vscode.Diagnostic[]> {
  const found = codeDiagnostics(pythonDocument(document)).map((problem) => ({ ...problem, path: [] }));
  return (await rules.of(document.uri, found)).map((problem) => {
    const diagnostic = toDiagnostic(problem);
    const related = found.find(({ rule, range }) => rule === problem.rule && range === problem.range)?.related ?? [];
    diagnostic.relatedInformation = related.map(
      ({ message, range }) =>
        new vscode.DiagnosticRelatedInformation(new vscode.Location(document.uri, toVscodeRange(range)), message),
    );
    return diagnostic;
  });
}

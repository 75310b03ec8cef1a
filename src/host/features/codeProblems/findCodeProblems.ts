import * as vscode from "vscode";
import type { CodeDiagnostic } from "../../../core/python/diagnostics/diagnostic.ts";
import { findCodeDiagnostics } from "../../../core/python/diagnostics/index.ts";
import type { PythonDocument } from "../../../core/python/document.ts";
import { rangeInCell } from "../../../core/python/notebook/cells.ts";
import type { TextRange } from "../../../core/spec.ts";
import { toDiagnostic } from "../../platform/configDiagnostics.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";

/** A document, and its first line (1-based) in the checked text. */
interface CheckedDocument {
  readonly document: vscode.TextDocument;
  readonly firstLine: number;
}

/** Diagnostics of each document, with its severities applied. */
export type DiagnosticsByDocument = readonly (readonly [vscode.Uri, vscode.Diagnostic[]])[];

export async function findCodeProblems(
  services: Services,
  document: vscode.TextDocument,
): Promise<DiagnosticsByDocument> {
  const { documents } = await services.explainer();
  return findProblems(services, documents.parseAlone(document), [{ document, firstLine: 1 }]);
}

/** Cells are checked together, as the one program that they form when run. */
export async function findNotebookProblems(
  services: Services,
  notebook: vscode.NotebookDocument,
  cells: readonly vscode.TextDocument[],
): Promise<DiagnosticsByDocument> {
  const { documents } = await services.explainer();
  const { python, starts } = documents.parseNotebook(notebook, cells);
  const lines = starts.map((start) => python.positionAt(start).line);
  return findProblems(
    services,
    python,
    cells.map((document, index) => ({ document, firstLine: lines[index] ?? 1 })),
  );
}

async function findProblems(
  { rules }: Services,
  python: PythonDocument,
  documents: readonly CheckedDocument[],
): Promise<DiagnosticsByDocument> {
  const problems = findCodeDiagnostics(python).map((problem) => ({ ...problem, path: [] }));
  return Promise.all(
    documents.map(async (checked) => {
      const { uri } = checked.document;
      const reported = await rules.applySeverities(
        uri,
        problems.filter(({ range }) => documentAt(range, documents) === checked),
      );
      return [uri, reported.map((problem) => toDiagnosticWithRelated(problem, documents))] as const;
    }),
  );
}

function toDiagnosticWithRelated(
  problem: CodeDiagnostic & { readonly path: readonly never[] },
  documents: readonly CheckedDocument[],
): vscode.Diagnostic {
  const diagnostic = toDiagnostic({
    ...problem,
    range: rangeInDocument(problem.range, documentAt(problem.range, documents)),
  });
  diagnostic.relatedInformation = problem.related.flatMap(({ message, range }) => {
    const checked = documentAt(range, documents);
    if (checked === undefined) return [];
    const location = new vscode.Location(checked.document.uri, toVscodeRange(rangeInDocument(range, checked)));
    return [new vscode.DiagnosticRelatedInformation(location, message)];
  });
  return diagnostic;
}

function documentAt({ start }: TextRange, documents: readonly CheckedDocument[]): CheckedDocument | undefined {
  return documents.findLast(({ firstLine }) => firstLine <= start.line);
}

function rangeInDocument(range: TextRange, checked: CheckedDocument | undefined): TextRange {
  return rangeInCell(range, checked?.firstLine ?? 1);
}

import * as vscode from "vscode";
import { rangeInCell } from "../../../core/python/cells.ts";
import type { CodeDiagnostic } from "../../../core/python/diagnostics/diagnostic.ts";
import { codeDiagnostics } from "../../../core/python/diagnostics/index.ts";
import type { PythonDocument } from "../../../core/python/document.ts";
import type { Range } from "../../../core/spec.ts";
import { toDiagnostic } from "../../platform/describeReading.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";
import { pythonDocument, pythonNotebook } from "../../stores/pythonDocuments.ts";

/** A document with the line, from 1, that its text starts at in what was checked. */
interface Checked {
  readonly document: vscode.TextDocument;
  readonly line: number;
}

/** Problems of each document, with the severities that hold for it. */
export type ProblemsFound = readonly (readonly [vscode.Uri, vscode.Diagnostic[]])[];

export function findCodeProblems(services: Services, document: vscode.TextDocument): Promise<ProblemsFound> {
  return found(services, pythonDocument(document), [{ document, line: 1 }]);
}

/** Cells are checked as what they are when they run: one program. */
export function findNotebookProblems(
  services: Services,
  notebook: vscode.NotebookDocument,
  cells: readonly vscode.TextDocument[],
): Promise<ProblemsFound> {
  const { python, starts } = pythonNotebook(notebook, cells);
  const lines = starts.map((start) => python.positionAt(start).line);
  return found(
    services,
    python,
    cells.map((document, index) => ({ document, line: lines[index] ?? 1 })),
  );
}

async function found({ rules }: Services, python: PythonDocument, checked: readonly Checked[]): Promise<ProblemsFound> {
  const problems = codeDiagnostics(python).map((problem) => ({ ...problem, path: [] }));
  return Promise.all(
    checked.map(async (one) => {
      const { uri } = one.document;
      const wanted = await rules.of(
        uri,
        problems.filter(({ range }) => holderOf(range, checked) === one),
      );
      return [uri, wanted.map((problem) => diagnosticOf(problem, checked))] as const;
    }),
  );
}

function diagnosticOf(
  problem: CodeDiagnostic & { readonly path: readonly never[] },
  checked: readonly Checked[],
): vscode.Diagnostic {
  const diagnostic = toDiagnostic({ ...problem, range: ownRange(problem.range, holderOf(problem.range, checked)) });
  diagnostic.relatedInformation = problem.related.flatMap(({ message, range }) => {
    const holder = holderOf(range, checked);
    if (holder === undefined) return [];
    const place = new vscode.Location(holder.document.uri, toVscodeRange(ownRange(range, holder)));
    return [new vscode.DiagnosticRelatedInformation(place, message)];
  });
  return diagnostic;
}

function holderOf({ start }: Range, checked: readonly Checked[]): Checked | undefined {
  return checked.findLast(({ line }) => line <= start.line);
}

function ownRange(range: Range, holder: Checked | undefined): Range {
  return rangeInCell(range, holder?.line ?? 1);
}

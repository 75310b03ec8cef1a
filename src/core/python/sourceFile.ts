import * as l10n from "@vscode/l10n";
import type { TextPosition } from "../spec.ts";
import { Budget, BudgetError } from "../util/budget.ts";
import { createPythonDocument, MAX_PYTHON_LENGTH, type PythonDocument } from "./document.ts";
import { type CodeExplanation, createAnalysisContext, explainAt } from "./explain.ts";
import { joinCells } from "./notebook/cells.ts";
import { parseNotebook } from "./notebook/parseNotebook.ts";
import { createProseDocument, explainProseAt, type ProseDocument } from "./prose/explainProse.ts";

/** A file that contains Python or formulas, queried by positions in that file. */
export interface SourceFile {
  /** Lines and columns are 1-based, in UTF-16 code units. Null if nothing there denotes a position encoding. */
  explain(position: TextPosition): CodeExplanation | null;
}

/**
 * Opens Python, a notebook (raw JSON), TeX or Markdown, by file extension. A byte-order mark is ignored.
 * @throws BudgetError for a file that is too large to be explained
 */
export function openSource(path: string, text: string, budget = new Budget()): SourceFile {
  const plain = text.replace(/^\ufeff/, "");
  budget.spendBytes(plain.length);
  if (/\.ipynb$/i.test(path)) return notebookSource(plain, budget);
  if (plain.length > MAX_PYTHON_LENGTH)
    throw new BudgetError(l10n.t("not read: more than {0} characters", MAX_PYTHON_LENGTH.toLocaleString("en")));
  if (/\.(?:tex|sty|ltx)$/i.test(path)) return proseSource(createProseDocument(plain, "tex"));
  if (/\.(?:md|markdown|mdx|qmd|rmd)$/i.test(path)) return proseSource(createProseDocument(plain, "markdown"));
  return pythonSource(createPythonDocument(plain));
}

function proseSource(document: ProseDocument): SourceFile {
  const starts = [0, ...[...document.text.matchAll(/\n/g)].map((match) => match.index + 1)];
  return {
    explain({ line, column }) {
      const start = starts[line - 1];
      return start === undefined ? null : explainProseAt(document, start + column - 1);
    },
  };
}

function pythonSource(document: PythonDocument): SourceFile {
  return {
    explain(position) {
      const offset = document.offsetAt(position);
      return offset === null ? null : explainAt(document, offset);
    },
  };
}

/** Cells share their names, as when run in order; positions are mapped into the cell. */
function notebookSource(text: string, budget: Budget): SourceFile {
  const { cells, locate } = parseNotebook(text, budget);
  let code = createPythonDocument("");
  const lines = text.split("\n");
  return {
    explain(position) {
      const before = lines.slice(0, position.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
      const location = locate(before + position.column - 1);
      if (location === null) return null;
      const joined = joinCells(cells.slice(0, location.cell + 1));
      code = code.withText(joined.text);
      const cellStart = joined.starts[location.cell] ?? 0;
      const explanation = explainAt(code, cellStart + location.offset, {
        context: createAnalysisContext({ cellStart }),
      });
      if (explanation === null) return null;
      const length = explanation.range.end.column - explanation.range.start.column;
      return {
        ...explanation,
        range: { start: position, end: { line: position.line, column: position.column + Math.max(length, 0) } },
      };
    },
  };
}

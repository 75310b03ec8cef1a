import * as l10n from "@vscode/l10n";
import { pythonFormulaAt } from "../formula/documents/pythonProse.ts";
import { explainFormula, readSurroundings } from "../formula/explainFormula.ts";
import { ProseDocument } from "../formula/proseDocument.ts";
import type { TextPosition } from "../spec.ts";
import { Budget, BudgetError } from "../util/budget.ts";
import { createPythonDocument, MAX_PYTHON_LENGTH, type PythonDocument } from "./document.ts";
import { type CodeExplanation, createAnalysisContext, explainAt } from "./explain.ts";
import { joinCells } from "./notebook/cells.ts";
import { type CellTexts, parseNotebook } from "./notebook/parseNotebook.ts";

/** A file that contains Python or formulas, queried by positions in that file. */
export interface SourceFile {
  /** Lines and columns are 1-based, in UTF-16 code units. Null if nothing there denotes a position encoding. */
  explain(position: TextPosition): CodeExplanation | null;
}

/**
 * Opens Python, a notebook (raw JSON), TeX, reStructuredText or Markdown, by file extension. A byte-order mark is ignored.
 * @throws BudgetError for a file that is too large to be explained
 */
export function openSource(path: string, text: string, budget = new Budget()): SourceFile {
  const plain = text.replace(/^\ufeff/, "");
  budget.spendBytes(plain.length);
  if (/\.ipynb$/i.test(path)) return notebookSource(plain, budget);
  if (plain.length > MAX_PYTHON_LENGTH)
    throw new BudgetError(l10n.t("not read: more than {0} characters", MAX_PYTHON_LENGTH.toLocaleString("en")));
  if (/\.(?:tex|sty|ltx|cls)$/i.test(path)) return proseSource(ProseDocument.parse("tex", plain));
  if (/\.(?:rst|rest)$/i.test(path)) return proseSource(ProseDocument.parse("rst", plain));
  if (/\.(?:md|markdown|mdx|qmd|rmd|myst)$/i.test(path)) return proseSource(ProseDocument.parse("markdown", plain));
  return pythonSource(createPythonDocument(plain));
}

function proseSource(document: ProseDocument): SourceFile {
  const starts = [0, ...[...document.text.matchAll(/\n/g)].map((match) => match.index + 1)];
  return {
    explain({ line, column }) {
      const start = starts[line - 1];
      return start === undefined ? null : document.explainAt(start + column - 1);
    },
  };
}

function pythonSource(document: PythonDocument): SourceFile {
  return {
    explain(position) {
      const offset = document.offsetAt(position);
      if (offset === null) return null;
      if (!document.isInCommentOrString(offset)) return explainAt(document, offset);
      const formula = pythonFormulaAt(document, offset);
      return formula === null ? null : explainFormula(document.text, formula, offset, readSurroundings(document.text));
    },
  };
}

/** Code cells share their names, as when run in order; Markdown cells have formulas. Positions are those of the JSON. */
function notebookSource(text: string, budget: Budget): SourceFile {
  const { cells, locate, prose } = parseNotebook(text, budget);
  const documents = prose.texts.map((cell) => ProseDocument.parse("markdown", cell));
  let code = createPythonDocument("");
  const raw = indexLines(text);
  return {
    explain(position) {
      const offset = raw.offsetAt(position);
      const inProse = prose.locate(offset);
      if (inProse !== null) {
        const explanation = documents[inProse.cell]?.explainAt(inProse.offset) ?? null;
        return explanation === null ? null : explanationInJson(explanation, inProse.cell, prose, raw);
      }
      const location = locate(offset);
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

interface RawLines {
  offsetAt(position: TextPosition): number;
  positionAt(offset: number): TextPosition;
}

function indexLines(text: string): RawLines {
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  return {
    offsetAt: ({ line, column }) => (starts[line - 1] ?? text.length) + column - 1,
    positionAt(offset) {
      let line = starts.findIndex((start) => start > offset);
      if (line < 0) line = starts.length;
      return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
    },
  };
}

/** The explanation of a Markdown cell with its ranges in the notebook's JSON. */
function explanationInJson(
  explanation: CodeExplanation,
  cell: number,
  prose: CellTexts,
  raw: RawLines,
): CodeExplanation {
  const lines = indexLines(prose.texts[cell] ?? "");
  const toRaw = (position: TextPosition) => raw.positionAt(prose.rawOffset({ cell, offset: lines.offsetAt(position) }));
  const { start, end } = explanation.range;
  const evidence = explanation.spec.evidence.map((item) => ({
    ...item,
    range: { start: toRaw(item.range.start), end: toRaw(item.range.end) },
  }));
  return { ...explanation, range: { start: toRaw(start), end: toRaw(end) }, spec: { ...explanation.spec, evidence } };
}

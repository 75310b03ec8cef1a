import type { Position } from "../spec.ts";
import { joinCells } from "./cells.ts";
import { createPythonDocument, type PythonDocument } from "./document.ts";
import { type CodeExplanation, explainAt } from "./explain.ts";
import { notebookCells } from "./notebook.ts";
import { createProseDocument, explainProseAt, type ProseDocument } from "./prose/explainProse.ts";

/** A file with Python in it, asked by places of the file itself. */
export interface SourceFile {
  /** Lines and columns 1-based, UTF-16. Null: nothing there denotes a position encoding. */
  explain(position: Position): CodeExplanation | null;
}

/** Opens Python, a notebook by its raw JSON, TeX or Markdown, told apart by the path's ending. A byte-order mark counts as nothing. */
export function openSource(path: string, text: string): SourceFile {
  const plain = text.replace(/^\ufeff/, "");
  if (/\.ipynb$/i.test(path)) return notebook(plain);
  if (/\.(?:tex|sty|ltx)$/i.test(path)) return prose(createProseDocument(plain, "tex"));
  if (/\.(?:md|markdown|mdx|qmd|rmd)$/i.test(path)) return prose(createProseDocument(plain, "markdown"));
  return python(createPythonDocument(plain));
}

function prose(document: ProseDocument): SourceFile {
  const starts = [0, ...[...document.text.matchAll(/\n/g)].map((match) => match.index + 1)];
  return {
    explain({ line, column }) {
      const start = starts[line - 1];
      return start === undefined ? null : explainProseAt(document, start + column - 1);
    },
  };
}

function python(document: PythonDocument): SourceFile {
  return {
    explain(position) {
      const offset = document.offsetAt(position);
      return offset === null ? null : explainAt(document, offset);
    },
  };
}

/** Cells share their names, as they do when they run one after the other; each place is mapped into its cell. */
function notebook(text: string): SourceFile {
  const { cells, locate } = notebookCells(text);
  let code = createPythonDocument("");
  const lines = text.split("\n");
  return {
    explain(position) {
      const before = lines.slice(0, position.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
      const place = locate(before + position.column - 1);
      if (place === null) return null;
      const joined = joinCells(cells.slice(0, place.cell + 1));
      code = code.editTo(joined.text);
      const from = joined.starts[place.cell] ?? 0;
      const found = explainAt(code, from + place.offset, { from });
      if (found === null) return null;
      const length = found.range.end.column - found.range.start.column;
      return {
        ...found,
        range: { start: position, end: { line: position.line, column: position.column + Math.max(length, 0) } },
      };
    },
  };
}

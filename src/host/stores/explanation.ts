import type * as vscode from "vscode";
import { inCell } from "../../core/python/cells.ts";
import { type CodeExplanation, explainAt } from "../../core/python/explain.ts";
import { createProseDocument, explainProseAt, type ProseDocument } from "../../core/python/prose/explainProse.ts";
import { pythonAmong, pythonInPlace } from "./pythonDocuments.ts";
import { surroundingsOf } from "./surroundings.ts";

/** What the code or the formula at an offset says about positions; null where it says nothing. */
export async function explanationAt(
  document: vscode.TextDocument,
  offset: number,
  cancelled: () => boolean,
): Promise<CodeExplanation | null> {
  if (document.languageId !== "python") return explainProseAt(proseDocument(document), offset, { cancelled });
  const before = pythonInPlace(document);
  if (before.python.isQuiet(before.from + offset)) return null;
  const around = await surroundingsOf(document, before.python);
  if (cancelled()) return null;
  const { python, from } = pythonAmong(document, around.key);
  const found = explainAt(python, from + offset, { ...around.options, from, cancelled });
  return found === null ? null : inCell(found, python.positionAt(from).line);
}

interface Read {
  readonly version: number;
  readonly prose: ProseDocument;
}

const read = new WeakMap<vscode.TextDocument, Read>();

function proseDocument(document: vscode.TextDocument): ProseDocument {
  const known = read.get(document);
  if (known?.version === document.version) return known.prose;
  const prose = createProseDocument(document.getText(), document.languageId === "markdown" ? "markdown" : "tex");
  read.set(document, { version: document.version, prose });
  return prose;
}

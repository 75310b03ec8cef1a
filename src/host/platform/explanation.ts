import type * as vscode from "vscode";
import { type CodeExplanation, explainAt } from "../../core/python/explain.ts";
import { createProseDocument, explainProseAt, type ProseDocument } from "../../core/python/prose/explainProse.ts";
import { pythonDocument, pythonDocumentAmong } from "./pythonDocuments.ts";
import { surroundingsOf } from "./surroundings.ts";

/** What the code or the formula at an offset says about positions; null where it says nothing. */
export async function explanationAt(
  document: vscode.TextDocument,
  offset: number,
  cancelled: () => boolean,
): Promise<CodeExplanation | null> {
  if (document.languageId !== "python") return explainProseAt(proseDocument(document), offset, { cancelled });
  const python = pythonDocument(document);
  if (python.isQuiet(offset)) return null;
  const around = await surroundingsOf(document, python);
  if (cancelled()) return null;
  return explainAt(pythonDocumentAmong(document, around.key), offset, { ...around.options, cancelled });
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

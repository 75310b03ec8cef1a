import type * as vscode from "vscode";
import { type CodeExplanation, explainAt } from "../../core/python/explain.ts";
import { explanationInCell } from "../../core/python/notebook/cells.ts";
import { createProseDocument, explainProseAt, type ProseDocument } from "../../core/python/prose/explainProse.ts";
import { readProjectContext } from "./projectContext.ts";
import { parsedDocument, parsedWithImports } from "./pythonDocuments.ts";

/** The position encoding that the code or formula at an offset denotes; null if none. */
export async function explainAtOffset(
  document: vscode.TextDocument,
  offset: number,
  cancelled: () => boolean,
): Promise<CodeExplanation | null> {
  if (document.languageId !== "python") return explainProseAt(parseProse(document), offset, { cancelled });
  const own = parsedDocument(document);
  if (own.python.isInCommentOrString(own.start + offset)) return null;
  const context = await readProjectContext(document, own.python);
  if (cancelled()) return null;
  const { python, start: cellStart } = parsedWithImports(document, context.key);
  const explanation = explainAt(python, cellStart + offset, { ...context.options, cellStart, cancelled });
  return explanation === null ? null : explanationInCell(explanation, python.positionAt(cellStart).line);
}

interface CachedProse {
  readonly version: number;
  readonly prose: ProseDocument;
}

const proseCache = new WeakMap<vscode.TextDocument, CachedProse>();

function parseProse(document: vscode.TextDocument): ProseDocument {
  const cached = proseCache.get(document);
  if (cached?.version === document.version) return cached.prose;
  const prose = createProseDocument(document.getText(), document.languageId === "markdown" ? "markdown" : "tex");
  proseCache.set(document, { version: document.version, prose });
  return prose;
}

import type * as vscode from "vscode";
import { createPythonDocument, type PythonDocument } from "../../core/python/document.ts";

interface Parsed {
  readonly version: number;
  readonly document: PythonDocument;
  /** State of the files around it that its analysis used. */
  readonly around: string;
}

const parsed = new WeakMap<vscode.TextDocument, Parsed>();

/** The syntax tree of a document; after an edit only what changed is parsed again. */
export function pythonDocument(document: vscode.TextDocument): PythonDocument {
  const known = parsed.get(document);
  if (known?.version === document.version) return known.document;
  const text = document.getText();
  const fresh = known === undefined ? createPythonDocument(text) : edited(known.document, text);
  parsed.set(document, { version: document.version, document: fresh, around: known?.around ?? "" });
  return fresh;
}

/** The same, analysed anew where the files around it have changed: an analysis keeps what it learned from them. */
export function pythonDocumentAmong(document: vscode.TextDocument, around: string): PythonDocument {
  const found = pythonDocument(document);
  if (parsed.get(document)?.around === around) return found;
  const fresh = found.edit([]);
  parsed.set(document, { version: document.version, document: fresh, around });
  return fresh;
}

/** Whether something has asked for this document before. */
export function isParsed(document: vscode.TextDocument): boolean {
  return parsed.has(document);
}

/** Everything between what two texts begin and end with in common counts as one change. */
function edited(before: PythonDocument, text: string): PythonDocument {
  const shorter = Math.min(before.text.length, text.length);
  let from = 0;
  while (from < shorter && before.text.charCodeAt(from) === text.charCodeAt(from)) from++;
  let same = 0;
  while (
    same < shorter - from &&
    before.text.charCodeAt(before.text.length - 1 - same) === text.charCodeAt(text.length - 1 - same)
  )
    same++;
  return before.edit([{ from, to: before.text.length - same, text: text.slice(from, text.length - same) }]);
}

import type * as vscode from "vscode";
import { type CodeExplanation, explainAt } from "../../core/python/explain.ts";
import { explanationInCell } from "../../core/python/notebook/cells.ts";
import { createProseDocument, explainProseAt, type ProseDocument } from "../../core/python/prose/explainProse.ts";
import { ProjectFiles } from "./projectFiles.ts";
import { type ParsedDocument, PythonDocuments } from "./pythonDocuments.ts";

interface CachedProse {
  readonly version: number;
  readonly prose: ProseDocument;
}

/** Explains code and formulas, and owns everything that is parsed for it. */
export class CodeExplainer {
  readonly documents = new PythonDocuments();
  readonly #projectFiles = new ProjectFiles();
  readonly #proseByDocument = new WeakMap<vscode.TextDocument, CachedProse>();

  /** The position encoding that the code or formula at an offset denotes; null if none. */
  async explainAt(
    document: vscode.TextDocument,
    offset: number,
    cancelled: () => boolean,
  ): Promise<CodeExplanation | null> {
    if (document.languageId !== "python") return explainProseAt(this.#parseProse(document), offset, { cancelled });
    const parsed = this.documents.parse(document);
    const { python, start } = parsed;
    if (python.isInCommentOrString(start + offset)) return null;
    const context = await this.#projectFiles.contextOf(document, parsed);
    if (cancelled()) return null;
    const explanation = explainAt(python, start + offset, { context, cancelled });
    return explanation === null ? null : explanationInCell(explanation, python.positionAt(start).line);
  }

  /** Analyses a document that was parsed before, so that the next hover is fast. */
  async analyseAhead(document: vscode.TextDocument): Promise<void> {
    if (!this.documents.isParsed(document)) return;
    const parsed: ParsedDocument = this.documents.parse(document);
    const context = await this.#projectFiles.contextOf(document, parsed);
    parsed.python.analyse(context).rotaryScopes();
  }

  #parseProse(document: vscode.TextDocument): ProseDocument {
    const cached = this.#proseByDocument.get(document);
    if (cached?.version === document.version) return cached.prose;
    const prose = createProseDocument(document.getText(), document.languageId === "markdown" ? "markdown" : "tex");
    this.#proseByDocument.set(document, { version: document.version, prose });
    return prose;
  }
}

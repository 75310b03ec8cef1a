import type * as vscode from "vscode";
import { pythonFormulaAt } from "../../core/formula/documents/pythonProse.ts";
import { explainFormula, readSurroundings } from "../../core/formula/explainFormula.ts";
import { ProseDocument, type ProseKind } from "../../core/formula/proseDocument.ts";
import { MAX_PYTHON_LENGTH } from "../../core/python/document.ts";
import { type CodeExplanation, explainAt } from "../../core/python/explain.ts";
import { explanationInCell } from "../../core/python/notebook/cells.ts";
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
    if (document.languageId !== "python") return this.#parseProse(document).explainAt(offset, { cancelled });
    const parsed = this.documents.parse(document);
    const { python, start } = parsed;
    if (python.isInCommentOrString(start + offset)) return explainInProse(parsed, offset);
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
    const text = document.getText();
    const source = text.length > MAX_PYTHON_LENGTH ? "" : text;
    const prose = cached?.prose.withText(source) ?? ProseDocument.parse(proseKind(document.languageId), source);
    this.#proseByDocument.set(document, { version: document.version, prose });
    return prose;
  }
}

function proseKind(languageId: string): ProseKind {
  if (languageId === "restructuredtext") return "rst";
  return languageId === "latex" || languageId === "tex" ? "tex" : "markdown";
}

/** The formula of a docstring or comment. */
function explainInProse({ python, start }: ParsedDocument, offset: number): CodeExplanation | null {
  const formula = pythonFormulaAt(python, start + offset);
  if (formula === null) return null;
  const explanation = explainFormula(python.text, formula, start + offset, readSurroundings(python.text));
  return explanation === null ? null : explanationInCell(explanation, python.positionAt(start).line);
}

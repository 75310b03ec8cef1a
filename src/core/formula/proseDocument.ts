import { createPythonDocument, type PythonDocument } from "../python/document.ts";
import { type CodeExplanation, type ExplainOptions, explainAt } from "../python/explain.ts";
import type { FormulaDocument } from "./documents/formulaSpan.ts";
import { MarkdownDocument } from "./documents/markdownDocument.ts";
import { RstDocument } from "./documents/rstDocument.ts";
import { TexDocument } from "./documents/texDocument.ts";
import { explainFormula, type FormulaSurroundings, readSurroundings } from "./explainFormula.ts";

export type ProseKind = "markdown" | "tex" | "rst";

/** A text with formulas, and with the Python of its fences if it is Markdown. Parsed once; `withText` follows edits. */
export class ProseDocument {
  readonly text: string;
  readonly #kind: ProseKind;
  readonly #formulas: FormulaDocument;
  /** Of this or an earlier version of the text. */
  #python: PythonDocument | null = null;
  #isPythonCurrent = false;
  #surroundings: FormulaSurroundings | null = null;

  private constructor(kind: ProseKind, formulas: FormulaDocument) {
    this.text = formulas.text;
    this.#kind = kind;
    this.#formulas = formulas;
  }

  static parse(kind: ProseKind, text: string): ProseDocument {
    return new ProseDocument(kind, parseFormulas(kind, text));
  }

  /** The document after an edit; what the edit does not touch is not parsed again. */
  withText(text: string): ProseDocument {
    const formulas =
      this.#formulas instanceof MarkdownDocument ? this.#formulas.withText(text) : parseFormulas(this.#kind, text);
    const next = new ProseDocument(this.#kind, formulas);
    next.#python = this.#python;
    return next;
  }

  /** The position encoding that the formula or the Python at an offset denotes; null for all others. */
  explainAt(offset: number, options: ExplainOptions = {}): CodeExplanation | null {
    const markdown = this.#formulas instanceof MarkdownDocument ? this.#formulas : null;
    if (markdown?.isPythonAt(offset) === true) return explainAt(this.#parsePython(markdown), offset, options);
    const formula = this.#formulas.formulaAt(offset);
    if (formula === null) return null;
    this.#surroundings ??= readSurroundings(this.text);
    return explainFormula(this.text, formula, offset, this.#surroundings);
  }

  #parsePython(markdown: MarkdownDocument): PythonDocument {
    const known = this.#python;
    if (known !== null && this.#isPythonCurrent) return known;
    const source = markdown.extractPython();
    this.#python = known === null ? createPythonDocument(source) : known.withText(source);
    this.#isPythonCurrent = true;
    return this.#python;
  }
}

function parseFormulas(kind: ProseKind, text: string): FormulaDocument {
  switch (kind) {
    case "markdown":
      return MarkdownDocument.parse(text);
    case "tex":
      return new TexDocument(text);
    case "rst":
      return new RstDocument(text);
  }
}

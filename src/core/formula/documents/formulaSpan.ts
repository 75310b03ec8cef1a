/** A formula in a document. */
export interface FormulaSpan {
  /** Offsets of the TeX in the document, without delimiters and outer spaces. */
  readonly from: number;
  readonly to: number;
  /** TeX of the same length as the span: quote and comment marks at the start of its lines are blanked. */
  readonly tex: string;
}

/** A text with formulas, parsed once per version. */
export interface FormulaDocument {
  readonly text: string;
  /** The formula at an offset, its delimiters included; null outside of formulas. */
  formulaAt(offset: number): FormulaSpan | null;
}

/** Longer formulas are generated; reading them would block. */
export const MAX_FORMULA_LENGTH = 20_000;

/** A formula between two offsets without its outer spaces; null if nothing or too much is between them. */
export function trimmedSpan(text: string, from: number, to: number, tex = text.slice(from, to)): FormulaSpan | null {
  const inner = tex.trim();
  if (inner === "" || inner.length > MAX_FORMULA_LENGTH) return null;
  const start = from + tex.length - tex.trimStart().length;
  return { from: start, to: start + inner.length, tex: inner };
}

/** Display environments of LaTeX and amsmath, with or without star. */
export const DISPLAY_ENVIRONMENTS: ReadonlySet<string> = new Set([
  "equation",
  "align",
  "alignat",
  "flalign",
  "gather",
  "multline",
  "eqnarray",
  "displaymath",
  "math",
  "subequations",
  "dmath",
  "dgroup",
  "IEEEeqnarray",
  "aligned",
  "alignedat",
  "gathered",
  "split",
  "cases",
  "array",
  "matrix",
  "pmatrix",
  "bmatrix",
  "empheq",
]);

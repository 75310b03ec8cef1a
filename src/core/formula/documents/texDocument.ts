import { type FormulaDocument, type FormulaSpan, trimmedSpan } from "./formulaSpan.ts";
import { type ScannedFormula, scannedFormulaAt, scanTex } from "./texScanner.ts";

/** A TeX file. Scanning it again after an edit takes a few milliseconds. */
export class TexDocument implements FormulaDocument {
  readonly text: string;
  readonly #formulas: readonly ScannedFormula[];

  constructor(text: string) {
    this.text = text;
    this.#formulas = scanTex(text, { isTex: true });
  }

  formulaAt(offset: number): FormulaSpan | null {
    const found = scannedFormulaAt(this.#formulas, offset);
    return found === null ? null : trimmedSpan(this.text, found.from, found.to);
  }
}

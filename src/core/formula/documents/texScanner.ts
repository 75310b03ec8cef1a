import { DISPLAY_ENVIRONMENTS } from "./formulaSpan.ts";

/** A formula with its delimiters, as offsets. */
export interface ScannedFormula {
  readonly outerFrom: number;
  readonly from: number;
  readonly to: number;
  readonly outerTo: number;
}

/** Differences between TeX files and text that only uses TeX's delimiters (HTML, docstrings). */
export interface ScanOptions {
  /** `%` begins a comment, and `\begin{verbatim}` and the like are code. */
  readonly isTex: boolean;
  readonly from?: number;
  readonly to?: number;
}

const VERBATIM_ENVIRONMENTS: ReadonlySet<string> = new Set([
  "verbatim",
  "Verbatim",
  "lstlisting",
  "minted",
  "comment",
  "filecontents",
]);

const MARK = /\\(?:begin|end)[ \t]*\{([A-Za-z]+)\*?\}|\\(?:verb|lstinline)(?![A-Za-z])|\\[\s\S]|\$\$?|%|\n[ \t]*\n/g;

interface Mark {
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly environment: string;
}

/**
 * All formulas of a text in one pass: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` and display environments. A dollar whose partner
 * is missing ends with its paragraph, so that it mispairs nothing after it.
 */
export function scanTex(text: string, options: ScanOptions): readonly ScannedFormula[] {
  return new TexScan(text, options).formulas;
}

/** Own code and not a kept parser: unified-latex takes 1.3 s for 100 kB, and KaTeX and MathJax read formulas only. */
class TexScan {
  readonly formulas: ScannedFormula[] = [];
  readonly #text: string;
  readonly #marks: readonly Mark[];
  /** Index of the closing marks by what they close, ascending. */
  readonly #closers = new Map<string, number[]>();

  constructor(text: string, { isTex, from = 0, to = text.length }: ScanOptions) {
    this.#text = text;
    this.#marks = readMarks(text, isTex, from, to);
    this.#indexClosers();
    this.#pairMarks(to);
  }

  #indexClosers(): void {
    for (const [index, mark] of this.#marks.entries()) {
      const known = this.#closers.get(closerKey(mark));
      if (known === undefined) this.#closers.set(closerKey(mark), [index]);
      else known.push(index);
    }
  }

  #pairMarks(end: number): void {
    for (let index = 0; index < this.#marks.length; index++) {
      const mark = this.#marks[index];
      if (mark === undefined) break;
      const closer = expectedCloser(mark);
      if (closer === null) continue;
      const closing = this.#findClosing(index, closer);
      if (closing === null) {
        // Half-typed environments and display formulas last until their paragraph ends.
        const paragraphEnd = this.#marks[this.#next("blank", index) ?? -1]?.at ?? end;
        if (mark.text === "$") continue;
        this.#add(mark, paragraphEnd, paragraphEnd);
        while ((this.#marks[index + 1]?.at ?? end) < paragraphEnd) index++;
        continue;
      }
      const closingMark = this.#marks[closing];
      if (closingMark === undefined) break;
      this.#add(mark, closingMark.at, closingMark.end);
      index = closing;
    }
  }

  #add(mark: Mark, to: number, outerTo: number): void {
    let from = mark.end;
    if (mark.environment !== "") from = this.#skipArguments(mark);
    if (from < to) this.formulas.push({ outerFrom: mark.at, from, to, outerTo });
  }

  /** `{n}` of alignat and `{ccc}` of array, `[t]` of aligned. An array's columns belong to it, not to the formula. */
  #skipArguments(mark: Mark): number {
    const found = /^(?:\[[^\][\n]{0,40}\])?(?:\{[^{}\n]{0,40}\})?/.exec(this.#text.slice(mark.end, mark.end + 90));
    const takes = mark.environment === "array" || mark.environment.endsWith("at") || found?.[0].startsWith("[");
    return takes ? mark.end + (found?.[0].length ?? 0) : mark.end;
  }

  #findClosing(opening: number, closer: string): number | null {
    const closing = this.#next(closer, opening);
    if (closing === null) return null;
    const blank = this.#next("blank", opening);
    const mark = this.#marks[opening];
    if (mark === undefined || mark.environment === "") return blank === null || closing < blank ? closing : null;
    // An environment may contain blank lines, but not the beginning of another one of its kind.
    const again = this.#next(`\\begin{${mark.environment}}`, opening);
    const nests = mark.environment === "array" || mark.environment.endsWith("matrix") || mark.environment === "cases";
    return again !== null && again < closing && !nests ? null : closing;
  }

  /** The next mark of a kind after an index. */
  #next(key: string, after: number): number | null {
    const indices = this.#closers.get(key) ?? [];
    let low = 0;
    let high = indices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((indices[middle] ?? 0) <= after) low = middle + 1;
      else high = middle;
    }
    return indices[low] ?? null;
  }
}

function readMarks(text: string, isTex: boolean, from: number, to: number): Mark[] {
  const marks: Mark[] = [];
  const pattern = new RegExp(MARK);
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null && match.index < to; match = pattern.exec(text)) {
    const [found, environment = ""] = match;
    if (found === "%") {
      if (!isTex) continue;
      const lineEnd = text.indexOf("\n", pattern.lastIndex);
      pattern.lastIndex = lineEnd < 0 ? text.length : lineEnd;
    } else if (found === "\\verb" || found === "\\lstinline") {
      pattern.lastIndex = skipVerb(text, pattern.lastIndex);
    } else if (environment !== "" && VERBATIM_ENVIRONMENTS.has(environment) && found.startsWith("\\begin")) {
      const end = text.indexOf(`\\end{${environment}`, pattern.lastIndex);
      pattern.lastIndex = end < 0 ? text.length : end + 5;
    } else if (environment === "" || DISPLAY_ENVIRONMENTS.has(environment)) {
      marks.push({ at: match.index, end: pattern.lastIndex, text: markText(found), environment });
      // The newline may also begin the next blank line.
      if (found.startsWith("\n")) pattern.lastIndex--;
    }
  }
  return marks;
}

/** `\verb|…|`, `\verb*+…+` */
function skipVerb(text: string, at: number): number {
  const start = text.charAt(at) === "*" ? at + 1 : at;
  const end = text.indexOf(text.charAt(start), start + 1);
  const lineEnd = text.indexOf("\n", start);
  return end < 0 || (lineEnd >= 0 && end > lineEnd) ? start : end + 1;
}

function markText(found: string): string {
  if (found.startsWith("\n")) return "blank";
  return found.startsWith("\\begin") ? "\\begin" : found.startsWith("\\end") ? "\\end" : found;
}

function closerKey(mark: Mark): string {
  return mark.environment === "" ? mark.text : `${mark.text}{${mark.environment}}`;
}

function expectedCloser(mark: Mark): string | null {
  switch (mark.text) {
    case "$":
    case "$$":
      return mark.text;
    case "\\(":
      return "\\)";
    case "\\[":
      return "\\]";
    case "\\begin":
      return `\\end{${mark.environment}}`;
    default:
      return null;
  }
}

/** The formula around an offset, of formulas in ascending order. */
export function scannedFormulaAt(formulas: readonly ScannedFormula[], offset: number): ScannedFormula | null {
  let low = 0;
  let high = formulas.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const formula = formulas[middle];
    if (formula === undefined) return null;
    if (offset < formula.outerFrom) high = middle - 1;
    else if (offset >= formula.outerTo) low = middle + 1;
    else return formula;
  }
  return null;
}

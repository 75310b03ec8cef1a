import { type FormulaDocument, type FormulaSpan, trimmedSpan } from "./formulaSpan.ts";
import { type ScannedFormula, scannedFormulaAt, scanTex } from "./texScanner.ts";

/** reStructuredText: `:math:` roles and `.. math::` directives. */
export class RstDocument implements FormulaDocument {
  readonly text: string;
  readonly #formulas: readonly ScannedFormula[];

  constructor(text: string) {
    this.text = text;
    this.#formulas = scanRst(text);
  }

  formulaAt(offset: number): FormulaSpan | null {
    const found = scannedFormulaAt(this.#formulas, offset);
    return found === null ? null : trimmedSpan(this.text, found.from, found.to);
  }
}

const DIRECTIVE = /^(\s*)\.\.\s+([\w:-]+)::(.*)$/;
const ROLE = /:math:`([^`]+)`|``(?:[^`]|`(?!`))+``/g;

/** Formulas of a reStructuredText file or docstring, in order. Literal blocks and other directives' code are skipped. */
export function scanRst(text: string): ScannedFormula[] {
  const formulas: ScannedFormula[] = [];
  const lines = splitLines(text);
  let proseFrom: number | null = null;
  const flush = (to: number) => {
    if (proseFrom !== null) formulas.push(...scanRoles(text, proseFrom, to));
    proseFrom = null;
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined) break;
    const directive = DIRECTIVE.exec(line.text);
    const isLiteral =
      directive === null ? /::\s*$/.test(line.text) : /^(?:code|code-block|sourcecode|raw)$/.test(directive[2] ?? "");
    if (directive?.[2] !== "math" && !isLiteral) {
      proseFrom ??= line.from;
      continue;
    }
    flush(line.from);
    const end = findBlockEnd(lines, index);
    const blockEnd = lines[end]?.to ?? text.length;
    if (directive?.[2] === "math") {
      const from = skipOptions(lines, index, line.to - (directive[3] ?? "").length);
      formulas.push({ outerFrom: line.from, from, to: blockEnd, outerTo: blockEnd });
    } else {
      formulas.push(...scanRoles(text, line.from, line.to));
    }
    index = end;
  }
  flush(text.length);
  return formulas;
}

interface TextLine {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Columns of indentation; -1 for a blank line. */
  readonly indent: number;
}

function splitLines(text: string): TextLine[] {
  let from = 0;
  return text.split("\n").map((line) => {
    const start = from;
    from += line.length + 1;
    return { from: start, to: start + line.length, text: line, indent: line.search(/\S/) };
  });
}

/** The last line of the block that is indented more than its first line. */
function findBlockEnd(lines: readonly TextLine[], first: number): number {
  const indent = lines[first]?.indent ?? 0;
  let end = first;
  for (let index = first + 1; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined || (line.indent >= 0 && line.indent <= indent)) break;
    if (line.indent > indent) end = index;
  }
  return end;
}

/** Start of the formula: after `:label: name` and the like. */
function skipOptions(lines: readonly TextLine[], directive: number, start: number): number {
  let from = start;
  for (let index = directive + 1; /^\s*:[\w-]+:/.test(lines[index]?.text ?? ""); index++)
    from = lines[index]?.to ?? from;
  return from;
}

function scanRoles(text: string, from: number, to: number): ScannedFormula[] {
  const part = text.slice(from, to);
  const formulas: ScannedFormula[] = [];
  for (const match of part.matchAll(ROLE)) {
    const inner = match[1];
    if (inner === undefined || inner.includes("\n\n")) continue;
    const at = from + match.index;
    const start = at + ":math:`".length;
    formulas.push({ outerFrom: at, from: start, to: start + inner.length, outerTo: at + match[0].length });
  }
  return formulas;
}

/** Formulas of loosely formatted prose (docstrings, comments): roles and directives, dollars and TeX's delimiters. */
export function scanLoose(text: string): ScannedFormula[] {
  const ofTex = scanTex(text, { isTex: false });
  const formulas: ScannedFormula[] = [];
  let next = 0;
  for (const found of scanRst(text)) {
    for (; (ofTex[next]?.outerTo ?? Number.POSITIVE_INFINITY) <= found.outerFrom; next++)
      formulas.push(...ofTex.slice(next, next + 1));
    formulas.push(found);
    while ((ofTex[next]?.outerFrom ?? Number.POSITIVE_INFINITY) < found.outerTo) next++;
  }
  return [...formulas, ...ofTex.slice(next)];
}

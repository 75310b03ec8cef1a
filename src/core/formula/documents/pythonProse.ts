import { type FormulaSpan, trimmedSpan } from "./formulaSpan.ts";
import { scanLoose } from "./rstDocument.ts";
import { scannedFormulaAt } from "./texScanner.ts";

/** Where Python has prose. `PythonDocument` is one. */
interface ProseSource {
  readonly text: string;
  proseAt(offset: number): { readonly kind: "comment" | "string"; readonly from: number; readonly to: number } | null;
}

/** Longer strings are data. */
const MAX_PROSE_LENGTH = 50_000;

/** The formula of a docstring or comment at an offset; null in code. */
export function pythonFormulaAt(document: ProseSource, offset: number): FormulaSpan | null {
  const found = document.proseAt(offset);
  if (found === null) return null;
  const { from, to } = found.kind === "comment" ? joinComments(document.text, found.from, found.to) : found;
  if (to - from > MAX_PROSE_LENGTH) return null;
  const source = document.text.slice(from, to);
  const prose = found.kind === "comment" ? source.replace(/^[ \t]*#+/gm, blank) : blankQuotes(source);
  const formula = scannedFormulaAt(scanLoose(prose), offset - from);
  if (formula === null) return null;
  return trimmedSpan(document.text, formula.from + from, formula.to + from, prose.slice(formula.from, formula.to));
}

const MAX_COMMENT_LINES = 200;

/** A comment with the comment lines directly above and below it. */
function joinComments(text: string, from: number, to: number): { from: number; to: number } {
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  if (text.slice(lineStart, from).trim() !== "") return { from, to };
  let start = lineStart;
  for (let lines = 0; start > 0 && lines < MAX_COMMENT_LINES; lines++) {
    const previous = text.lastIndexOf("\n", start - 2) + 1;
    if (!/^[ \t]*#/.test(text.slice(previous, start))) break;
    start = previous;
  }
  let end = to;
  for (let lines = 0; end < text.length && lines < MAX_COMMENT_LINES; lines++) {
    const next = text.indexOf("\n", end + 1);
    const line = text.slice(end + 1, next < 0 ? text.length : next);
    if (!/^[ \t]*#/.test(line)) break;
    end += line.length + 1;
  }
  return { from: start, to: end };
}

/** Blanks quotes and prefix; without `r`, two backslashes stand for one. */
function blankQuotes(source: string): string {
  const opening = /^([A-Za-z]*)("""|'''|"|')/.exec(source);
  if (opening === null) return source;
  const [whole, prefix = "", quote = ""] = opening;
  const closed = source.endsWith(quote) && source.length >= whole.length + quote.length;
  const inner = source.slice(whole.length, closed ? source.length - quote.length : source.length);
  const isRaw = /r/i.test(prefix);
  const unescaped = isRaw
    ? inner
    : inner.replace(/\\\\\\\\/g, "  \\\\").replace(/(?<!\\)\\\\(?=[A-Za-z,;!()[\]{}$])/g, " \\");
  return `${blank(whole)}${unescaped}${closed ? blank(quote) : ""}`;
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}

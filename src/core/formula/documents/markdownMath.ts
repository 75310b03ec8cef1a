import type { BlockContext, InlineContext, Line, MarkdownConfig } from "@lezer/markdown";
import { DISPLAY_ENVIRONMENTS, MAX_FORMULA_LENGTH } from "./formulaSpan.ts";

/** Nodes of formulas; the marks are their delimiters. */
export const MATH_NODES = { inline: "InlineMath", block: "BlockMath", mark: "MathMark" } as const;

const DOLLAR = 36;
const BACKSLASH = 92;

/**
 * Formulas for `@lezer/markdown`. Links and emphasis are not parsed: they are not needed here, and `_` and `*` belong to
 * formulas.
 */
export const markdownMath: MarkdownConfig = {
  defineNodes: [MATH_NODES.inline, { name: MATH_NODES.block, block: true }, MATH_NODES.mark],
  remove: ["Link", "Image", "Emphasis", "HTMLTag", "Entity", "HardBreak", "LinkReference", "SetextHeading"],
  parseInline: [{ name: MATH_NODES.inline, parse: parseInlineMath, before: "Escape" }],
  parseBlock: [
    {
      name: MATH_NODES.block,
      parse: parseBlockMath,
      endLeaf: (_, line, leaf) => findOpening(line) !== null && !isInsideDisplay(leaf.content),
      before: "IndentedCode",
    },
  ],
};

/** The paragraph so far has opened a display formula and not closed it. */
function isInsideDisplay(paragraph: string): boolean {
  return paragraph.split("$$").length % 2 === 0;
}

const INLINE_CLOSERS: Readonly<Record<string, string>> = {
  "\\(": "\\)",
  "\\[": "\\]",
  "\\\\(": "\\\\)",
  "\\\\[": "\\\\]",
};

function parseInlineMath(cx: InlineContext, next: number, at: number): number {
  if (next === BACKSLASH) return parseBackslashMath(cx, at);
  if (next !== DOLLAR) return -1;
  if (cx.char(at + 1) === DOLLAR) {
    const closing = findText(cx, "$$", at + 2);
    return closing < 0 ? at + 2 : addMath(cx, at, at + 2, closing, closing + 2);
  }
  const closing = findClosingDollar(cx, at);
  if (closing < 0) return -1;
  const isBackticked = cx.char(at + 1) === 96 && cx.char(closing - 1) === 96 && closing - at > 3;
  const inset = isBackticked ? 1 : 0;
  return addMath(cx, at, at + 1 + inset, closing - inset, closing + 1);
}

function parseBackslashMath(cx: InlineContext, at: number): number {
  for (const [opening, closer] of Object.entries(INLINE_CLOSERS)) {
    if (cx.slice(at, at + opening.length) !== opening) continue;
    const closing = findText(cx, closer, at + opening.length);
    if (closing >= 0) return addMath(cx, at, at + opening.length, closing, closing + closer.length);
  }
  const environment = /^\\begin\{([A-Za-z]+)\*?\}/.exec(cx.slice(at, Math.min(at + 30, cx.end)));
  if (environment === null || !DISPLAY_ENVIRONMENTS.has(environment[1] ?? "")) return -1;
  const closer = environment[0].replace("begin", "end");
  const closing = findText(cx, closer, at + environment[0].length);
  return closing < 0 ? -1 : addMath(cx, at, at + environment[0].length, closing, closing + closer.length);
}

function addMath(cx: InlineContext, outerFrom: number, from: number, to: number, outerTo: number): number {
  const marks = [cx.elt(MATH_NODES.mark, outerFrom, from), cx.elt(MATH_NODES.mark, to, outerTo)];
  return cx.addElement(cx.elt(MATH_NODES.inline, outerFrom, outerTo, marks));
}

/** Offset of a text that no backslash escapes; −1 if it is not in this paragraph or too far away. */
function findText(cx: InlineContext, wanted: string, from: number): number {
  const end = Math.min(cx.end, from + MAX_FORMULA_LENGTH);
  const code = wanted.charCodeAt(0);
  for (let at = from; at < end; at++) {
    const char = cx.char(at);
    if (char === code && cx.slice(at, at + wanted.length) === wanted) return at;
    if (char === BACKSLASH) at++;
  }
  return -1;
}

/** Longest inline formula: what lies between two dollar signs farther apart is text. */
const MAX_INLINE_LENGTH = 1500;

/**
 * The dollar that closes an inline formula. Pandoc's rule decides what is currency or a shell variable: no space inside
 * the dollars, and no digit after them. Formulas with spaces inside are accepted if they contain TeX.
 */
function findClosingDollar(cx: InlineContext, opening: number): number {
  const end = Math.min(cx.end, opening + MAX_INLINE_LENGTH);
  for (let at = opening + 1; at < end; at++) {
    const char = cx.char(at);
    if (char === BACKSLASH) at++;
    else if (char === DOLLAR) return isFormula(cx, opening, at) ? at : -1;
  }
  return -1;
}

function isFormula(cx: InlineContext, opening: number, closing: number): boolean {
  const content = cx.slice(opening + 1, closing);
  const after = String.fromCharCode(Math.max(cx.char(closing + 1), 0));
  if (content.trim() === "" || /[0-9$]/.test(after)) return false;
  const hasTex = /[\\^_{}=]|[a-z]\(/i.test(content);
  if (/^\s|\s$/.test(content)) return hasTex && /\\[a-zA-Z]|[\^_={]/.test(content);
  // "$10 or 5$"
  if (!hasTex && /[A-Za-z]{2}\s|\s[A-Za-z]{2}/.test(content)) return false;
  return !/[A-Za-z]/.test(after) || hasTex || content.length <= 3;
}

interface Opening {
  /** Length of the delimiter. */
  readonly length: number;
  readonly closer: string;
}

const ENVIRONMENT_LINE = /^\\begin\{([A-Za-z]+)\*?\}/;

/** The delimiter of a display formula at the start of a line. */
function findOpening(line: Line): Opening | null {
  if (line.next !== DOLLAR && line.next !== BACKSLASH && line.next !== 58) return null;
  const text = line.text.slice(line.pos);
  if (text.startsWith("$$")) return { length: 2, closer: "$$" };
  if (text.startsWith("\\[")) return { length: 2, closer: "\\]" };
  if (text.startsWith("\\\\[")) return { length: 3, closer: "\\\\]" };
  const colons = /^(:{3,})\{math\}.*$/.exec(text);
  if (colons !== null) return { length: text.length, closer: colons[1] ?? ":::" };
  const environment = ENVIRONMENT_LINE.exec(text);
  if (environment === null || !DISPLAY_ENVIRONMENTS.has(environment[1] ?? "")) return null;
  return { length: environment[0].length, closer: environment[0].replace("begin", "end") };
}

/** Labels and punctuation may follow a display formula on its line; other text makes it part of a paragraph. */
const AFTER_CLOSER = /^(?:[\s.,;:。，；]|\{[^}]*\}|\([\w.:-]*\)|\\label\{[^}]*\})*$/;

function parseBlockMath(cx: BlockContext, line: Line): boolean {
  const opening = findOpening(line);
  if (opening === null || line.indent - line.baseIndent >= 4) return false;
  const outerFrom = cx.lineStart + line.pos;
  const from = outerFrom + opening.length;
  const sameLine = findCloser(line.text, line.pos + opening.length, opening.closer);
  if (sameLine >= 0) {
    if (!AFTER_CLOSER.test(line.text.slice(sameLine + opening.closer.length))) return false;
    return addBlock(cx, outerFrom, from, cx.lineStart + sameLine, opening.closer.length, true);
  }
  return parseDisplayLines(cx, line, opening, outerFrom);
}

/** The lines of a display formula up to its closing delimiter. */
function parseDisplayLines(cx: BlockContext, line: Line, opening: Opening, outerFrom: number): boolean {
  const from = outerFrom + opening.length;
  let lastContent = cx.lineStart + line.text.length;
  const depth = cx.depth;
  while (cx.nextLine() && containerDepth(line) >= depth) {
    const at = findCloser(line.text, line.basePos, opening.closer);
    if (at >= 0) return addBlock(cx, outerFrom, from, cx.lineStart + at, opening.closer.length, true);
    const isBlank = line.pos >= line.text.length;
    if (isBlank ? !continuesFormula(cx.peekLine(), opening.closer) : isOtherBlock(line)) break;
    if (!isBlank) lastContent = cx.lineStart + line.text.length;
  }
  return addBlock(cx, outerFrom, Math.min(from, lastContent), lastContent, 0, false);
}

function addBlock(
  cx: BlockContext,
  outerFrom: number,
  from: number,
  to: number,
  closer: number,
  isClosed: boolean,
): boolean {
  const marks = [cx.elt(MATH_NODES.mark, outerFrom, from)];
  if (closer > 0) marks.push(cx.elt(MATH_NODES.mark, to, to + closer));
  if (isClosed) cx.nextLine();
  cx.addElement(cx.elt(MATH_NODES.block, outerFrom, to + closer, marks));
  return true;
}

function findCloser(text: string, from: number, closer: string): number {
  for (let at = text.indexOf(closer, from); at >= 0; at = text.indexOf(closer, at + 1)) {
    if (closer === "\\]" && text.charAt(at - 1) === "\\") continue;
    if (closer === "$$" && text.charAt(at - 1) === "\\") continue;
    return at;
  }
  return -1;
}

/** Half-typed formulas end at a blank line, unless the line after it is TeX or closes the formula. */
function continuesFormula(next: string, closer: string): boolean {
  const text = next.replace(/^[\s>]+/, "");
  if (text.startsWith(closer)) return true;
  return /^(?:\\(?!section|chapter|paragraph)[a-zA-Z]|&|[=+-] ?\S*[\\_^])/.test(text) && !text.includes("$");
}

function isOtherBlock(line: Line): boolean {
  return /^(?:#{1,6}\s|```|~~~)/.test(line.text.slice(line.pos));
}

/** How many of the open containers (quotes, lists) a line continues; the parser keeps it in an undeclared field. */
function containerDepth(line: Line): number {
  return "depth" in line && typeof line.depth === "number" ? line.depth : 0;
}

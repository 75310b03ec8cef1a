import type { Budget } from "../../util/budget.ts";

/** Characters; in shorter texts, lists and objects are parsed whatever their size. */
const LARGE_TEXT_LENGTH = 1024 * 1024;

/** Characters; longer lists are not about positions, which have at most one entry per layer or frequency. */
const LARGE_LIST_LENGTH = 256 * 1024;

/** Characters, what is cut inside excluded; larger objects are not sub-configs of a model. */
const LARGE_OBJECT_LENGTH = 4 * 1024 * 1024;

/** Characters; of longer strings, the start is kept. */
const LONG_STRING_LENGTH = 1024 * 1024;
const KEPT_STRING_LENGTH = 100;

/** Characters; longer runs of spaces and line breaks are shortened, because the parser collects them one by one. */
const LONG_SPACE_LENGTH = 256;

/** Missing commas that are remembered until it is known what is cut. */
const MAX_MISSING_COMMAS = 1000;

/** A part of the text that the parser does not see. */
interface Cut {
  readonly from: number;
  readonly to: number;
}

/** A JSON text that costs a bounded time to parse, and the way back to its own offsets. */
export interface CompactJson {
  readonly text: string;
  /** NaN and infinities, which are 0 in `text`, by their offset in the source. */
  readonly nonFinite: ReadonlyMap<number, number>;
  /** Offset in the source of the first bracket that is nested too deeply; the text ends there. */
  readonly cutAt: number | undefined;
  /** Offset in the source of the first missing comma in a part that is cut. */
  readonly missingComma: number | undefined;
  /** Offset in the source of an offset in `text`. */
  sourceOffset(offset: number): number;
}

/** An open bracket: what is cut inside of it, and the nodes before it. */
interface OpenBracket {
  readonly start: number;
  readonly nodesBefore: number;
  excluded: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const STAR = 0x2a;
const COMMA = 0x2c;
const COLON = 0x3a;

const isLineBreak = (code: number): boolean => code === 0x0a || code === 0x0d;
const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || isLineBreak(code);
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;
const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x2d && code <= 0x2e) ||
  code === 0x2b ||
  code === 0x5f;

/** One pass over the text, character by character: regular expressions overflow their stack on long strings. */
class JsonScan {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #cutsLargeParts: boolean;
  readonly #open: OpenBracket[] = [];
  /** A value has ended, and neither a comma nor a colon has followed. */
  #afterValue = false;
  readonly #missingCommas: number[] = [];
  readonly cuts: Cut[] = [];
  nodes = 0;
  cutAt: number | undefined;

  constructor(text: string, maxDepth: number, { cutsLargeParts = true } = {}) {
    this.#cutsLargeParts = cutsLargeParts;
    this.#text = text;
    this.#maxDepth = maxDepth;
    for (let at = 0; at < text.length && this.cutAt === undefined; ) at = this.#token(at);
    // What a truncated file leaves open.
    while (this.#open.length > 1) this.#close(this.#open.pop(), text.length);
  }

  /** The first missing comma that the parser does not see. */
  missingComma(): number | undefined {
    return this.#missingCommas.find((offset) => this.cuts.some(({ from, to }) => from <= offset && offset < to));
  }

  /** Reads the token at an offset, and returns its end. */
  #token(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code === COMMA || code === COLON) {
      this.nodes++;
      this.#afterValue = false;
      return at + 1;
    }
    if (isSpace(code)) return this.#spaces(at);
    if (code === SLASH) return this.#comment(at);
    if (isClosing(code)) {
      const bracket = this.#open.pop();
      if (this.#open.length > 0) this.#close(bracket, at);
      this.#afterValue = true;
      return at + 1;
    }
    // The parser reports the others.
    if (this.#afterValue && this.#missingCommas.length < MAX_MISSING_COMMAS) this.#missingCommas.push(at);
    this.#afterValue = !isOpening(code);
    if (code === QUOTE) return this.#string(at);
    return isOpening(code) ? this.#bracket(at) : this.#word(at);
  }

  #bracket(at: number): number {
    this.nodes++;
    this.#open.push({ start: at, nodesBefore: this.nodes, excluded: 0 });
    if (this.#open.length > this.#maxDepth) this.cutAt = at;
    return at + 1;
  }

  #string(start: number): number {
    const text = this.#text;
    let keptEnd = start + 1;
    let at = start + 1;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE || isLineBreak(code)) break;
      if (at - start <= KEPT_STRING_LENGTH) keptEnd = at;
      if (code === BACKSLASH) at++;
    }
    at = Math.min(at, text.length);
    if (at - start > LONG_STRING_LENGTH) this.#cut(keptEnd, at);
    return text.charCodeAt(at) === QUOTE ? at + 1 : at;
  }

  #spaces(start: number): number {
    let at = start + 1;
    while (at < this.#text.length && isSpace(this.#text.charCodeAt(at))) at++;
    if (at - start > LONG_SPACE_LENGTH) this.#cut(start + 1, at);
    return at;
  }

  #comment(start: number): number {
    this.nodes++;
    const second = this.#text.charCodeAt(start + 1);
    if (second !== STAR && second !== SLASH) return start + 1;
    let at = start + 2;
    if (second === SLASH) while (at < this.#text.length && !isLineBreak(this.#text.charCodeAt(at))) at++;
    else {
      const end = this.#text.indexOf("*/", at);
      at = end < 0 ? this.#text.length : end;
    }
    if (at - start > LONG_STRING_LENGTH) this.#cut(start + 2, at);
    return second === STAR ? Math.min(at + 2, this.#text.length) : at;
  }

  #word(start: number): number {
    let at = start + 1;
    while (at < this.#text.length && isWord(this.#text.charCodeAt(at))) at++;
    return at;
  }

  #cut(from: number, to: number): void {
    this.cuts.push({ from, to });
    const innermost = this.#open.at(-1);
    if (innermost !== undefined) innermost.excluded += to - from;
  }

  /** Cuts the inside of a bracket if it is large. The top-level object is never cut. */
  #close(bracket: OpenBracket | undefined, end: number): void {
    if (bracket === undefined) return;
    const { start, nodesBefore, excluded } = bracket;
    const limit = this.#text[start] === "[" ? LARGE_LIST_LENGTH : LARGE_OBJECT_LENGTH;
    const isLarge = this.#cutsLargeParts && this.#text.length >= LARGE_TEXT_LENGTH && end - start - excluded > limit;
    if (isLarge) {
      while ((this.cuts.at(-1)?.from ?? -1) > start) this.cuts.pop();
      this.cuts.push({ from: start + 1, to: end });
      this.nodes = nodesBefore;
    }
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.excluded += isLarge ? end - start : excluded;
  }
}

/**
 * Prepares a JSON text (with comments, trailing commas, NaN and infinities) for the parser: large lists and objects,
 * long strings and long runs of spaces are cut, because a tree of millions of values would need a hundred times the
 * memory of the text. The parser recurses, so the text ends at the first bracket beyond `maxDepth`.
 * @throws BudgetError if what is left has too many values
 */
export function compactJson(text: string, maxDepth: number, budget: Budget): CompactJson {
  const scan = new JsonScan(text, maxDepth);
  const { cuts, nodes, cutAt } = scan;
  budget.spendNodes(nodes);
  const shortened = withoutCuts(cutAt === undefined ? text : text.slice(0, cutAt), cuts);
  const sourceOffset = mapOffsets(cuts);
  return { ...replaceNonFinite(shortened, sourceOffset), cutAt, missingComma: scan.missingComma(), sourceOffset };
}

/** The values of a text, and the offset of its first bracket that is nested too deeply. */
export function measureJson(
  text: string,
  maxDepth: number,
): { readonly nodes: number; readonly cutAt: number | undefined } {
  const { nodes, cutAt } = new JsonScan(text, maxDepth, { cutsLargeParts: false });
  return { nodes, cutAt };
}

function withoutCuts(text: string, cuts: readonly Cut[]): string {
  if (cuts.length === 0) return text;
  const parts: string[] = [];
  let end = 0;
  for (const { from, to } of cuts) {
    parts.push(text.slice(end, from));
    end = to;
  }
  return parts.join("") + text.slice(end);
}

/** The way from offsets of the shortened text to those of its source. */
function mapOffsets(cuts: readonly Cut[]): (offset: number) => number {
  let removed = 0;
  const steps = cuts.map(({ from, to }) => {
    const at = from - removed;
    removed += to - from;
    return { at, removed };
  });
  return (offset) => {
    let low = 0;
    let high = steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((steps[middle]?.at ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return offset + (steps[low - 1]?.removed ?? 0);
  };
}

/** Replaces NaN and Infinity, which jsonc-parser does not know, by a 0 of the same length. */
function replaceNonFinite(
  text: string,
  sourceOffset: CompactJson["sourceOffset"],
): Pick<CompactJson, "text" | "nonFinite"> {
  const nonFinite = new Map<number, number>();
  if (!text.includes("NaN") && !text.includes("Infinity")) return { text, nonFinite };
  const tokens = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|-?\b(?:NaN|Infinity)\b/g;
  const plain = text.replace(tokens, (token, offset: number) => {
    if (!/^-?(?:NaN|Infinity)$/.test(token)) return token;
    nonFinite.set(sourceOffset(offset), Number(token.replace("-NaN", "NaN")));
    return "0".padEnd(token.length);
  });
  return { text: plain, nonFinite };
}

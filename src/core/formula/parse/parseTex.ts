import { ownValue } from "../../util/ownValue.ts";
import { type Macros, type Token, tokenize } from "./tokens.ts";
import type { Expr, GroupExpr, ProductSign, Span, SymbolExpr } from "./tree.ts";
import {
  ACCENTS,
  DOTS,
  FUNCTIONS,
  IGNORED,
  IGNORED_WITH_ARGUMENT,
  LETTER_FUNCTIONS,
  LETTERS,
  PRODUCT_SIGNS,
  RELATIONS,
  STYLES,
  WORD_STYLES,
  WORDS,
} from "./vocabulary.ts";

/** Deeper formulas are not read. */
const MAX_DEPTH = 60;
const MAX_NODES = 6000;

class TooComplex extends Error {}

/**
 * The statements of a formula, in order: its lines, and what commas and words separate. Anything is accepted; half-typed
 * TeX gives what can be read of it.
 *
 * Own code: KaTeX (268 kB) throws at half-typed TeX, unified-latex (248 kB) gives flat lists of tokens, MathJax is
 * larger still; none of them knows products, sums and powers, which is all that is wanted here.
 */
export function parseTex(tex: string, macros?: Macros): readonly Expr[] {
  try {
    return new TexParser(tokenize(tex, macros)).parseStatements();
  } catch (error) {
    if (error instanceof TooComplex) return [];
    throw error;
  }
}

/** `…` and the bracket that ends it. */
const CLOSERS: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "\\{": "\\}",
  "\\langle": "\\rangle",
  "<": ">",
};
const CLOSING = new Set([
  ")",
  "]",
  "}",
  "\\}",
  "\\rangle",
  "\\rfloor",
  "\\rceil",
  "\\rvert",
  "\\rVert",
  "\\end",
  "\\right",
]);
const MATRICES = /^(?:[pbBvV]?matrix\*?|smallmatrix|psmallmatrix|array|[dr]?cases\*?|tabular)$/;
const FUNCTION_STOPS: ReadonlySet<string> = new Set(["sin", "cos"]);

const BREAKS = new Set(["\\\\", "&", ",", ";", ".", "\\quad", "\\qquad", "\\newline", "\\cr", "。"]);

class TexParser {
  /** Running letters are split while they are read. */
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;
  #nodes = 0;
  /** Open absolute values; a bar closes the innermost. */
  #bars = 0;
  /** Inside an index, letters stand for themselves. */
  #inScript = 0;
  /** Open parentheses and brackets. */
  #brackets = 0;
  /** Inside a matrix, `&` and `\\` separate entries. */
  #inMatrix = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  parseStatements(): Expr[] {
    const statements: Expr[] = [];
    while (this.#at < this.#tokens.length) {
      const start = this.#at;
      statements.push(...this.#parseLines());
      // A closing bracket without an opening one.
      if (this.#at < this.#tokens.length) this.#at = Math.max(this.#at, start) + 1;
    }
    return statements.filter((statement) => statement.kind !== "empty");
  }

  /** Statements up to a closing bracket, the end of an environment, or the end. */
  #parseLines(): Expr[] {
    const statements: Expr[] = [];
    for (;;) {
      this.#skipBreaks();
      if (this.#isClosing()) return statements;
      const start = this.#at;
      statements.push(this.#parseRelation());
      if (this.#at === start) this.#at++;
    }
  }

  #skipBreaks(): void {
    while (this.#at < this.#tokens.length && BREAKS.has(this.#peekName())) {
      if (this.#isSign(".") && this.#tokens[this.#at + 1]?.text === ".") return;
      this.#at++;
    }
  }

  // --- tokens

  #peek(): Token | undefined {
    this.#skipIgnored();
    return this.#tokens[this.#at];
  }

  /** A sign as it is, a command with its backslash, "" at the end. */
  #peekName(): string {
    const token = this.#peek();
    if (token === undefined) return "";
    return token.kind === "command" ? `\\${token.text}` : token.kind === "sign" ? token.text : token.kind;
  }

  #skipIgnored(): void {
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined) return;
      const isAlignment = token.kind === "sign" && token.text === "&" && this.#inMatrix === 0;
      if (token.kind === "space" || isAlignment) this.#at++;
      else if (token.kind !== "command") return;
      else if (IGNORED.has(token.text) || /^[,;:!> ]$/.test(token.text) || token.text === "thinspace") {
        this.#at++;
        if (token.text === "left" || token.text === "right" || token.text === "middle") this.#skipNullDelimiter();
      } else if (IGNORED_WITH_ARGUMENT.has(token.text)) {
        this.#at++;
        this.#skipArgument();
      } else return;
    }
  }

  /** The dot of `\left.` */
  #skipNullDelimiter(): void {
    while (this.#tokens[this.#at]?.kind === "space") this.#at++;
    if (this.#tokens[this.#at]?.text === "." && this.#tokens[this.#at]?.kind === "sign") this.#at++;
  }

  #skipArgument(): void {
    while (this.#tokens[this.#at]?.kind === "space") this.#at++;
    if (this.#isSign("{")) this.#readBraced();
  }

  #isSign(sign: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === "sign" && token.text === sign;
  }

  /** The tokens between braces, which are skipped. */
  #readBraced(): readonly Token[] {
    const start = this.#at + 1;
    let depth = 0;
    for (; this.#at < this.#tokens.length; this.#at++) {
      if (this.#isSign("{")) depth++;
      else if (this.#isSign("}") && --depth === 0) break;
    }
    const inner = this.#tokens.slice(start, this.#at);
    this.#at++;
    return inner;
  }

  #isClosing(): boolean {
    const name = this.#peekName();
    return name === "" || CLOSING.has(name);
  }

  #count(): void {
    if (++this.#nodes > MAX_NODES) throw new TooComplex();
  }

  #spanFrom(start: number): Span {
    const from = this.#tokens[start]?.from ?? 0;
    let last = this.#at - 1;
    while (last > start && this.#tokens[last]?.kind === "space") last--;
    return { from, to: Math.max(from, this.#tokens[last]?.to ?? from) };
  }

  #nested<T>(parse: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw new TooComplex();
    try {
      return parse();
    } finally {
      this.#depth--;
    }
  }

  // --- relations, sums, products

  #parseRelation(): Expr {
    return this.#nested(() => {
      this.#peek();
      const start = this.#at;
      const sides = [this.#parseSum()];
      const signs: string[] = [];
      for (;;) {
        const sign = this.#readRelation();
        if (sign === null) break;
        signs.push(sign);
        sides.push(this.#parseSum());
      }
      const [only] = sides;
      return signs.length === 0 && only !== undefined
        ? only
        : { kind: "relation", sides, signs, ...this.#spanFrom(start) };
    });
  }

  /** Also after a line break: `a \\ &= b`. */
  #readRelation(): string | null {
    const start = this.#at;
    this.#skipContinuation();
    const token = this.#peek();
    const name = token === undefined || token.kind === "letters" || token.kind === "number" ? "" : token.text;
    if ((name === "overset" || name === "stackrel" || name === "underset") && this.#hasRelationArgument()) return "=";
    const sign = ownValue(RELATIONS, name);
    if (sign === undefined) {
      this.#at = start;
      return null;
    }
    this.#at++;
    if (sign === ":" && this.#peekName() === "=") this.#at++;
    return sign === ":" && this.#tokens[this.#at - 1]?.text === "=" ? "=" : sign;
  }

  #hasRelationArgument(): boolean {
    const start = this.#at;
    this.#at++;
    this.#skipArgument();
    this.#skipIgnored();
    if (!this.#isSign("{")) {
      this.#at = start;
      return false;
    }
    const inner = this.#readBraced();
    if (inner.some((token) => Object.hasOwn(RELATIONS, token.text))) return true;
    this.#at = start;
    return false;
  }

  /** A line break and `&` before an operator continue a statement. Not in matrices. */
  #skipContinuation(): void {
    if (this.#inMatrix > 0) return;
    const start = this.#at;
    let name = this.#peekName();
    while (name === "\\\\" || name === "&" || name === "\\quad" || name === "\\qquad") {
      this.#at++;
      if (name === "\\\\" && this.#isSign("[")) this.#skipOptional();
      name = this.#peekName();
    }
    const text = name.replace(/^\\/, "");
    const continues =
      name === "+" || name === "-" || Object.hasOwn(RELATIONS, text) || Object.hasOwn(PRODUCT_SIGNS, text);
    if (!continues) this.#at = start;
  }

  /** `[2pt]` after a line break. */
  #skipOptional(): void {
    const end = this.#tokens.findIndex((token, index) => index > this.#at && token.text === "]");
    if (end > 0 && end - this.#at < 5) this.#at = end + 1;
  }

  #parseSum(): Expr {
    this.#peek();
    const start = this.#at;
    const terms: { sign: 1 | -1; expr: Expr }[] = [];
    let sign: 1 | -1 = 1;
    let isFirst = true;
    for (;;) {
      if (!isFirst || this.#isAdditive(this.#peekName())) {
        const before = this.#at;
        this.#skipContinuation();
        const next = this.#additiveSign();
        if (next === null) {
          this.#at = before;
          if (!isFirst) break;
        } else sign = next;
      }
      isFirst = false;
      const expr = this.#parseProduct();
      if (expr.kind === "empty" && terms.length === 0 && sign === 1) return expr;
      if (expr.kind !== "empty") terms.push({ sign, expr });
      sign = 1;
    }
    const [only] = terms;
    if (terms.length === 1 && only?.sign === 1) return only.expr;
    return { kind: "sum", terms, ...this.#spanFrom(start) };
  }

  #isAdditive(name: string): boolean {
    return name === "+" || name === "-" || name === "\\pm" || name === "\\mp";
  }

  #additiveSign(): 1 | -1 | null {
    const name = this.#peekName();
    if (!this.#isAdditive(name)) return null;
    this.#at++;
    // Line breaks between the sign and its term: a + \\ & b.
    while (this.#inMatrix === 0 && (this.#peekName() === "\\\\" || this.#peekName() === "&")) this.#at++;
    return name === "-" ? -1 : 1;
  }

  /** @param stops functions before which an argument without parentheses ends */
  #parseProduct(stops?: ReadonlySet<string>): Expr {
    this.#peek();
    const start = this.#at;
    const factors: Expr[] = [];
    const signs: ProductSign[] = [];
    for (;;) {
      const sign = factors.length === 0 ? "" : this.#productSign();
      if (stops !== undefined && (sign !== "" || (factors.length > 0 && this.#startsFunction(stops)))) {
        if (sign !== "") this.#at--;
        break;
      }
      const name = this.#peekName();
      if (factors.length > 0 && (name === "/" || name === "\\div" || name === "\\over")) {
        this.#at++;
        const numerator = joinFactors(factors, signs, this.#spanFrom(start));
        const denominator = this.#parseDenominator(name === "\\over");
        factors.splice(0, factors.length, { kind: "quotient", numerator, denominator, ...this.#spanFrom(start) });
        signs.length = 0;
        continue;
      }
      const factor = this.#parseFactor();
      if (factor === null) break;
      this.#count();
      if (factors.length > 0) signs.push(sign);
      factors.push(factor);
    }
    return joinFactors(factors, signs, this.#spanFrom(start));
  }

  /** `2\pi` after a slash is one denominator; otherwise it is one factor. */
  #parseDenominator(whole: boolean): Expr {
    if (whole) return this.#parseProduct();
    const start = this.#at;
    const first = this.#parseFactor() ?? this.#empty();
    const isDifferential = first.kind === "symbol" && /^(?:d|partial)$/.test(first.name) && first.sub.length === 0;
    if (first.kind !== "number" && !isDifferential) return first;
    if (isDifferential && this.#tokens[this.#at]?.from !== first.to) return first;
    const token = this.#peek();
    if (token?.kind !== "letters" && token?.text !== "pi") return first;
    const second = this.#parseFactor();
    return second === null ? first : joinFactors([first, second], [""], this.#spanFrom(start));
  }

  #empty(): Expr {
    const at = this.#tokens[this.#at]?.from ?? 0;
    return { kind: "empty", text: "", from: at, to: at };
  }

  #productSign(): ProductSign {
    const before = this.#at;
    this.#skipContinuation();
    const name = this.#peekName().replace(/^\\/, "");
    // ω_k . t in parentheses
    const isDot = name === "." && this.#brackets > 0 && this.#tokens[this.#at + 1]?.text !== ".";
    const sign = ownValue(PRODUCT_SIGNS, name) ?? (isDot ? "dot" : undefined);
    if (sign === undefined) {
      this.#at = before;
      return "";
    }
    this.#at++;
    while (this.#inMatrix === 0 && (this.#peekName() === "\\\\" || this.#peekName() === "&")) this.#at++;
    return sign;
  }

  #startsFunction(names: ReadonlySet<string>): boolean {
    const token = this.#peek();
    if (token === undefined) return false;
    return (
      names.has(token.text) || (token.kind === "letters" && [...names].some((name) => token.text.startsWith(name)))
    );
  }

  // --- factors

  /** A primary with its indices and powers; null where a product ends. */
  #parseFactor(): Expr | null {
    return this.#nested(() => {
      this.#peek();
      const start = this.#at;
      const primary = this.#parsePrimary();
      if (primary === null) return null;
      return this.#parseScripts(primary, start);
    });
  }

  #parseScripts(base: Expr, start: number): Expr {
    let expr = base;
    for (;;) {
      const name = this.#peekName();
      if (name === "_") {
        this.#at++;
        expr = addSubscript(expr, this.#parseScript(), this.#spanFrom(start));
      } else if (name === "^") {
        this.#at++;
        expr = addSuperscript(expr, this.#parseScript(), this.#spanFrom(start));
      } else if (name === "'" || name === "\\prime") {
        this.#at++;
        expr = addPrime(expr, this.#spanFrom(start));
      } else if (name === "(" && expr.kind === "symbol" && this.#inScript === 0) {
        const group = this.#parseBracket("(");
        const args = group.kind === "group" && group.bracket === "(" ? group.items : [group];
        expr = { kind: "apply", fn: expr, args, ...this.#spanFrom(start) };
      } else if (name === "[" && expr.kind === "symbol" && this.#inScript === 0) {
        const indexed = this.#parseBracketIndex(expr, start);
        if (indexed === null) return expr;
        expr = indexed;
      } else return expr;
    }
  }

  /** B[i, j]; other lists in brackets are factors. */
  #parseBracketIndex(symbol: SymbolExpr, start: number): Expr | null {
    const before = this.#at;
    const group = this.#parseBracket("[");
    const items = group.kind === "group" ? group.items : [];
    const isIndex = items.length === 2 && items.every((item) => /^(?:symbol|product|sum)$/.test(item.kind));
    if (isIndex && items.some((item) => item.kind === "symbol"))
      return { ...symbol, sub: [...symbol.sub, ...items], ...this.#spanFrom(start) };
    this.#at = before;
    return null;
  }

  /** An index or exponent: one token, or a list in braces. */
  #parseScript(): readonly Expr[] {
    this.#inScript++;
    try {
      this.#skipIgnored();
      if (this.#isSign("{")) return this.#parseBracedList();
      const token = this.#tokens[this.#at];
      if (token === undefined) return [];
      if (token.kind === "letters" || token.kind === "number") return [this.#readOneCharacter(token)];
      const sign = token.kind === "sign" ? token.text : "";
      if (sign === "*" || sign === "+" || sign === "-" || sign === "'") {
        this.#at++;
        return [{ kind: "symbol", name: sign, accent: "", sub: [], sup: [], from: token.from, to: token.to }];
      }
      const primary = this.#nested(() => this.#parsePrimary());
      return primary === null ? [] : [primary];
    } finally {
      this.#inScript--;
    }
  }

  /** `x_ij` is x with index i, times j; the rest of the token is read again. */

  #readOneCharacter(token: Token): Expr {
    const isWord = token.kind === "number" || WORDS.has(token.text);
    const text = isWord && token.kind !== "number" ? token.text : token.text.charAt(0);
    const span = { from: token.from, to: token.from + text.length };
    if (text.length === token.text.length) this.#at++;
    else this.#splitToken(token, text.length);
    if (token.kind === "number") return { kind: "number", value: Number(text), ...span };
    return { kind: "symbol", name: text, accent: "", sub: [], sup: [], ...span };
  }

  /** Replaces the current token by its rest. */
  #splitToken(token: Token, length: number): void {
    const isSource = token.to - token.from === token.text.length;
    const rest = { ...token, text: token.text.slice(length), from: isSource ? token.from + length : token.from };
    this.#tokens.splice(this.#at, 1, rest);
  }

  #parseBracedList(): readonly Expr[] {
    this.#at++;
    const bars = this.#bars;
    this.#bars = 0;
    const items: Expr[] = [];
    for (;;) {
      this.#skipBreaks();
      if (this.#peekName() === "|" || this.#peekName() === "\\mid" || this.#peekName() === "\\vert") this.#at++;
      const name = this.#peekName();
      if (name === "" || name === "}") break;
      const start = this.#at;
      const scriptSign = name === "*" || ((name === "+" || name === "-") && this.#tokens[this.#at + 1]?.text === "}");
      if (scriptSign) {
        const token = this.#tokens[this.#at++];
        items.push({ kind: "symbol", name, accent: "", sub: [], sup: [], from: token?.from ?? 0, to: token?.to ?? 0 });
      } else items.push(this.#parseRelation());
      if (this.#at === start) this.#at++;
    }
    this.#at++;
    this.#bars = bars;
    return items.filter((item) => item.kind !== "empty");
  }

  #parsePrimary(): Expr | null {
    const token = this.#peek();
    if (token === undefined) return null;
    switch (token.kind) {
      case "number":
        this.#at++;
        return { kind: "number", value: Number(token.text), from: token.from, to: token.to };
      case "letters":
        return this.#parseLetters(token);
      case "command":
        return this.#parseCommand(token);
      default:
        return this.#parseSign(token);
    }
  }

  #parseSign(token: Token): Expr | null {
    switch (token.text) {
      case "{":
        return this.#parseBraces();
      case "(":
      case "[":
        return this.#parseBracket(token.text);
      case "|":
        return this.#bars > 0 || (this.#inScript > 0 && !this.#hasSecondBar()) ? null : this.#parseBars("|");
      case "<":
        return null;
      case ".":
        return this.#parseThreeDots();
      case "!":
      case '"':
      case "`":
      case "?":
      case "@":
        this.#at++;
        return { kind: "text", text: token.text, from: token.from, to: token.to };
      default:
        return null;
    }
  }

  #parseThreeDots(): Expr | null {
    const start = this.#at;
    while (this.#isSign(".")) this.#at++;
    if (this.#at - start >= 2) return { kind: "dots", text: "…", ...this.#spanFrom(start) };
    this.#at = start;
    return null;
  }

  /** A group; several lines or items in it are a list. */
  #parseBraces(): Expr {
    const start = this.#at;
    this.#at++;
    const bars = this.#bars;
    this.#bars = 0;
    const items = this.#nested(() => this.#parseLines());
    this.#bars = bars;
    if (this.#isSign("}")) this.#at++;
    const span = this.#spanFrom(start);
    const kept = items.filter((item) => item.kind !== "empty");
    const [only] = kept;
    if (kept.length === 1 && only !== undefined) return only;
    return kept.length === 0
      ? { kind: "empty", text: "", ...span }
      : { kind: "group", bracket: "(", items: kept, ...span };
  }

  #parseBracket(open: string): Expr {
    const start = this.#at;
    this.#at++;
    const bars = this.#bars;
    const script = this.#inScript;
    const matrix = this.#inMatrix;
    this.#bars = 0;
    this.#inScript = 0;
    this.#inMatrix = 0;
    this.#brackets++;
    const items = this.#nested(() => this.#parseItems());
    this.#brackets--;
    this.#bars = bars;
    this.#inScript = script;
    this.#inMatrix = matrix;
    const closing = this.#peekName();
    // Half-open intervals end with another bracket.
    if (closing === ownValue(CLOSERS, open) || ((open === "(" || open === "[") && (closing === ")" || closing === "]")))
      this.#at++;
    const bracket: GroupExpr["bracket"] = open === "[" ? "[" : open === "\\{" ? "{" : open === "\\langle" ? "<" : "(";
    const [only] = items;
    const span = this.#spanFrom(start);
    // x^{(1)} has a label, x^{1} a power.
    const isLabel = script > 0 && only !== undefined && isIndexLabel(only);
    if (bracket === "(" && items.length === 1 && only !== undefined && !isLabel) return { ...only, ...span };
    return { kind: "group", bracket, items, ...span };
  }

  #parseItems(): Expr[] {
    const items: Expr[] = [];
    for (;;) {
      this.#skipBreaks();
      if (this.#isClosing()) return items;
      const start = this.#at;
      const item = this.#parseRelation();
      if (item.kind !== "empty") items.push(item);
      if (this.#at === start) this.#at++;
    }
  }

  /** In an index, one bar separates: P_{i|j}. */
  #hasSecondBar(): boolean {
    let depth = 0;
    for (let index = this.#at + 1; index < this.#tokens.length && depth >= 0; index++) {
      const token = this.#tokens[index];
      if (token?.kind !== "sign") continue;
      if (token.text === "{") depth++;
      else if (token.text === "}") depth--;
      else if (token.text === "|" && depth === 0) return true;
    }
    return false;
  }

  #parseBars(sign: string): Expr {
    const start = this.#at;
    this.#at++;
    this.#bars++;
    const inner = this.#nested(() => this.#parseRelation());
    this.#bars--;
    const name = this.#peekName();
    if (name === sign || name === "\\rvert" || name === "\\rVert" || name === "\\vert") this.#at++;
    const bracket = sign === "|" || sign === "\\lvert" || sign === "\\vert" ? "|" : "norm";
    return { kind: "group", bracket, items: [inner], ...this.#spanFrom(start) };
  }

  /** Running letters are words that are known, functions, or single letters. */
  #parseLetters(token: Token): Expr {
    const { text, from } = token;
    const isLabel =
      this.#inScript > 0 &&
      text.length >= 3 &&
      !/^[i-np-t]+$/.test(text) &&
      !LETTER_FUNCTIONS.some((name) => text.startsWith(name));
    if (isLabel) {
      this.#at++;
      return { kind: "symbol", name: text, accent: "", sub: [], sup: [], from, to: token.to };
    }
    if (WORDS.has(text) || text.includes("_") || (FUNCTIONS.has(text) && text.length > 1)) {
      const start = this.#at++;
      if (FUNCTIONS.has(text) && !WORDS.has(text)) return this.#parseCall(text, start);
      return { kind: "symbol", name: text, accent: "", sub: [], sup: [], from, to: token.to };
    }
    const name = LETTER_FUNCTIONS.find((candidate) => text.startsWith(candidate));
    const start = this.#at;
    const length = name?.length ?? 1;
    const isSource = token.to - token.from === text.length;
    if (length === text.length) this.#at++;
    else {
      const head = { ...token, text: text.slice(0, length), to: isSource ? from + length : token.to };
      const rest = { ...token, text: text.slice(length), from: isSource ? from + length : from };
      this.#tokens.splice(this.#at, 1, head, rest);
      this.#at++;
    }
    if (name !== undefined) return this.#parseCall(name, start);
    return { kind: "symbol", name: text.charAt(0), accent: "", sub: [], sup: [], ...this.#spanFrom(start) };
  }

  #parseCommand(token: Token): Expr | null {
    const { text } = token;
    const name = `\\${text}`;
    if (CLOSING.has(name) || name === "\\\\" || Object.hasOwn(RELATIONS, text) || Object.hasOwn(PRODUCT_SIGNS, text))
      return null;
    if (/^(?:quad|qquad|pm|mp|div|over|newline|cr|Vert)$/.test(text) || text === "") return null;
    const start = this.#at++;
    if (DOTS.has(text)) return { kind: "dots", text: "…", ...this.#spanFrom(start) };
    if (FUNCTIONS.has(text) && text !== "sqrt") return this.#parseCall(text, start);
    if (text === "sum" || text === "prod" || text === "int" || text === "bigotimes") return this.#parseBig(text, start);
    if (Object.hasOwn(ACCENTS, text)) return this.#parseAccent(ownValue(ACCENTS, text) ?? "", start);
    if (STYLES.has(text)) return this.#parseStyled(text, start);
    return this.#parseStructure(text, start);
  }

  #parseStructure(text: string, start: number): Expr | null {
    switch (text) {
      case "frac":
      case "dfrac":
      case "tfrac":
      case "cfrac":
      case "nicefrac":
      case "sfrac":
        return this.#parseFraction(start);
      case "sqrt":
        return this.#parseRoot(start);
      case "begin":
        return this.#parseEnvironment(start);
      case "{":
      case "lbrace":
        this.#at = start;
        return this.#parseBracket("\\{");
      case "langle":
        this.#at = start;
        return this.#parseBracket("\\langle");
      case "lfloor":
      case "lceil":
        return this.#parseRounded(text === "lfloor" ? "floor" : "ceil", start);
      case "lvert":
      case "lVert":
      case "|":
      case "vert":
        if (this.#bars > 0 && text !== "lvert" && text !== "lVert") {
          this.#at = start;
          return null;
        }
        this.#at = start;
        return this.#parseBars(`\\${text}`);
      case "underbrace":
      case "overbrace":
      case "underset":
      case "overset":
      case "stackrel":
      case "textcolor":
      case "colorbox":
      case "mathcolor":
        return this.#parseDecorated(text, start);
      default:
        return this.#letter(text, start);
    }
  }

  #letter(text: string, start: number): Expr {
    const known = ownValue(LETTERS, text);
    // Macros of math_commands.tex and the like: \vx, \mW, \bq.
    const styled = /^(?!mu$)(?:[vmbtres]|bf|bb|mat|vec|cal)([A-Za-z])$/.exec(text);
    const name = known ?? styled?.[1] ?? text;
    return { kind: "symbol", name, accent: "", sub: [], sup: [], ...this.#spanFrom(start) };
  }

  #parseArgument(): Expr {
    this.#skipIgnored();
    if (this.#isSign("{")) return this.#parseBraces();
    const token = this.#tokens[this.#at];
    if (token === undefined) return this.#empty();
    if (token.kind === "letters" || token.kind === "number") return this.#readOneCharacter(token);
    return this.#nested(() => this.#parsePrimary()) ?? this.#empty();
  }

  #parseFraction(start: number): Expr {
    const numerator = this.#outsideScript(() => this.#parseArgument());
    const denominator = this.#outsideScript(() => this.#parseArgument());
    return { kind: "quotient", numerator, denominator, ...this.#spanFrom(start) };
  }

  #outsideScript<T>(parse: () => T): T {
    const matrix = this.#inMatrix;
    this.#inMatrix = 0;
    const result = parse();
    this.#inMatrix = matrix;
    return result;
  }

  #parseRoot(start: number): Expr {
    this.#skipIgnored();
    if (this.#isSign("[")) this.#skipOptional();
    const inner = this.#parseArgument();
    return { kind: "call", name: "sqrt", args: [inner], sub: [], power: null, ...this.#spanFrom(start) };
  }

  #parseRounded(bracket: "floor" | "ceil", start: number): Expr {
    const inner = this.#nested(() => this.#parseRelation());
    if (this.#peekName() === `\\r${bracket}`) this.#at++;
    return { kind: "group", bracket, items: [inner], ...this.#spanFrom(start) };
  }

  /** `\underbrace{X}_{note}`, `\textcolor{red}{X}`, `\overset{note}{X}` */
  #parseDecorated(text: string, start: number): Expr {
    const isBrace = text.endsWith("brace");
    if (!isBrace) this.#skipArgument();
    const inner = this.#parseArgument();
    if (isBrace && (this.#peekName() === "_" || this.#peekName() === "^")) {
      this.#at++;
      this.#skipIgnored();
      if (this.#isSign("{")) this.#readBraced();
      else this.#at++;
    }
    return inner.kind === "empty" ? inner : { ...inner, ...this.#spanFrom(start) };
  }

  #parseAccent(accent: string, start: number): Expr {
    const inner = this.#parseArgument();
    const span = this.#spanFrom(start);
    if (inner.kind === "symbol") return { ...inner, accent: accent || inner.accent, ...span };
    return { ...inner, ...span };
  }

  /** `\mathbf{x}`, `\text{pos}`, `\operatorname{clip}(…)` */
  #parseStyled(style: string, start: number): Expr {
    this.#skipIgnored();
    if (!this.#isSign("{")) {
      const inner = this.#parseArgument();
      return { ...inner, ...this.#spanFrom(start) };
    }
    const argument = this.#at;
    if (WORD_STYLES.has(style)) {
      const inner = this.#readBraced();
      const word = inner
        .map((token) => (token.kind === "command" ? (token.text === "_" ? "_" : "") : token.text))
        .join("");
      const plain = trimPunctuation(word);
      const isPlain = inner.every((token) => token.kind !== "command" || /^[_ ,]$/.test(token.text));
      if (isPlain && /^[A-Za-z][A-Za-z0-9_-]*$/.test(plain) && plain.length > 1) return this.#word(plain, start);
      if (
        isPlain &&
        (/\s/.test(plain) || plain === "" || /^(?:text|mbox|textrm|hbox)/.test(style)) &&
        !/^[A-Za-z]$/.test(plain)
      )
        return { kind: "text", text: plain, ...this.#spanFrom(start) };
      this.#at = argument;
    }
    const inner = this.#parseBraces();
    return { ...inner, ...this.#spanFrom(start) };
  }

  #word(word: string, start: number): Expr {
    const name = word.replace(/^(?:rotate|Rotate)[_-]?half$/i, "rotate");
    const isFunction = FUNCTIONS.has(name) && !WORDS.has(name);
    if (isFunction) return this.#parseCall(name, start);
    if (/^(?:where|if|and|otherwise|for|with|when|else|is|even|odd|then|or|as)$/i.test(name))
      return { kind: "text", text: name, ...this.#spanFrom(start) };
    return { kind: "symbol", name, accent: "", sub: [], sup: [], ...this.#spanFrom(start) };
  }

  /** A function's indices, power and argument: what is in parentheses, or the product after it. */
  #parseCall(name: string, start: number): Expr {
    // Labels like A^{abs} and p_{min}.
    if (this.#inScript > 0 && /^(?:[},|_^&)]|)$/.test(this.#peekName()))
      return { kind: "symbol", name, accent: "", sub: [], sup: [], ...this.#spanFrom(start) };
    const scripts = this.#parseCallScripts();
    const next = this.#peekName();
    const args = this.#nested(() => this.#parseCallArguments(next));
    return { kind: "call", name, args, ...scripts, ...this.#spanFrom(start) };
  }

  #parseCallScripts(): { sub: readonly Expr[]; power: Expr | null } {
    let sub: readonly Expr[] = [];
    let power: Expr | null = null;
    for (let name = this.#peekName(); name === "_" || name === "^" || name === "'"; name = this.#peekName()) {
      this.#at++;
      if (name === "_") sub = this.#parseScript();
      else if (name === "^") power = this.#parseScript()[0] ?? null;
    }
    return { sub, power };
  }

  #parseCallArguments(next: string): readonly Expr[] {
    if (next === "(" || next === "[" || next === "\\{") {
      const group = this.#parseBracket(next);
      return group.kind === "group" && (group.bracket === "(" || group.bracket === "[" || group.bracket === "{")
        ? group.items
        : [group];
    }
    const argument = this.#parseProduct(FUNCTION_STOPS);
    return argument.kind === "empty" ? [] : [argument];
  }

  #parseBig(text: string, start: number): Expr {
    let lower: readonly Expr[] = [];
    let upper: readonly Expr[] = [];
    for (let name = this.#peekName(); name === "_" || name === "^"; name = this.#peekName()) {
      this.#at++;
      if (name === "_") lower = this.#parseScript();
      else upper = this.#parseScript();
    }
    const body = this.#nested(() => this.#parseProduct());
    const operator = text === "sum" || text === "int" ? text : "prod";
    return { kind: "big", operator, lower, upper, body, ...this.#spanFrom(start) };
  }

  #parseEnvironment(start: number): Expr {
    this.#skipIgnored();
    const name = this.#isSign("{")
      ? this.#readBraced()
          .map((token) => token.text)
          .join("")
      : "";
    if (name.startsWith("array") || name.startsWith("alignedat") || name.startsWith("alignat")) this.#skipArgument();
    if (!MATRICES.test(name)) return this.#parseDisplay(start);
    const rows = this.#nested(() => this.#parseRows());
    this.#skipEnd();
    return { kind: "matrix", isCases: name.includes("cases"), rows, ...this.#spanFrom(start) };
  }

  /** `aligned` and the like: the lines of a statement. */
  #parseDisplay(start: number): Expr {
    const matrix = this.#inMatrix;
    this.#inMatrix = 0;
    const items = this.#nested(() => this.#parseLines());
    this.#inMatrix = matrix;
    this.#skipEnd();
    const [only] = items;
    return items.length === 1 && only !== undefined
      ? only
      : { kind: "group", bracket: "(", items, ...this.#spanFrom(start) };
  }

  #skipEnd(): void {
    if (this.#peekName() !== "\\end") return;
    this.#at++;
    this.#skipArgument();
  }

  #parseRows(): Expr[][] {
    const outer = { bars: this.#bars, script: this.#inScript };
    this.#inMatrix++;
    this.#bars = 0;
    this.#inScript = 0;
    const rows: Expr[][] = [[]];
    for (;;) {
      const name = this.#peekName();
      if (name === "\\end" || name === "") break;
      const start = this.#at;
      if (name === "\\\\") {
        this.#at++;
        if (this.#isSign("[")) this.#skipOptional();
        rows.push([]);
      } else if (name === "&" || name === "," || name === ";") this.#at++;
      else {
        const entry = this.#parseRelation();
        if (entry.kind !== "empty") rows.at(-1)?.push(entry);
        if (this.#at === start) this.#at++;
      }
    }
    this.#inMatrix--;
    this.#bars = outer.bars;
    this.#inScript = outer.script;
    return rows.filter((row) => row.length > 0);
  }
}

function joinFactors(factors: readonly Expr[], signs: readonly ProductSign[], span: Span): Expr {
  const [first] = factors;
  if (first === undefined) return { kind: "empty", text: "", ...span };
  return factors.length === 1 ? first : { kind: "product", factors: [...factors], signs: [...signs], ...span };
}

function addSubscript(expr: Expr, items: readonly Expr[], span: Span): Expr {
  switch (expr.kind) {
    case "symbol":
      return { ...expr, sub: [...expr.sub, ...items], ...span };
    case "transpose":
    case "conjugate":
      return { ...expr, of: addSubscript(expr.of, items, expr.of), ...span };
    case "power":
      return { ...expr, base: addSubscript(expr.base, items, expr.base), ...span };
    case "apply":
      return { ...expr, fn: { ...expr.fn, sub: [...expr.fn.sub, ...items] }, ...span };
    // (x + p)_i, [..]_{i}: the index of a whole does not change its form.
    default:
      return { ...expr, ...span };
  }
}

function addPrime(expr: Expr, span: Span): Expr {
  return expr.kind === "symbol" ? { ...expr, accent: "prime", ...span } : { ...expr, ...span };
}

const TRANSPOSE: ReadonlySet<string> = new Set(["top", "T", "intercal", "tr", "transpose", "t"]);
const CONJUGATE: ReadonlySet<string> = new Set(["*", "ast", "dagger", "H", "star"]);

function isMark(expr: Expr, names: ReadonlySet<string>): boolean {
  return expr.kind === "symbol" && names.has(expr.name) && expr.sub.length === 0;
}

/** Transposes, conjugates, labels of matrices and tables, or a power. */
function addSuperscript(expr: Expr, items: readonly Expr[], span: Span): Expr {
  const parts = items.flatMap((item) => (item.kind === "product" ? item.factors : [item]));
  const last = parts.at(-1);
  if (last === undefined) return { ...expr, ...span };
  const isNumeric = expr.kind === "number" || (expr.kind === "symbol" && expr.name === "e");
  if (!isNumeric && isMark(last, TRANSPOSE) && !(parts.length === 1 && isMark(last, new Set(["t"])))) {
    const labelled = parts.length === 1 ? expr : addSuperscript(expr, parts.slice(0, -1), span);
    const [argument, ...others] = labelled.kind === "apply" ? labelled.args : [];
    // q(W k)ᵀ transposes what is in parentheses; R(m)ᵀ is the transpose of R(m).
    const isFactor =
      argument !== undefined && others.length === 0 && (argument.kind !== "symbol" || argument.sub.length > 0);
    if (labelled.kind === "apply" && isFactor && !/^[fghR]$/.test(labelled.fn.name)) {
      const transposed: Expr = { kind: "transpose", of: argument, from: argument.from, to: span.to };
      return { kind: "product", factors: [labelled.fn, transposed], signs: [""], ...span };
    }
    return { kind: "transpose", of: labelled, ...span };
  }
  if (parts.length === 1 && isMark(last, CONJUGATE)) return { kind: "conjugate", of: expr, ...span };
  if (parts.length === 1 && last.kind === "symbol" && (last.name === "prime" || last.name === "'"))
    return addPrime(expr, span);
  const symbol = labelledSymbol(expr);
  const isLabel = items.every((item) => isLabelPart(item));
  if (symbol !== null && !isNumeric && isLabel) {
    const labelled: SymbolExpr = { ...symbol, sup: [...symbol.sup, ...items], ...span };
    return expr.kind === "transpose" ? { ...expr, of: labelled, ...span } : labelled;
  }
  const [only] = items;
  if (only === undefined) return expr;
  const exponent: Expr =
    items.length === 1 ? only : { kind: "group", bracket: "(", items, from: only.from, to: only.to };
  return { kind: "power", base: expr, exponent, ...span };
}

function labelledSymbol(expr: Expr): SymbolExpr | null {
  if (expr.kind === "symbol") return expr;
  return expr.kind === "transpose" && expr.of.kind === "symbol" ? expr.of : null;
}

/** Words, letters, layers in parentheses, `QK`; not numbers, sums and quotients. */
function isLabelPart(expr: Expr): boolean {
  if (expr.kind === "symbol" || expr.kind === "text") return true;
  if (expr.kind === "product")
    return expr.factors.every((factor) => factor.kind === "symbol" && /^[A-Z]/.test(factor.name));
  return expr.kind === "group" && expr.bracket === "(";
}

/** 1, i, 2i, 2i + 1 */
function isIndexLabel(expr: Expr): boolean {
  if (expr.kind === "number" || expr.kind === "symbol") return true;
  if (expr.kind === "product")
    return expr.factors.length === 2 && expr.factors[0]?.kind === "number" && expr.factors[1]?.kind === "symbol";
  return (
    expr.kind === "sum" &&
    expr.terms.length === 2 &&
    expr.terms.every((term) => term.sign > 0 && isIndexLabel(term.expr))
  );
}

/** Without spaces around it and punctuation after it. */
function trimPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && " .,:;()\n\t".includes(text.charAt(end - 1))) end--;
  return text.slice(0, end).trimStart();
}

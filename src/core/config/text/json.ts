import * as l10n from "@vscode/l10n";
import { type Node, type ParseError, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import type { TextPosition, TextRange } from "../../spec.ts";
import { findNode } from "./findNode.ts";
import { withoutLargeParts } from "./largeParts.ts";

/** Keys and indices that lead to a value. */
export type Path = readonly (string | number)[];

/** A syntax error; the rest of the text is read nevertheless. */
export interface ReadError extends TextPosition {
  readonly message: string;
}

/** A JSON text, parsed as far as possible. */
export interface JsonDocument {
  readonly root: Node | undefined;
  readonly error: ReadError | null;
  rangeOf(node: Node): TextRange;
  /** Value of a node, including NaN and infinities, which jsonc-parser does not know. */
  valueOf(node: Node): unknown;
  /** The exact spelling of the value at a path. */
  textAt(path: Path): string | undefined;
}

/** Deeper nesting is cut off: the parser recurses, and the file may be hostile. */
const MAX_JSON_DEPTH = 1000;

/** Decodes UTF-8, with invalid bytes replaced, or UTF-16 if it has a byte order mark; the mark is removed. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const label = utf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  return withoutByteOrderMark(new TextDecoder(label).decode(bytes));
}

export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/**
 * Reads JSON with comments, trailing commas, NaN and infinities; never throws.
 * @param text without byte order mark
 */
export function readJson(text: string): JsonDocument {
  const { text: plain, nonFinite } = replaceNonFinite(text);
  const positions = createPositionLookup(text);
  const errors: ParseError[] = [];
  const cut = findDepthLimit(plain);
  const textWithinDepth = cut === undefined ? plain : plain.slice(0, cut);
  const parsedText = withoutLargeParts(textWithinDepth);
  const root = parseTree(parsedText, errors, { allowTrailingComma: true });
  if (parsedText !== textWithinDepth) errors.splice(0, errors.length, ...findSyntaxErrors(textWithinDepth));
  return {
    root,
    error: cut === undefined ? syntaxError(root, errors, positions) : depthError(positions(cut)),
    rangeOf: (node) => ({ start: positions(node.offset), end: positions(node.offset + node.length) }),
    valueOf: (node) => nodeValue(node, nonFinite),
    textAt: (path) => {
      const node = findNode(root, path);
      return node === undefined ? undefined : text.slice(node.offset, node.offset + node.length);
    },
  };
}

/** Finds syntax errors without building a tree. */
function findSyntaxErrors(text: string): readonly ParseError[] {
  const errors: ParseError[] = [];
  const onError = (error: ParseError["error"], offset: number, length: number) =>
    void errors.push({ error, offset, length });
  visit(text, { onError }, { allowTrailingComma: true });
  return errors;
}

/**
 * Replaces NaN and Infinity, which jsonc-parser does not know, by a 0 of the same length; their values are returned by
 * offset.
 */
function replaceNonFinite(text: string): { text: string; nonFinite: ReadonlyMap<number, number> } {
  const nonFinite = new Map<number, number>();
  if (!text.includes("NaN") && !text.includes("Infinity")) return { text, nonFinite };
  const tokens = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|-?\b(?:NaN|Infinity)\b/g;
  const plain = text.replace(tokens, (token, offset: number) => {
    if (!/^-?(?:NaN|Infinity)$/.test(token)) return token;
    nonFinite.set(offset, Number(token.replace("-NaN", "NaN")));
    return "0".padEnd(token.length);
  });
  return { text: plain, nonFinite };
}

/** Offset of the first bracket beyond the allowed depth, if any. */
function findDepthLimit(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\r\n]|\\.)*"?|[[{}\]]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth > MAX_JSON_DEPTH) return index;
  }
  return undefined;
}

function depthError(at: TextPosition): ReadError {
  return { message: l10n.t("nesting deeper than {0} levels was skipped", MAX_JSON_DEPTH), ...at };
}

function syntaxError(
  root: Node | undefined,
  errors: readonly ParseError[],
  positions: (offset: number) => TextPosition,
): ReadError | null {
  const first = errors.reduce<ParseError | undefined>(
    (a, b) => (a === undefined || b.offset < a.offset ? b : a),
    undefined,
  );
  if (first !== undefined)
    return { message: describeSyntaxError(printParseErrorCode(first.error)), ...positions(first.offset) };
  if (root?.type === "object") return null;
  return { message: l10n.t("not a JSON object"), ...positions(root?.offset ?? 0) };
}

function describeSyntaxError(code: string): string {
  switch (code) {
    case "CloseBraceExpected":
      return l10n.t("unexpected end of JSON: expected }");
    case "CloseBracketExpected":
      return l10n.t("unexpected end of JSON: expected ]");
    case "UnexpectedEndOfString":
      return l10n.t("unterminated string");
    case "UnexpectedEndOfComment":
      return l10n.t("unterminated comment");
    case "UnexpectedEndOfNumber":
    case "InvalidNumberFormat":
      return l10n.t("invalid number");
    case "PropertyNameExpected":
      return l10n.t("expected a key in double quotes");
    case "CommaExpected":
      return l10n.t("expected a comma");
    case "ColonExpected":
      return l10n.t("expected a colon");
    case "ValueExpected":
      return l10n.t("expected a value");
    case "EndOfFileExpected":
      return l10n.t("unexpected content after the JSON value");
    default:
      return l10n.t("invalid JSON");
  }
}

/** Converts offsets to positions by binary search over line starts (CRLF, LF and CR end a line). */
export function createPositionLookup(text: string): (offset: number) => TextPosition {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function nodeValue(node: Node, nonFinite: ReadonlyMap<number, number>): unknown {
  switch (node.type) {
    case "array":
      return (node.children ?? []).map((child) => nodeValue(child, nonFinite));
    case "object": {
      const entries = (node.children ?? []).flatMap(({ children }) => {
        const [key, value] = children ?? [];
        return key === undefined || value === undefined ? [] : [[String(key.value), nodeValue(value, nonFinite)]];
      });
      return Object.fromEntries(entries);
    }
    default:
      return nonFinite.get(node.offset) ?? node.value;
  }
}

import { t } from "@vscode/l10n";
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import type { Position, Range } from "../../spec.ts";
import { withoutLargeParts } from "./largeParts.ts";

/** Where a value stands in a JSON text. */
export type Path = readonly (string | number)[];

/** What is wrong with a text as a whole; the rest of it is read all the same. */
export interface ReadError extends Position {
  readonly message: string;
}

/** A JSON text, read as far as it can be. */
export interface JsonDocument {
  readonly root: Node | undefined;
  readonly error: ReadError | null;
  rangeOf(node: Node): Range;
  /** The value of a node; NaN and infinities, which jsonc-parser does not know, included. */
  valueOf(node: Node): unknown;
  /** How the value at a path is spelt. */
  textAt(path: Path): string | undefined;
}

/** Deeper nesting is cut off: the parser recurses, and the file is hostile input. */
const MAX_DEPTH = 1000;

/** Text of a file: UTF-8 with invalid bytes replaced, or UTF-16 by its mark; the mark itself is taken off. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const label = utf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  return withoutMark(new TextDecoder(label).decode(bytes));
}

export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Reads JSON with comments, trailing commas, NaN and infinities; never throws. `text` has no byte order mark. */
export function readJson(text: string): JsonDocument {
  const { text: plain, special } = replaceNonFinite(text);
  const positions = lineIndex(text);
  const errors: ParseError[] = [];
  const cut = depthLimit(plain);
  const kept = cut === undefined ? plain : plain.slice(0, cut);
  const read = withoutLargeParts(kept);
  const root = parseTree(read, errors, { allowTrailingComma: true });
  if (read !== kept) errors.splice(0, errors.length, ...errorsOf(kept));
  return {
    root,
    error: cut === undefined ? syntaxError(root, errors, positions) : tooDeep(positions(cut)),
    rangeOf: (node) => ({ start: positions(node.offset), end: positions(node.offset + node.length) }),
    valueOf: (node) => nodeValue(node, special),
    textAt: (path) => {
      const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
      return node === undefined ? undefined : text.slice(node.offset, node.offset + node.length);
    },
  };
}

/** What is wrong anywhere in the text, without a tree of it. */
function errorsOf(text: string): readonly ParseError[] {
  const errors: ParseError[] = [];
  const onError = (error: ParseError["error"], offset: number, length: number) =>
    void errors.push({ error, offset, length });
  visit(text, { onError }, { allowTrailingComma: true });
  return errors;
}

/** jsonc-parser does not know NaN and Infinity: they become a 0 of the same length, and are remembered by offset. */
function replaceNonFinite(text: string): { text: string; special: ReadonlyMap<number, number> } {
  const special = new Map<number, number>();
  if (!text.includes("NaN") && !text.includes("Infinity")) return { text, special };
  const tokens = /"(?:[^"\\\r\n]|\\.)*"?|\/\/[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)|-?\b(?:NaN|Infinity)\b/g;
  const plain = text.replace(tokens, (token, offset: number) => {
    if (!/^-?(?:NaN|Infinity)$/.test(token)) return token;
    special.set(offset, Number(token.replace("-NaN", "NaN")));
    return "0".padEnd(token.length);
  });
  return { text: plain, special };
}

/** Offset of the bracket that opens one level too many, if any. */
function depthLimit(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\r\n]|\\.)*"?|[[{}\]]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth > MAX_DEPTH) return index;
  }
  return undefined;
}

function tooDeep(at: Position): ReadError {
  return { message: t("nesting deeper than {0} levels was skipped", MAX_DEPTH), ...at };
}

function syntaxError(
  root: Node | undefined,
  errors: readonly ParseError[],
  positions: (offset: number) => Position,
): ReadError | null {
  const first = errors.reduce<ParseError | undefined>(
    (a, b) => (a === undefined || b.offset < a.offset ? b : a),
    undefined,
  );
  if (first !== undefined) return { message: describe(printParseErrorCode(first.error)), ...positions(first.offset) };
  if (root?.type === "object") return null;
  return { message: t("not a JSON object"), ...positions(root?.offset ?? 0) };
}

function describe(code: string): string {
  switch (code) {
    case "CloseBraceExpected":
      return t("unexpected end of JSON: expected }");
    case "CloseBracketExpected":
      return t("unexpected end of JSON: expected ]");
    case "UnexpectedEndOfString":
      return t("unterminated string");
    case "UnexpectedEndOfComment":
      return t("unterminated comment");
    case "UnexpectedEndOfNumber":
    case "InvalidNumberFormat":
      return t("invalid number");
    case "PropertyNameExpected":
      return t("expected a key in double quotes");
    case "CommaExpected":
      return t("expected a comma");
    case "ColonExpected":
      return t("expected a colon");
    case "ValueExpected":
      return t("expected a value");
    case "EndOfFileExpected":
      return t("unexpected content after the JSON value");
    default:
      return t("invalid JSON");
  }
}

/** Offset → position, by a binary search over the starts of the lines (CRLF, LF and CR end a line). */
export function lineIndex(text: string): (offset: number) => Position {
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

function nodeValue(node: Node, special: ReadonlyMap<number, number>): unknown {
  switch (node.type) {
    case "array":
      return (node.children ?? []).map((child) => nodeValue(child, special));
    case "object": {
      const entries = (node.children ?? []).flatMap(({ children }) => {
        const [key, value] = children ?? [];
        return key === undefined || value === undefined ? [] : [[String(key.value), nodeValue(value, special)]];
      });
      return Object.fromEntries(entries);
    }
    default:
      return special.get(node.offset) ?? node.value;
  }
}

import * as l10n from "@vscode/l10n";
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { TextPosition, TextRange } from "../../spec.ts";
import { Budget, BudgetError } from "../../util/budget.ts";
import { type CompactJson, compactJson } from "./compactJson.ts";
import { findNode } from "./findNode.ts";

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
export const MAX_JSON_DEPTH = 1000;

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
 * Reads JSON with comments, trailing commas, NaN and infinities; never throws. The inside of large lists and objects is
 * not read. A text beyond the budget is an error that names the limit.
 * @param text without byte order mark
 */
export function readJson(text: string, budget = new Budget()): JsonDocument {
  const positions = createPositionLookup(text);
  try {
    const compact = compactJson(text, MAX_JSON_DEPTH, budget);
    const errors: ParseError[] = [];
    const parsed = parseTree(compact.text, errors, { allowTrailingComma: true });
    const { cutAt, nonFinite, sourceOffset } = compact;
    const root = parsed === undefined || compact.text === text ? parsed : moveToSource(parsed, sourceOffset);
    const error = cutAt === undefined ? syntaxError(root, errors, compact, positions) : depthError(positions(cutAt));
    return jsonDocument(text, root, error, positions, nonFinite);
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    return jsonDocument(text, undefined, { message: error.message, ...positions(0) }, positions, new Map());
  }
}

function jsonDocument(
  text: string,
  root: Node | undefined,
  error: ReadError | null,
  positions: (offset: number) => TextPosition,
  nonFinite: ReadonlyMap<number, number>,
): JsonDocument {
  return {
    root,
    error,
    rangeOf: (node) => ({ start: positions(node.offset), end: positions(node.offset + node.length) }),
    valueOf: (node) => nodeValue(node, nonFinite),
    textAt: (path) => {
      const node = findNode(root, path);
      return node === undefined ? undefined : text.slice(node.offset, node.offset + node.length);
    },
  };
}

/** The tree with its offsets in the source. */
function moveToSource(node: Node, sourceOffset: CompactJson["sourceOffset"]): Node {
  const { type, value, children, colonOffset } = node;
  const offset = sourceOffset(node.offset);
  return {
    type,
    value,
    offset,
    length: sourceOffset(node.offset + node.length) - offset,
    ...(colonOffset === undefined ? {} : { colonOffset: sourceOffset(colonOffset) }),
    ...(children === undefined ? {} : { children: children.map((child) => moveToSource(child, sourceOffset)) }),
  };
}

function depthError(at: TextPosition): ReadError {
  return { message: l10n.t("nesting deeper than {0} levels was skipped", MAX_JSON_DEPTH), ...at };
}

function syntaxError(
  root: Node | undefined,
  errors: readonly ParseError[],
  { sourceOffset, missingComma }: CompactJson,
  positions: (offset: number) => TextPosition,
): ReadError | null {
  const first = errors.reduce<ParseError | undefined>(
    (a, b) => (a === undefined || b.offset < a.offset ? b : a),
    undefined,
  );
  const offset = first === undefined ? undefined : sourceOffset(first.offset);
  if (missingComma !== undefined && missingComma < (offset ?? Number.POSITIVE_INFINITY))
    return { message: l10n.t("expected a comma"), ...positions(missingComma) };
  if (first !== undefined && offset !== undefined)
    return { message: describeSyntaxError(printParseErrorCode(first.error)), ...positions(offset) };
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
  let lines: Uint32Array | undefined;
  return (offset) => {
    lines ??= findLineStarts(text);
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lines[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (lines[low] ?? 0) + 1 };
  };
}

/** Offsets at which lines start; counted first, because a list of millions of numbers would grow many times over. */
function findLineStarts(text: string): Uint32Array {
  let count = 1;
  for (let at = 0; at < text.length; at++) if (endsLine(text, at)) count++;
  const starts = new Uint32Array(count);
  let line = 1;
  for (let at = 0; at < text.length; at++) if (endsLine(text, at)) starts[line++] = at + 1;
  return starts;
}

/** True at LF, and at a CR that no LF follows. */
function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a);
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

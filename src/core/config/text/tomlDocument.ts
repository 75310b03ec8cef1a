import * as l10n from "@vscode/l10n";
import type { Node } from "jsonc-parser";
import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import { createDocument, type ParsedText } from "./createDocument.ts";
import type { JsonDocument } from "./json.ts";

/** Brackets, braces and parts of a key; the parser recurses. */
const MAX_TOML_DEPTH = 100;

/** Signs that begin or separate keys and values: the parser needs up to 0.1 ms for each. */
const MAX_TOML_SIGNS = 6000;
const SIGNS = new Set("=,.[{");

/**
 * Converts TOML to the tree that the JSON readers work on, with the same positions. A text with an error has no tree.
 * The parser has no budget of its own: callers bound the size of the text.
 */
export function readToml(text: string): JsonDocument {
  return createDocument(text, parse(text));
}

function parse(text: string): ParsedText {
  const excess = findExcess(text);
  if (excess !== undefined) return { root: undefined, error: excess };
  try {
    const [table] = parseTOML(text).body;
    return { root: new TomlTree(text.length).convert(table) };
  } catch (error) {
    if (error instanceof ParseError) return fail(error.message, error.index);
    // Very long strings and keys overflow the parser's stack.
    if (error instanceof RangeError) return fail(l10n.t("not read: a string or key is too long"), 0);
    throw error;
  }
}

function fail(message: string, offset: number): ParsedText {
  return { root: undefined, error: { message, offset } };
}

/** Counts signs, those in strings and comments too: no training file has so many. */
function findExcess(text: string): { readonly message: string; readonly offset: number } | undefined {
  let depth = 0;
  let signs = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const sign = text[offset] ?? "";
    if (SIGNS.has(sign) && ++signs > MAX_TOML_SIGNS)
      return { message: l10n.t("not read: more than {0} values", MAX_TOML_SIGNS.toLocaleString("en")), offset };
    if (sign === "[" || sign === "{") depth++;
    else if (sign === "]" || sign === "}") depth = Math.max(0, depth - 1);
    if (depth > MAX_TOML_DEPTH)
      return { message: l10n.t("not read: nested deeper than {0} levels", MAX_TOML_DEPTH), offset };
  }
  return undefined;
}

/** A node under construction: properties are found by name, because tables may be written in parts. */
interface OpenNode {
  readonly node: {
    readonly type: "object" | "array";
    readonly offset: number;
    length: number;
    readonly children: Node[];
  };
  readonly entries: Map<string | number, OpenNode>;
}

class TomlTree {
  readonly #root: OpenNode;

  constructor(length: number) {
    this.#root = openNode("object", 0, length);
  }

  convert(table: AST.TOMLTopLevelTable): Node {
    for (const part of table.body) {
      if (part.type === "TOMLKeyValue") this.#addPair(this.#root, part);
      else this.#addTable(part);
    }
    return this.#root.node;
  }

  /** `[a.b]` continues or opens a table; `[[a]]` opens the next one of a list. */
  #addTable(table: AST.TOMLTable): void {
    const [start, end] = table.range;
    let target = this.#root;
    if (table.resolvedKey.length > MAX_TOML_DEPTH) return;
    table.resolvedKey.forEach((step, i) => {
      const next = table.resolvedKey[i + 1];
      target = enter(target, step, typeof next === "number" ? "array" : "object", table.key.range, [start, end]);
    });
    for (const pair of table.body) this.#addPair(target, pair);
  }

  #addPair(parent: OpenNode, { key, value, range }: AST.TOMLKeyValue): void {
    const names = key.keys.map((name) => (name.type === "TOMLBare" ? name.name : name.value));
    if (names.length > MAX_TOML_DEPTH) return;
    const last = names.pop() ?? "";
    let target = parent;
    for (const name of names) target = enter(target, name, "object", key.range, range);
    addProperty(target, last, key.range, this.#value(value));
  }

  #value(content: AST.TOMLContentNode): Node {
    const [start, end] = content.range;
    if (content.type === "TOMLArray") {
      const children = content.elements.map((element) => this.#value(element));
      return { type: "array", offset: start, length: end - start, children };
    }
    if (content.type === "TOMLInlineTable") {
      const open = openNode("object", start, end);
      for (const pair of content.body) this.#addPair(open, pair);
      return open.node;
    }
    return { ...scalar(content), offset: start, length: end - start };
  }
}

function scalar(content: AST.TOMLValue): { type: "number" | "boolean" | "string"; value: unknown } {
  switch (content.kind) {
    case "integer":
    case "float":
      return { type: "number", value: Number(content.value) };
    case "boolean":
      return { type: "boolean", value: content.value };
    default:
      return { type: "string", value: String(content.value) };
  }
}

function openNode(type: "object" | "array", start: number, end: number): OpenNode {
  return { node: { type, offset: start, length: end - start, children: [] }, entries: new Map() };
}

type Range = readonly [number, number];

/** The dictionary or list at a step, opened where it is first named. */
function enter(parent: OpenNode, step: string | number, type: "object" | "array", key: Range, range: Range): OpenNode {
  const known = parent.entries.get(step);
  if (known !== undefined) {
    known.node.length = Math.max(known.node.length, range[1] - known.node.offset);
    return known;
  }
  const open = openNode(type, ...range);
  parent.entries.set(step, open);
  if (typeof step === "number") parent.node.children.push(open.node);
  else addProperty(parent, step, key, open.node);
  return open;
}

function addProperty(parent: OpenNode, name: string, [start, end]: Range, value: Node): void {
  const key: Node = { type: "string", value: name, offset: start, length: end - start };
  const length = Math.max(end, value.offset + value.length) - start;
  parent.node.children.push({ type: "property", offset: start, length, children: [key, value] });
}

import { t } from "@vscode/l10n";
import { findNodeAtLocation, type Node } from "jsonc-parser";
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, parseDocument } from "yaml";
import { type JsonDocument, lineIndex } from "./json.ts";
import { withReferences } from "./yamlReferences.ts";

/** Nesting and size of what is converted: the file is hostile input. */
const MAX_DEPTH = 100;

/**
 * A YAML text in the shape that the JSON readers work on, with the same places. Aliases of scalars are followed, those
 * of collections are not: they could grow without bound.
 */
export function readYaml(text: string): JsonDocument {
  const positions = lineIndex(text);
  const { root, error } = parsed(text);
  return {
    root,
    error: error === undefined ? null : { message: error.message, ...positions(error.offset) },
    rangeOf: (node) => ({ start: positions(node.offset), end: positions(node.offset + node.length) }),
    valueOf: plainValue,
    textAt: (path) => {
      const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
      return node === undefined ? undefined : text.slice(node.offset, node.offset + node.length);
    },
  };
}

interface Parsed {
  readonly root: Node | undefined;
  readonly error?: { readonly message: string; readonly offset: number };
}

function parsed(text: string): Parsed {
  try {
    const document = parseDocument(text, { logLevel: "silent", uniqueKeys: false, merge: false });
    const read = convert(document, document.contents, 0);
    const root = read !== undefined && /\$\{|\?\?\?/.test(text) ? withReferences(read) : read;
    const [first] = document.errors;
    if (first === undefined) return { root };
    return { root, error: { message: first.message.split("\n")[0] ?? "", offset: first.pos[0] } };
  } catch (error) {
    // The parser recurses: a text that is nested some thousand levels deep ends its stack.
    if (!(error instanceof RangeError)) throw error;
    return {
      root: undefined,
      error: { message: t("nesting deeper than {0} levels was skipped", MAX_DEPTH), offset: 0 },
    };
  }
}

function convert(document: Document, item: unknown, depth: number): Node | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (isAlias(item)) {
    const target = item.resolve(document);
    return isScalar(target) ? scalarNode(target.value, item.range) : undefined;
  }
  if (isScalar(item)) return scalarNode(item.value, item.range);
  if (isSeq(item))
    return {
      type: "array",
      ...extent(item.range),
      children: item.items.flatMap((child) => convert(document, child, depth + 1) ?? []),
    };
  if (!isMap(item)) return undefined;
  const children = item.items.flatMap((pair): Node[] => {
    if (!isPair(pair) || !isScalar(pair.key)) return [];
    const key: Node = { type: "string", value: String(pair.key.value), ...extent(pair.key.range) };
    const value = convert(document, pair.value, depth + 1) ?? {
      type: "null",
      value: null,
      offset: key.offset + key.length,
      length: 0,
    };
    return [
      {
        type: "property",
        offset: key.offset,
        length: value.offset + value.length - key.offset,
        children: [key, value],
      },
    ];
  });
  return { type: "object", ...extent(item.range), children };
}

function scalarNode(value: unknown, range: readonly number[] | null | undefined): Node {
  const type =
    value === null ? "null" : typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string";
  return { type, value: type === "string" ? String(value) : value, ...extent(range) };
}

function extent(range: readonly number[] | null | undefined): { offset: number; length: number } {
  const [start = 0, end = 0] = range ?? [];
  return { offset: start, length: Math.max(0, end - start) };
}

function plainValue(node: Node): unknown {
  switch (node.type) {
    case "array":
      return (node.children ?? []).map(plainValue);
    case "object":
      return Object.fromEntries(
        (node.children ?? []).flatMap(({ children }) => {
          const [key, value] = children ?? [];
          return key === undefined || value === undefined ? [] : [[String(key.value), plainValue(value)]];
        }),
      );
    default:
      return node.value;
  }
}

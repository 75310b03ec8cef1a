import * as l10n from "@vscode/l10n";
import type { Node } from "jsonc-parser";
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, parseDocument } from "yaml";
import { findNode } from "./findNode.ts";
import { createPositionLookup, type JsonDocument } from "./json.ts";
import { resolveReferences } from "./yamlReferences.ts";

/** Deeper nesting is ignored: the file may be hostile. */
const MAX_YAML_DEPTH = 100;

/**
 * Converts YAML to the tree that the JSON readers work on, with the same positions. Aliases of scalars are resolved;
 * those of collections are not, because they could grow without bound.
 */
export function readYaml(text: string): JsonDocument {
  const positions = createPositionLookup(text);
  const { root, error } = parseYaml(text);
  return {
    root,
    error: error === undefined ? null : { message: error.message, ...positions(error.offset) },
    rangeOf: (node) => ({ start: positions(node.offset), end: positions(node.offset + node.length) }),
    valueOf: nodeValue,
    textAt: (path) => {
      const node = findNode(root, path);
      return node === undefined ? undefined : text.slice(node.offset, node.offset + node.length);
    },
  };
}

interface ParsedYaml {
  readonly root: Node | undefined;
  readonly error?: { readonly message: string; readonly offset: number };
}

function parseYaml(text: string): ParsedYaml {
  try {
    const document = parseDocument(text, { logLevel: "silent", uniqueKeys: false, merge: false });
    const read = toJsonNode(document, document.contents, 0);
    const root = read !== undefined && /\$\{|\?\?\?/.test(text) ? resolveReferences(read) : read;
    const [first] = document.errors;
    if (first === undefined) return { root };
    return { root, error: { message: first.message.split("\n")[0] ?? "", offset: first.pos[0] } };
  } catch (error) {
    // The parser recurses: a text with thousands of nested levels overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    return {
      root: undefined,
      error: { message: l10n.t("nesting deeper than {0} levels was skipped", MAX_YAML_DEPTH), offset: 0 },
    };
  }
}

function toJsonNode(document: Document, item: unknown, depth: number): Node | undefined {
  if (depth > MAX_YAML_DEPTH) return undefined;
  if (isAlias(item)) {
    const target = item.resolve(document);
    return isScalar(target) ? scalarNode(target.value, item.range) : undefined;
  }
  if (isScalar(item)) return scalarNode(item.value, item.range);
  if (isSeq(item))
    return {
      type: "array",
      ...offsetAndLength(item.range),
      children: item.items.flatMap((child) => toJsonNode(document, child, depth + 1) ?? []),
    };
  if (!isMap(item)) return undefined;
  const children = item.items.flatMap((pair): Node[] => {
    if (!isPair(pair) || !isScalar(pair.key)) return [];
    const key: Node = { type: "string", value: String(pair.key.value), ...offsetAndLength(pair.key.range) };
    const value = toJsonNode(document, pair.value, depth + 1) ?? {
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
  return { type: "object", ...offsetAndLength(item.range), children };
}

function scalarNode(value: unknown, range: readonly number[] | null | undefined): Node {
  const type =
    value === null ? "null" : typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string";
  return { type, value: type === "string" ? String(value) : value, ...offsetAndLength(range) };
}

function offsetAndLength(range: readonly number[] | null | undefined): { offset: number; length: number } {
  const [start = 0, end = 0] = range ?? [];
  return { offset: start, length: Math.max(0, end - start) };
}

function nodeValue(node: Node): unknown {
  switch (node.type) {
    case "array":
      return (node.children ?? []).map(nodeValue);
    case "object":
      return Object.fromEntries(
        (node.children ?? []).flatMap(({ children }) => {
          const [key, value] = children ?? [];
          return key === undefined || value === undefined ? [] : [[String(key.value), nodeValue(value)]];
        }),
      );
    default:
      return node.value;
  }
}

import type { Node } from "jsonc-parser";
import { findNode } from "./findNode.ts";
import { createPositionLookup, type JsonDocument } from "./json.ts";

/** A text of YAML or TOML as a tree of JSON, and its first error. */
export interface ParsedText {
  readonly root: Node | undefined;
  readonly error?: { readonly message: string; readonly offset: number };
}

/** The document that the JSON readers work on, with the positions of its own text. */
export function createDocument(text: string, { root, error }: ParsedText): JsonDocument {
  const positions = createPositionLookup(text);
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

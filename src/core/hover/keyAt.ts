import type { Node } from "jsonc-parser";
import type { JsonDocument, Path } from "../config/text/json.ts";
import type { TextRange } from "../spec.ts";

/** A key of a config with its value. */
export interface ConfigKey {
  readonly path: Path;
  readonly key: string;
  readonly keyRange: TextRange;
  /** Undefined for objects: they are identified by their keys. */
  readonly value: unknown;
}

/**
 * The key whose name or scalar value contains an offset of the text; undefined between keys and inside objects. Inside
 * a list it is the list's key.
 */
export function findKeyAt(document: JsonDocument, offset: number): ConfigKey | undefined {
  let path: Path = [];
  let node = document.root;
  while (node?.type === "object") {
    const property = node.children?.find((child) => includesOffset(child, offset));
    const [name, value] = property?.children ?? [];
    if (name === undefined) return undefined;
    const key = String(name.value);
    path = [...path, key];
    const isObject = value?.type === "object";
    if (includesOffset(name, offset) || (value !== undefined && !isObject && includesOffset(value, offset)))
      return {
        path,
        key,
        keyRange: document.rangeOf(name),
        value: value === undefined || isObject ? undefined : document.valueOf(value),
      };
    node = value;
  }
  return undefined;
}

/** The end counts: a cursor after the last character still belongs to the node. */
function includesOffset({ offset, length }: Node, position: number): boolean {
  return offset <= position && position <= offset + length;
}

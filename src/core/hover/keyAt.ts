import type { Node } from "jsonc-parser";
import type { JsonDocument, Path } from "../config/text/json.ts";
import type { Range } from "../spec.ts";

/** A key of a config, with what is written under it. */
export interface KeyPlace {
  readonly path: Path;
  readonly key: string;
  readonly keyRange: Range;
  /** Undefined for objects: they are told by their keys. */
  readonly value: unknown;
}

/**
 * The key whose name or plain value is at an offset of the text; undefined between them, and inside objects.
 * Inside a list it is the list's key.
 */
export function keyAt(document: JsonDocument, offset: number): KeyPlace | undefined {
  let path: Path = [];
  let node = document.root;
  while (node?.type === "object") {
    const property = node.children?.find((child) => holds(child, offset));
    const [name, value] = property?.children ?? [];
    if (name === undefined) return undefined;
    const key = String(name.value);
    path = [...path, key];
    const isObject = value?.type === "object";
    if (holds(name, offset) || (value !== undefined && !isObject && holds(value, offset)))
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

/** Ends count: a cursor behind the last character is still there. */
function holds({ offset, length }: Node, place: number): boolean {
  return offset <= place && place <= offset + length;
}

import type { Node } from "jsonc-parser";
import type { Path } from "./json.ts";

/** A key that an object has more than once. */
export interface DuplicateKey {
  /** Path of its value, of which the last one counts. */
  readonly path: Path;
  /** The key where it occurs for the second time. */
  readonly second: Node;
}

/** Finds at most `limit` keys that their object has more than once, in this node or inside, in the text's order. */
export function findDuplicateKeys(node: Node, path: Path, limit: number): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const rest: { readonly node: Node; readonly path: Path }[] = [{ node, path }];
  for (let next = rest.pop(); next !== undefined && found.length < limit; next = rest.pop()) {
    const { children = [], type } = next.node;
    const path = next.path;
    if (type === "object") found.push(...findOwnDuplicates(children, path, limit - found.length));
    for (const [index, child] of [...children.entries()].reverse()) {
      const [key, value] = type === "object" ? (child.children ?? []) : [undefined, child];
      if (value?.children !== undefined)
        rest.push({ node: value, path: [...path, key === undefined ? index : String(key.value)] });
    }
  }
  return found;
}

function findOwnDuplicates(properties: readonly Node[], path: Path, limit: number): DuplicateKey[] {
  const counts = new Map<unknown, number>();
  return properties
    .flatMap(({ children }) => {
      const [key] = children ?? [];
      const count = (counts.get(key?.value) ?? 0) + 1;
      counts.set(key?.value, count);
      return key === undefined || count !== 2 ? [] : [{ path: [...path, String(key.value)], second: key }];
    })
    .slice(0, limit);
}

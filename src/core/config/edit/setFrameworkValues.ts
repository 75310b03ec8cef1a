import type { Edit, Node } from "jsonc-parser";
import type { FrameworkFormat } from "../formats.ts";
import type { FixChange } from "../problems.ts";
import { findNode } from "../text/findNode.ts";
import { readToml } from "../text/tomlDocument.ts";
import { readYaml } from "../text/yamlDocument.ts";
import { minimalEdit } from "./applyFix.ts";

/**
 * Replaces scalars of a framework's file in place; comments, other keys' quotes and indentation stay. JSON is YAML too.
 * @returns one edit, or null if none of the paths has a value
 */
export function setFrameworkValues(text: string, format: FrameworkFormat, changes: readonly FixChange[]): Edit | null {
  const root = format.endsWith("-toml") ? readToml(text).root : readYaml(text).root;
  const places = changes.flatMap(({ path, raw }) => {
    const node = findNode(root, path);
    return raw === undefined || node === undefined || !isScalar(node) ? [] : [{ node, raw }];
  });
  const changed = places
    .toSorted((a, b) => b.node.offset - a.node.offset)
    .reduce(
      (text, { node: { offset, length }, raw }) => text.slice(0, offset) + raw + text.slice(offset + length),
      text,
    );
  return changed === text ? null : minimalEdit(text, changed);
}

function isScalar({ type, length }: Node): boolean {
  return type !== "object" && type !== "array" && length > 0;
}

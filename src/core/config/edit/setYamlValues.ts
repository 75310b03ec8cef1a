import type { Edit } from "jsonc-parser";
import { isScalar, parseDocument } from "yaml";
import type { FixChange } from "../problems.ts";
import { replacement } from "./applyFix.ts";

/**
 * The edit that gives scalars of a YAML text other values, each in the place of the old one: comments, quotes of other
 * keys and indentation stay.
 * @returns null where no value of the text is at any of the paths
 */
export function setYamlValues(text: string, changes: readonly FixChange[]): Edit | null {
  const document = parseDocument(text, { logLevel: "silent", uniqueKeys: false });
  const places = changes.flatMap(({ path, raw }) => {
    const node = document.getIn([...path], true);
    const [start, end] = isScalar(node) ? (node.range ?? []) : [];
    return raw === undefined || start === undefined || end === undefined ? [] : [{ start, end, raw }];
  });
  const changed = places
    .toSorted((a, b) => b.start - a.start)
    .reduce((current, { start, end, raw }) => current.slice(0, start) + raw + current.slice(end), text);
  return changed === text ? null : replacement(text, changed);
}

import type { Edit } from "jsonc-parser";
import { isScalar } from "yaml";
import { Budget } from "../../util/budget.ts";
import type { FixChange } from "../problems.ts";
import { composeYaml, YAML_LIMITS } from "../text/composeYaml.ts";
import { minimalEdit } from "./applyFix.ts";

/**
 * Replaces scalars of a YAML text in place; comments, other keys' quotes and indentation stay.
 * @returns one edit, or null if none of the paths has a value
 */
export function setYamlValues(text: string, changes: readonly FixChange[]): Edit | null {
  const document = composeYaml(text, new Budget(YAML_LIMITS));
  const places = changes.flatMap(({ path, raw }) => {
    const node = document.getIn([...path], true);
    const [start, end] = isScalar(node) ? (node.range ?? []) : [];
    return raw === undefined || start === undefined || end === undefined ? [] : [{ start, end, raw }];
  });
  const changed = places
    .toSorted((a, b) => b.start - a.start)
    .reduce((current, { start, end, raw }) => current.slice(0, start) + raw + current.slice(end), text);
  return changed === text ? null : minimalEdit(text, changed);
}

import * as l10n from "@vscode/l10n";
import type { Node } from "jsonc-parser";
import type { ReportProblem } from "./problems.ts";
import type { JsonDocument, Path } from "./text/json.ts";

/** Reports each key that its object has already: the last one counts, in Python and here. */
export function reportDuplicateKeys(document: JsonDocument, report: ReportProblem): void {
  const pending: { readonly node: Node; readonly path: Path }[] = [];
  if (document.root !== undefined) pending.push({ node: document.root, path: [] });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next;
    const seen = new Set<string>();
    for (const [index, child] of (node.children ?? []).entries()) {
      const [key, value] = node.type === "object" ? (child.children ?? []) : [undefined, child];
      const step = key === undefined ? index : String(key.value);
      if (key !== undefined && seen.has(String(key.value))) {
        const message = l10n.t("duplicate key {0}: only the last value is used", step);
        const place = { path: [...path, step], range: document.rangeOf(key) };
        report({ rule: "config/duplicate-key", severity: "warning", message, ...place });
      }
      if (key !== undefined) seen.add(String(key.value));
      if (value?.children !== undefined) pending.push({ node: value, path: [...path, step] });
    }
  }
}

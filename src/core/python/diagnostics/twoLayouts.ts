import { t } from "@vscode/l10n";
import type { Layout } from "../../spec.ts";
import type { Scope } from "../model/module.ts";
import type { Code } from "../recognisers/code.ts";
import type { CodeRule } from "./diagnostic.ts";

/** Functions that turn pairs, with the one layout each of them has. */
export function turningFunctions(code: Code): readonly { readonly scope: Scope; readonly layout: Layout }[] {
  return code.turning().flatMap(({ scope, features }) => {
    const layouts = new Set(features.layouts.map((found) => found.layout));
    const [layout] = layouts;
    return layouts.size === 1 && layout !== undefined ? [{ scope, layout }] : [];
  });
}

function nameOf(layout: Layout): string {
  return layout === "half" ? t("half-split") : t("interleaved");
}

/** Weights made for one layout give silently wrong numbers with the other. */
export const twoLayouts: CodeRule = {
  id: "code/two-layouts",
  severity: "info",
  find(document) {
    const turning = turningFunctions(document.code);
    const first = turning[0];
    const other = turning.find((found) => found.layout !== first?.layout);
    if (first === undefined || other === undefined) return [];
    const place = (scope: Scope) => {
      const from = scope.definition?.nameFrom ?? scope.span.from;
      return document.range({ from, to: from + scope.name.length });
    };
    const message = t(
      "This file turns pairs in two layouts: {0} is {1}, {2} is {3}. Interleaved dimensions 0, 2, 4, … 1, 3, 5, … are the half-split ones in order: half = x[..., [*range(0, d, 2), *range(1, d, 2)]].",
      first.scope.name,
      nameOf(first.layout),
      other.scope.name,
      nameOf(other.layout),
    );
    const related = { message: t("{0} layout", nameOf(first.layout)), range: place(first.scope) };
    return [{ message, range: place(other.scope), related: [related] }];
  },
};

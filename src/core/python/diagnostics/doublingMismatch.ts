import * as l10n from "@vscode/l10n";
import type { Scope } from "../symbols/module.ts";
import type { CodeRule } from "./diagnostic.ts";
import { rotatingFunctions } from "./twoLayouts.ts";

/** cat((f, f)) with an interleaved rotation, or repeat_interleave with a half-split one. */
export const doublingMismatch: CodeRule = {
  id: "code/doubling-mismatch",
  severity: "warning",
  title: { en: "cos and sin doubled for the other pair layout", zh: "cos 与 sin 按另一种配对方式重复" },
  rationale: {
    en: "A half-split rotation needs the angles as (f, f), an interleaved one each angle twice in a row. With the wrong order, the two dimensions of a pair silently rotate by different angles.",
    zh: "前后两半配对要求角度排成 (f, f)，相邻交错要求每个角度连续出现两次。排错时同一对的两个维度会旋转不同的角度，而程序不会报错。",
  },
  reference: "src/transformers/models/llama/modeling_llama.py",
  find(document) {
    const code = document.analyse();
    const layouts = new Set(rotatingFunctions(code).map((found) => found.layout));
    const [layout] = layouts;
    if (layouts.size !== 1 || layout === undefined) return [];
    const doublingFunctions = code.module.scopes.filter(
      (scope) => scope.kind === "function" && code.features(scope).doubled !== null,
    );
    const doubledLayouts = new Set(doublingFunctions.map((scope) => code.features(scope).doubled));
    // Models that rearrange one layout into the other before the rotation (GLM, Cohere) have both.
    const rearranged = layout === "interleaved" && code.namesMatch(code.module.root, / repeat_interleave /);
    if (doubledLayouts.size !== 1 || doubledLayouts.has(layout) || rearranged) return [];
    return doublingFunctions.map((scope) => ({
      message: mismatchMessage(layout, scope),
      range: document.toRange(nameSpan(scope)),
      related: [],
    }));
  },
};

function nameSpan(scope: Scope): { from: number; to: number } {
  const from = scope.definition?.nameFrom ?? scope.span.from;
  return { from, to: from + scope.name.length };
}

function mismatchMessage(layout: string, scope: Scope): string {
  return layout === "interleaved"
    ? l10n.t(
        "{0} repeats the angles in halves (a, b, a, b), but this file rotates adjacent pairs (0, 1), (2, 3), so each pair is rotated by two different angles.",
        scope.name,
      )
    : l10n.t(
        "{0} repeats the angles in adjacent pairs (a, a, b, b), but this file rotates half-split pairs (k, k + d/2), so each pair is rotated by two different angles.",
        scope.name,
      );
}

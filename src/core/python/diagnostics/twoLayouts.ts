import * as l10n from "@vscode/l10n";
import type { PairLayout } from "../../spec.ts";
import type { AnalysedCode } from "../recognise/analysedCode.ts";
import type { Scope } from "../symbols/module.ts";
import type { CodeRule } from "./diagnostic.ts";

/** Functions that rotate pairs in exactly one layout. */
export function rotatingFunctions(
  code: AnalysedCode,
): readonly { readonly scope: Scope; readonly layout: PairLayout }[] {
  return code.rotaryScopes().flatMap(({ scope, features }) => {
    const layouts = new Set(features.layouts.map((found) => found.layout));
    const [layout] = layouts;
    return layouts.size === 1 && layout !== undefined ? [{ scope, layout }] : [];
  });
}

function layoutName(layout: PairLayout): string {
  return layout === "half" ? l10n.t("half-split") : l10n.t("interleaved");
}

/** Weights trained with one layout silently give wrong results with the other. */
export const twoLayouts: CodeRule = {
  id: "code/two-layouts",
  severity: "info",
  title: { en: "Two pair layouts in one file", zh: "一个文件中有两种配对方式" },
  rationale: {
    en: "Weights trained with interleaved pairs silently give wrong results under a half-split rotation, and vice versa. A file with both layouts must permute the dimensions between them; the message names the permutation.",
    zh: "用相邻交错训练的权重放到前后两半的旋转下，会不加提示地得到错误的数值，反之亦然。同一文件同时出现两种配对方式时，中间需要对维度做一次置换，提示中会写明。",
  },
  reference: "src/transformers/models/llama/convert_llama_weights_to_hf.py",
  find(document) {
    const rotating = rotatingFunctions(document.analyse());
    const first = rotating[0];
    const other = rotating.find((found) => found.layout !== first?.layout);
    if (first === undefined || other === undefined) return [];
    const nameRange = (scope: Scope) => {
      const from = scope.definition?.nameFrom ?? scope.span.from;
      return document.toRange({ from, to: from + scope.name.length });
    };
    const message = l10n.t(
      "This file mixes two pair layouts: {0} is {1}, {2} is {3}. To convert interleaved to half-split dimensions: half = x[..., [*range(0, d, 2), *range(1, d, 2)]].",
      first.scope.name,
      layoutName(first.layout),
      other.scope.name,
      layoutName(other.layout),
    );
    const related = { message: l10n.t("{0} layout", layoutName(first.layout)), range: nameRange(first.scope) };
    return [{ message, range: nameRange(other.scope), related: [related] }];
  },
};

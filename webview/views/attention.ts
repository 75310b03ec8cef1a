import * as l10n from "@vscode/l10n";
import { attentionMatrix } from "./attentionMatrix.ts";
import type { View } from "./view.ts";

/** Softmax of the logits, row by row. */
export const attentionView: View = {
  id: "attention",
  title: () => l10n.t("Attention"),
  whyUnavailable: () => null,
  resolveMatrix: (resolved) => attentionMatrix(resolved, l10n.t("weight"), { of: "weights" }),
};

import { t } from "@vscode/l10n";
import { attentionMatrix } from "./attentionMatrix.ts";
import type { View } from "./view.ts";

/** Softmax of the logits, row by row. */
export const attentionView: View = {
  id: "attention",
  title: () => t("Attention"),
  whyUnavailable: () => null,
  resolveMatrix: (resolved) => attentionMatrix(resolved, t("weight"), { of: "weights" }),
};

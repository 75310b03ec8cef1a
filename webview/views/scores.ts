import { t } from "@vscode/l10n";
import { attentionMatrix } from "./attentionMatrix.ts";
import type { View } from "./view.ts";

/** Logits: the sum of all scaled terms. */
export const scoresView: View = {
  id: "scores",
  title: () => t("Scores"),
  whyUnavailable: () => null,
  resolveMatrix: (resolved) => attentionMatrix(resolved, t("logit"), { of: "logits", hidden: [] }),
};

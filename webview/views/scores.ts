import * as l10n from "@vscode/l10n";
import { attentionMatrix } from "./attentionMatrix.ts";
import type { View } from "./view.ts";

/** Logits: the sum of all scaled terms. */
export const scoresView: View = {
  id: "scores",
  title: () => l10n.t("Scores"),
  whyUnavailable: () => null,
  resolveMatrix: (resolved) => attentionMatrix(resolved, l10n.t("logit"), { of: "logits", hidden: [] }),
};

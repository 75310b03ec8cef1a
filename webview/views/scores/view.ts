import { t } from "@vscode/l10n";
import { attentionSubject } from "../attentionSubject.ts";
import type { View } from "../view.ts";

/** Logits: the sum of all scaled terms. */
export const scoresView: View = {
  id: "scores",
  title: () => t("Scores"),
  unavailable: () => null,
  subject: (drawable) => attentionSubject(drawable, t("logit"), { of: "logits", hidden: [] }),
};

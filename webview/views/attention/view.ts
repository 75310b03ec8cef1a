import { t } from "@vscode/l10n";
import { attentionSubject } from "../attentionSubject.ts";
import type { View } from "../view.ts";

/** Softmax of the logits, row by row. */
export const attentionView: View = {
  id: "attention",
  title: () => t("Attention"),
  unavailable: () => null,
  subject: (drawable) => attentionSubject(drawable, t("weight"), { of: "weights" }),
};

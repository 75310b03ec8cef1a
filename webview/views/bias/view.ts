import { t } from "@vscode/l10n";
import { say } from "../../../src/core/l10n.ts";
import type { Drawable } from "../../state/model.ts";
import { attentionSubject } from "../attentionSubject.ts";
import type { View } from "../view.ts";

function othersOf({ attention }: Drawable): string[] {
  return attention.terms.filter((term) => term.kind !== "bias").map((term) => term.id);
}

function whyNot(drawable: Drawable): string | null {
  const { encoding, attention } = drawable;
  if (attention.terms.some((term) => term.kind === "bias")) return null;
  const title = say(encoding.title);
  switch (encoding.classification.acts) {
    case "nowhere":
      return t("{0} has no bias: nothing about position enters the scores.", title);
    case "input":
      return t(
        "{0} has no bias: it is added to the tokens before the projections, so position meets content in all four terms. The Terms view shows them.",
        title,
      );
    case "query_key":
      return t(
        "{0} has no bias: it rotates queries and keys, and position acts only through their product. The Scores view shows it.",
        title,
      );
    default:
      return t(
        "{0} has no bias: what it adds to the scores depends on the content, too. The Terms view shows it.",
        title,
      );
  }
}

/** What is added to the scores whatever the content. */
export const biasView: View = {
  id: "bias",
  title: () => t("Bias"),
  unavailable: whyNot,
  subject: (drawable) => attentionSubject(drawable, t("bias"), { of: "logits", hidden: othersOf(drawable) }),
};

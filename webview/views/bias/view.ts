import { t } from "@vscode/l10n";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import { attentionSubject } from "../attentionSubject.ts";
import type { View } from "../view.ts";

/** Everything but what positions add. */
function contentTerms({ attention }: Drawable): string[] {
  return attention.terms.filter((term) => term.role === "content_content").map((term) => term.id);
}

function whyNot(drawable: Drawable): string | null {
  const { encoding, attention } = drawable;
  if (contentTerms(drawable).length < attention.terms.length) return null;
  const title = localize(encoding.title);
  switch (encoding.classification.acts) {
    case "nowhere":
      return t("{0} has no bias: position does not affect the scores.", title);
    case "query_key":
      return t(
        "{0} has no bias: it rotates queries and keys, so position acts only through their product. See the Scores view.",
        title,
      );
    default:
      return t("{0} has no bias: position changes the content product itself. See the Scores view.", title);
  }
}

/** What positions add to content · content. */
export const biasView: View = {
  id: "bias",
  title: () => t("Bias"),
  unavailable: whyNot,
  subject: (drawable) => attentionSubject(drawable, t("bias"), { of: "logits", hidden: contentTerms(drawable) }),
};

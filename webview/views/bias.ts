import * as l10n from "@vscode/l10n";
import { localize } from "../../src/core/l10n/l10n.ts";
import type { ResolvedEncoding } from "../state/resolvedEncoding.ts";
import { attentionMatrix } from "./attentionMatrix.ts";
import type { View } from "./view.ts";

/** Terms of content alone. */
function contentTermIds({ attention }: ResolvedEncoding): string[] {
  return attention.terms.filter((term) => term.role === "content_content").map((term) => term.id);
}

function whyUnavailable(resolved: ResolvedEncoding): string | null {
  const { encoding, attention } = resolved;
  if (contentTermIds(resolved).length < attention.terms.length) return null;
  const title = localize(encoding.name);
  switch (encoding.classification.actsOn) {
    case "nowhere":
      return l10n.t("{0} has no bias: position does not affect the scores.", title);
    case "query_key":
      return l10n.t(
        "{0} has no bias: it rotates queries and keys, so position acts only through their product. See the Scores view.",
        title,
      );
    default:
      return l10n.t("{0} has no bias: position changes the content product itself. See the Scores view.", title);
  }
}

/** What positions add to content · content. */
export const biasView: View = {
  id: "bias",
  title: () => l10n.t("Bias"),
  whyUnavailable: whyUnavailable,
  resolveMatrix: (resolved) =>
    attentionMatrix(resolved, l10n.t("bias"), { of: "logits", hidden: contentTermIds(resolved) }),
};

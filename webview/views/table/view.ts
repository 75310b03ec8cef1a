import { t } from "@vscode/l10n";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import type { Subject } from "../subject.ts";
import type { View } from "../view.ts";

function whyNot({ encoding, table }: Drawable): string | null {
  if (table !== null) return null;
  const title = localize(encoding.title);
  if (encoding.classification.acts === "nowhere")
    return t("{0} has no table: there is nothing to look up for a position.", title);
  if (encoding.id === "tupe")
    return t(
      "{0} adds no vectors of positions to the tokens: only products of its positions enter the scores. The Bias view shows them.",
      title,
    );
  if (encoding.id === "rerope" || encoding.id === "self_extend")
    return t(
      "{0} has no table of positions: near and far pairs turn by different positions of one token. The Rotation and Scores views show it.",
      title,
    );
  return t(
    "{0} has no table of positions: it gives a number to a pair of positions, not a vector to each. The Bias view shows it.",
    title,
  );
}

function subject({ table, scene }: Drawable): Subject {
  const factor = table?.rows ?? { dim: 1, write: () => {} };
  return {
    source: { kind: "table", rows: factor, count: scene.keyLength },
    extent: { rows: scene.keyLength, columns: factor.dim },
    rowAxis: { label: t("position p"), first: scene.shift },
    columnAxis: { label: t("dimension"), first: 0, name: (index) => table?.column(index) ?? String(index) },
    quantity: t("value"),
    normalised: false,
  };
}

/** Position × dimension. */
export const tableView: View = {
  id: "table",
  title: () => t("Table"),
  unavailable: whyNot,
  subject,
};

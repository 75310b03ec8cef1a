import * as l10n from "@vscode/l10n";
import { localize } from "../../src/core/l10n/l10n.ts";
import type { MatrixSource } from "../figure/matrixSource.ts";
import type { ResolvedEncoding } from "../state/resolvedEncoding.ts";
import type { View } from "./view.ts";

function whyUnavailable({ encoding, params, table }: ResolvedEncoding): string | null {
  if (table !== null) return null;
  const title = localize(encoding.name);
  if (encoding.classification.actsOn === "nowhere")
    return l10n.t("{0} has no position table: it does not encode positions.", title);
  const note = encoding.viewNotes?.(params).table;
  if (note !== undefined) return localize(note);
  return l10n.t(
    "{0} has no position table: it assigns a number to each pair of positions, not a vector to each position. See the Bias view.",
    title,
  );
}

function positionTableMatrix({ table, scene }: ResolvedEncoding): MatrixSource {
  const factor = table?.rows ?? { dim: 1, write: () => {} };
  return {
    source: { kind: "table", rows: factor, count: scene.keyLength },
    extent: { rows: scene.keyLength, columns: factor.dim },
    rowAxis: { label: l10n.t("position p"), first: scene.shift },
    columnAxis: { label: l10n.t("dimension"), first: 0, name: (index) => table?.column(index) ?? String(index) },
    quantity: l10n.t("value"),
    normalised: false,
  };
}

/** Position × dimension. */
export const tableView: View = {
  id: "table",
  title: () => l10n.t("Table"),
  whyUnavailable: whyUnavailable,
  resolveMatrix: positionTableMatrix,
};

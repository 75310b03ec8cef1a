import * as l10n from "@vscode/l10n";
import type { FigureSource } from "../engine/renderer.ts";
import type { MatrixSource } from "../figure/matrixSource.ts";
import type { ResolvedEncoding } from "../state/resolvedEncoding.ts";

/** A matrix over queries and keys. */
export function attentionMatrix(
  { attention, attentionSource, scene }: ResolvedEncoding,
  quantity: string,
  show: Extract<FigureSource, { kind: "attention" }>["show"],
): MatrixSource {
  const { queryLength, keyLength, shift } = scene;
  return {
    source: { kind: "attention", attention, attentionSource, show },
    extent: { rows: queryLength, columns: keyLength },
    rowAxis: { label: l10n.t("query position i"), first: shift + keyLength - queryLength },
    columnAxis: { label: l10n.t("key position j"), first: shift },
    quantity,
    normalised: show.of === "weights",
  };
}

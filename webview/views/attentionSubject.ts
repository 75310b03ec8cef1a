import { t } from "@vscode/l10n";
import type { Source } from "../engine/renderer.ts";
import type { Drawable } from "../state/resolvedEncoding.ts";
import type { Subject } from "./subject.ts";

/** A subject over queries and keys. */
export function attentionSubject(
  { attention, recipe, scene }: Drawable,
  quantity: string,
  show: Extract<Source, { kind: "attention" }>["show"],
): Subject {
  const { queryLength, keyLength, shift } = scene;
  return {
    source: { kind: "attention", attention, recipe, show },
    extent: { rows: queryLength, columns: keyLength },
    rowAxis: { label: t("query position i"), first: shift + keyLength - queryLength },
    columnAxis: { label: t("key position j"), first: shift },
    quantity,
    normalised: show.of === "weights",
  };
}

import * as l10n from "@vscode/l10n";
import type { EncodingSpec } from "../../spec.ts";

/** The layers of one encoding in words: "all layers", "1 layer", "29 layers". */
export function describeLayers(layers: EncodingSpec["layers"]): string {
  if (layers === "all") return l10n.t("all layers");
  return layers.length === 1 ? l10n.t("1 layer") : l10n.t("{0} layers", layers.length);
}

import { t } from "@vscode/l10n";
import type { EncodingSpec } from "../../spec.ts";

/** The layers of one encoding in words: "all layers", "1 layer", "29 layers". */
export function describeLayers(layers: EncodingSpec["layers"]): string {
  if (layers === "all") return t("all layers");
  return layers.length === 1 ? t("1 layer") : t("{0} layers", layers.length);
}

import * as l10n from "@vscode/l10n";
import type { HoverFact } from "./hoverMarkdown.ts";
import type { KeyContext } from "./keyContext.ts";

const MAX_LISTED_LAYERS = 12;

/** The layers that use the encoding, and their sliding window. */
export function layerFacts({ spec }: KeyContext): HoverFact[] {
  const { layers, params } = spec;
  const which = layers === "all" ? l10n.t("all") : formatLayers(layers);
  const window = params.sliding_window;
  return [
    { label: l10n.t("layers"), value: which },
    ...(typeof window === "number" ? [{ label: l10n.t("window"), value: l10n.t("{0} tokens", window) }] : []),
  ];
}

function formatLayers(layers: readonly number[]): string {
  const shown = layers.slice(0, MAX_LISTED_LAYERS).join(", ");
  return layers.length > MAX_LISTED_LAYERS ? `${shown}, … (${layers.length})` : shown;
}

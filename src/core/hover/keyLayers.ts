import { t } from "@vscode/l10n";
import type { KeyContext } from "./keyContext.ts";
import type { Fact } from "./markdown.ts";

/** More than these are not listed one by one. */
const MOST_LISTED = 12;

/** Which layers the encoding of a key holds for, and whether these slide. */
export function layerFacts({ spec }: KeyContext): Fact[] {
  const { layers, params } = spec;
  const which = layers === "all" ? t("all") : listed(layers);
  const window = params.sliding_window;
  return [
    { label: t("layers"), value: which },
    ...(typeof window === "number" ? [{ label: t("window"), value: t("{0} tokens", window) }] : []),
  ];
}

function listed(layers: readonly number[]): string {
  const shown = layers.slice(0, MOST_LISTED).join(", ");
  return layers.length > MOST_LISTED ? `${shown}, … (${layers.length})` : shown;
}

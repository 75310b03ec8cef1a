import * as l10n from "@vscode/l10n";

import type { EncodingPart } from "../../encodings/encoding.ts";

/** Title of a part of an encoding, in the current language. */
export function partTitle(part: EncodingPart): string {
  return PART_TITLES[part]();
}

const PART_TITLES: Readonly<Record<EncodingPart, () => string>> = {
  encoding: () => l10n.t("position encoding"),
  "inverse frequencies": () => l10n.t("inverse frequencies"),
  angles: () => l10n.t("angles"),
  "cos and sin": () => l10n.t("cosines and sines"),
  rotation: () => l10n.t("rotation"),
  "pair layout": () => l10n.t("pair layout"),
  scaling: () => l10n.t("scaling"),
  base: () => l10n.t("base"),
  "rotated dimensions": () => l10n.t("rotated dimensions"),
  table: () => l10n.t("table"),
  slopes: () => l10n.t("slopes"),
  bias: () => l10n.t("bias"),
  buckets: () => l10n.t("buckets"),
  distances: () => l10n.t("distances"),
  "relative table": () => l10n.t("relative position table"),
  "relative index": () => l10n.t("relative position index"),
  "relative shift": () => l10n.t("relative shift"),
  "position projection": () => l10n.t("position projection"),
  gate: () => l10n.t("gate"),
  convolution: () => l10n.t("convolution"),
  sections: () => l10n.t("sections"),
};

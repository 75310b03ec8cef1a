import { t } from "@vscode/l10n";

import type { EncodingPart } from "../../encodings/encoding.ts";

/** Title of a part of an encoding, in the current language. */
export function partTitle(part: EncodingPart): string {
  return PART_TITLES[part]();
}

const PART_TITLES: Readonly<Record<EncodingPart, () => string>> = {
  encoding: () => t("position encoding"),
  "inverse frequencies": () => t("inverse frequencies"),
  angles: () => t("angles"),
  "cos and sin": () => t("cosines and sines"),
  rotation: () => t("rotation"),
  "pair layout": () => t("pair layout"),
  scaling: () => t("scaling"),
  base: () => t("base"),
  "rotated dimensions": () => t("rotated dimensions"),
  table: () => t("table"),
  slopes: () => t("slopes"),
  bias: () => t("bias"),
  buckets: () => t("buckets"),
  distances: () => t("distances"),
  "relative table": () => t("relative position table"),
  "relative index": () => t("relative position index"),
  "relative shift": () => t("relative shift"),
  "position projection": () => t("position projection"),
  gate: () => t("gate"),
  convolution: () => t("convolution"),
  sections: () => t("sections"),
};

import { t } from "@vscode/l10n";
import type { Subject } from "./recogniser.ts";

/** What of an encoding the code is, in the current language. */
export function subjectTitle(subject: Subject): string {
  return TITLES[subject]();
}

const TITLES: Readonly<Record<Subject, () => string>> = {
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

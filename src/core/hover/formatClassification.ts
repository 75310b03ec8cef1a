import * as l10n from "@vscode/l10n";
import type { Classification } from "../encodings/encoding.ts";

/**
 * "on the scores · trained · relative": what the encoding acts on, whether it is trained (if that is fixed), and its
 * kind.
 */
export function formatClassification({ actsOn, trained, kind }: Classification): string {
  if (kind === "none") return "";
  return [
    ACTS_ON_LABELS[actsOn](),
    ...(trained === "either" ? [] : [TRAINED_LABELS[trained]()]),
    KIND_LABELS[kind](),
  ].join(" · ");
}

const ACTS_ON_LABELS: Readonly<Record<Classification["actsOn"], () => string>> = {
  input: () => l10n.t("on the input"),
  query_key: () => l10n.t("on queries and keys"),
  scores: () => l10n.t("on the scores"),
  keys_values: () => l10n.t("on keys and values"),
  nowhere: () => l10n.t("nothing"),
};

const TRAINED_LABELS: Readonly<Record<Exclude<Classification["trained"], "either">, () => string>> = {
  fixed: () => l10n.t("fixed"),
  trained: () => l10n.t("trained"),
};

const KIND_LABELS: Readonly<Record<Exclude<Classification["kind"], "none">, () => string>> = {
  absolute: () => l10n.t("absolute"),
  relative: () => l10n.t("relative"),
  both: () => l10n.t("relative via absolute"),
};

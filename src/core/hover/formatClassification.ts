import { t } from "@vscode/l10n";
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
  input: () => t("on the input"),
  query_key: () => t("on queries and keys"),
  scores: () => t("on the scores"),
  keys_values: () => t("on keys and values"),
  nowhere: () => t("nothing"),
};

const TRAINED_LABELS: Readonly<Record<Exclude<Classification["trained"], "either">, () => string>> = {
  fixed: () => t("fixed"),
  trained: () => t("trained"),
};

const KIND_LABELS: Readonly<Record<Exclude<Classification["kind"], "none">, () => string>> = {
  absolute: () => t("absolute"),
  relative: () => t("relative"),
  both: () => t("relative via absolute"),
};

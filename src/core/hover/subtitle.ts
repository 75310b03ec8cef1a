import { t } from "@vscode/l10n";
import type { Classification } from "../encodings/encoding.ts";

/** "on queries and keys · fixed · relative by absolute": where an encoding acts, whether it is trained, its kind. */
export function subtitle({ acts, trained, kind }: Classification): string {
  if (kind === "none") return "";
  return [ACTS[acts](), TRAINED[trained](), KIND[kind]()].join(" · ");
}

const ACTS: Readonly<Record<Classification["acts"], () => string>> = {
  input: () => t("on the input"),
  query_key: () => t("on queries and keys"),
  scores: () => t("on the scores"),
  keys_values: () => t("on keys and values"),
  nowhere: () => t("nowhere"),
};

const TRAINED: Readonly<Record<Classification["trained"], () => string>> = {
  fixed: () => t("fixed"),
  trained: () => t("trained"),
  either: () => t("fixed or trained"),
};

const KIND: Readonly<Record<Exclude<Classification["kind"], "none">, () => string>> = {
  absolute: () => t("absolute"),
  relative: () => t("relative"),
  both: () => t("relative by absolute"),
};

import { t } from "@vscode/l10n";
import type { Classification } from "../encodings/encoding.ts";

/** "on the scores · trained · relative": where an encoding acts, whether it is trained where that is settled, its kind. */
export function subtitle({ acts, trained, kind }: Classification): string {
  if (kind === "none") return "";
  return [ACTS[acts](), ...(trained === "either" ? [] : [TRAINED[trained]()]), KIND[kind]()].join(" · ");
}

const ACTS: Readonly<Record<Classification["acts"], () => string>> = {
  input: () => t("on the input"),
  query_key: () => t("on queries and keys"),
  scores: () => t("on the scores"),
  keys_values: () => t("on keys and values"),
  nowhere: () => t("nothing"),
};

const TRAINED: Readonly<Record<Exclude<Classification["trained"], "either">, () => string>> = {
  fixed: () => t("fixed"),
  trained: () => t("trained"),
};

const KIND: Readonly<Record<Exclude<Classification["kind"], "none">, () => string>> = {
  absolute: () => t("absolute"),
  relative: () => t("relative"),
  both: () => t("relative via absolute"),
};

import { t } from "@vscode/l10n";
import type { ValueSource } from "../spec.ts";

/** Where a value is from, as short as its badge. */
export function sourceName(source: ValueSource): string {
  switch (source) {
    case "config":
      return t("config");
    case "code":
      return t("code");
    case "default":
      return t("default");
    case "derived":
      return t("derived");
    case "guess":
      return t("guess");
    case "you":
      return t("you");
  }
}

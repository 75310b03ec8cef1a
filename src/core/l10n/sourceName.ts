import * as l10n from "@vscode/l10n";
import type { ValueSource } from "../spec.ts";

/** Where a value is from, as short as its badge. */
export function sourceName(source: ValueSource): string {
  switch (source) {
    case "config":
      return l10n.t("config");
    case "code":
      return l10n.t("code");
    case "default":
      return l10n.t("default");
    case "derived":
      return l10n.t("derived");
    case "guess":
      return l10n.t("guess");
    case "you":
      return l10n.t("you");
  }
}

import * as l10n from "@vscode/l10n";

/** Languages of the user interface. Code, docs and JSON output stay English. */
export type Language = "en" | "zh-cn";

/** A text next to the thing it describes; short interface strings use `t("…")` and the bundle instead. */
export interface Localized {
  readonly en: string;
  readonly zh: string;
}

let activeLanguage: Language = "en";

/** English strings and their translations. */
export type Translations = Readonly<Record<string, string>>;

/**
 * Sets the language of every later `localize` and `t` of this bundle.
 * @param translations of `zh-cn.json`; callers that must start fast load it only for Chinese
 */
export function setLanguage(language: Language, translations: Translations = {}): void {
  activeLanguage = language;
  l10n.config({ contents: language === "zh-cn" ? { ...translations } : {} });
}

export function currentLanguage(): Language {
  return activeLanguage;
}

/** The text in the current language. */
export function localize(text: Localized): string {
  return activeLanguage === "zh-cn" ? text.zh : text.en;
}

/** Resolves the setting `posenc.language` against the editor's language. */
export function chooseLanguage(setting: unknown, editorLanguage: string): Language {
  if (setting === "en" || setting === "zh-cn") return setting;
  return editorLanguage.toLowerCase().startsWith("zh") ? "zh-cn" : "en";
}

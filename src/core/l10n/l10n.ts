import * as l10n from "@vscode/l10n";

/** Languages of the user interface. Code, docs and JSON output stay English. */
export type Language = "en" | "zh-cn";

/** A text that lives beside the thing it describes; short interface strings use `t("…")` and the bundle instead. */
export interface Localized {
  readonly en: string;
  readonly zh: string;
}

let current: Language = "en";

/** English strings and what stands for them. */
export type Words = Readonly<Record<string, string>>;

/**
 * Switches every later `say` and `t` of this bundle.
 * @param words of `l10n.zh-cn.json`, for Chinese: whoever starts fast loads them only then
 */
export function setLanguage(language: Language, words: Words = {}): void {
  current = language;
  l10n.config({ contents: language === "zh-cn" ? { ...words } : {} });
}

export function currentLanguage(): Language {
  return current;
}

/** The text in the current language. */
export function localize(text: Localized): string {
  return current === "zh-cn" ? text.zh : text.en;
}

/** The setting `posenc.language` against the language that the editor runs in. */
export function chooseLanguage(setting: unknown, editorLanguage: string): Language {
  if (setting === "en" || setting === "zh-cn") return setting;
  return editorLanguage.toLowerCase().startsWith("zh") ? "zh-cn" : "en";
}

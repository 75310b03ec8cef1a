import { type Language, setLanguage } from "./l10n.ts";
import chinese from "./zh-cn.json" with { type: "json" };

/** `setLanguage` for pages, whose bundles contain all languages. */
export function useLanguage(language: Language): void {
  setLanguage(language, chinese);
}

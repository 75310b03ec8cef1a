import type { Theme } from "../state/page.ts";

/** The theme's kind from the body's classes; the light high contrast carries both of its names. */
export function themeOf({ classList }: Pick<Element, "classList">): Theme {
  if (classList.contains("vscode-high-contrast-light")) return "hc-light";
  if (classList.contains("vscode-high-contrast")) return "hc-black";
  return classList.contains("vscode-light") ? "light" : "dark";
}

/** Calls back when the editor changes its theme: kind (classes) or colours (custom properties of the root). */
export function watchTheme(onChange: (theme: Theme) => void): void {
  const observer = new MutationObserver(() => onChange(themeOf(document.body)));
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-vscode-theme-id"] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["style"] });
}

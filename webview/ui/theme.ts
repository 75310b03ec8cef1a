import "./theme.css";

/** Colour theme kinds, as the editor's body classes name them. */
export type Theme = "dark" | "light" | "hc-black" | "hc-light";

/** Reads the theme kind from the body's classes; light high contrast has both high-contrast classes. */
export function readTheme({ classList }: Pick<Element, "classList">): Theme {
  if (classList.contains("vscode-high-contrast-light")) return "hc-light";
  if (classList.contains("vscode-high-contrast")) return "hc-black";
  return classList.contains("vscode-light") ? "light" : "dark";
}

/** Calls back when the editor's theme changes: its kind (classes) or its colours (custom properties of the root). */
export function watchTheme(onChange: (theme: Theme) => void): void {
  const observer = new MutationObserver(() => onChange(readTheme(document.body)));
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-vscode-theme-id"] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["style"] });
}

import type * as vscode from "vscode";

export type ConfigSyntax = "json" | "yaml" | "toml";

/** The syntax of a config document. Without an extension for TOML, only the name tells. */
export function configSyntax({ languageId, uri }: vscode.TextDocument): ConfigSyntax {
  if (languageId === "yaml") return "yaml";
  return languageId === "toml" || /\.toml$/i.test(uri.path) ? "toml" : "json";
}

import { readFileSync } from "node:fs";
import path from "node:path";
import { getL10nJson } from "@vscode/l10n-dev";
import { globSync } from "tinyglobby";
import { root } from "./bundles.ts";

/** l10n-dev knows `l10n.t(…)` of a namespace import only; this code says `t(…)`. */
function asNamespace(source: string): string {
  return source.replace(/^import .* from "@vscode\/l10n";$/m, "").replace(/(?<![\w.$])t\(/g, "l10n.t(");
}

/** Every string that `t("…")` says anywhere in the product. */
export async function extractedStrings(): Promise<readonly string[]> {
  const files = globSync(["src/**/*.ts", "webview/**/*.ts"], { cwd: root });
  const sources = files.map((file) => readFileSync(path.join(root, file), "utf8"));
  const speaking = sources.filter((text) => text.includes('from "@vscode/l10n"'));
  const contents = ['import * as l10n from "@vscode/l10n";', ...speaking.map(asNamespace)].join("\n");
  return Object.keys(await getL10nJson([{ contents, extension: ".ts" }]));
}

function readStrings(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(path.join(root, file), "utf8"));
}

/** The translations of those strings. */
export const readChineseStrings = () => readStrings("src/core/l10n/zh-cn.json");

/** The manifest's strings, by language. */
export const readManifestStrings = () => ({
  en: readStrings("package.nls.json"),
  zh: readStrings("package.nls.zh-cn.json"),
});

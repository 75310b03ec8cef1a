import { readFileSync } from "node:fs";
import path from "node:path";
import { getL10nJson } from "@vscode/l10n-dev";
import { globSync } from "tinyglobby";
import { root } from "./root.ts";

const L10N_IMPORT = 'import * as l10n from "@vscode/l10n";\n';

/** Every string of an `l10n.t("…")` in the product, or in some of its files. */
export async function extractedStrings(
  patterns: readonly string[] = ["src/**/*.ts", "webview/**/*.ts"],
): Promise<readonly string[]> {
  const files = globSync([...patterns], { cwd: root });
  const sources = files.map((file) => readFileSync(path.join(root, file), "utf8"));
  const localized = sources.filter((text) => text.includes(L10N_IMPORT));
  // As one text with one import: l10n-dev takes four times as long for each by itself.
  const contents = L10N_IMPORT + localized.map((text) => text.replace(L10N_IMPORT, "")).join("\n");
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

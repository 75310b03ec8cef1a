import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Metafile } from "esbuild";
import { root } from "./root.ts";

/**
 * The licences of what Posenc ships. Kept generators list the dependencies of package.json, or serve one bundler's
 * plugin and one bundle; this reads what esbuild put into all bundles.
 */

export const NOTICES_FILE = "THIRD_PARTY_NOTICES.txt";

/** Contained without being imported: the formulas' pictures are made of its glyphs. */
const PICTURE_PACKAGES: Readonly<Record<string, string>> = {
  "node_modules/@mathjax/mathjax-newcm-font": "Glyphs of this font are part of the formula pictures.",
  "node_modules/@mathjax/src": "The formula pictures were typeset by this package.",
};

const MICROSOFT_MIT = {
  copyright: "Copyright (c) Microsoft Corporation",
  textFrom: "node_modules/@vscode/webview-ui-toolkit",
};
const GOOGLE_APACHE = {
  copyright: "Copyright Google LLC (see the notices in the bundles' .LEGAL.txt files)",
  textFrom: "node_modules/@mathjax/src",
};

/** Packages published without a licence text, and one with the same text (and, for MIT, the same copyright holder). */
const MISSING_TEXTS: Readonly<Record<string, { readonly copyright: string; readonly textFrom: string }>> = {
  "node_modules/@mathjax/mathjax-newcm-font": {
    copyright: "Copyright (c) The MathJax Consortium; glyphs after New Computer Modern by Antonis Tsolomitis",
    textFrom: "node_modules/@mathjax/src",
  },
  "node_modules/@microsoft/fast-element": MICROSOFT_MIT,
  "node_modules/@microsoft/fast-foundation": MICROSOFT_MIT,
  "node_modules/@microsoft/fast-web-utilities": MICROSOFT_MIT,
  "node_modules/@tensorflow/tfjs-backend-cpu": GOOGLE_APACHE,
  "node_modules/@tensorflow/tfjs-backend-wasm": GOOGLE_APACHE,
  "node_modules/@tensorflow/tfjs-backend-webgl": GOOGLE_APACHE,
  "node_modules/@tensorflow/tfjs-core": GOOGLE_APACHE,
  "node_modules/@vscode/l10n": MICROSOFT_MIT,
};

/** A package whose code or data is shipped. */
export interface ShippedPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  readonly texts: readonly string[];
  readonly note?: string;
}

/** Folder of the package that a bundled file belongs to; undefined for our own files. */
export function packageFolder(input: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0];
}

/** Metafiles of the last build. */
export function readMetafiles(): readonly Metafile[] {
  const folder = path.join(root, "dist/meta");
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")));
}

/** The packages in these bundles, by name and version. */
export function listShippedPackages(metafiles: readonly Metafile[]): readonly ShippedPackage[] {
  // What tree shaking removed is an input with 0 bytes in every output; that is not shipped.
  const shipped = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
    ),
  );
  const folders = new Set([
    ...shipped.flatMap((input) => packageFolder(input) ?? []),
    ...Object.keys(PICTURE_PACKAGES),
  ]);
  const packages = new Map<string, ShippedPackage>();
  for (const folder of [...folders].sort()) {
    const found = readPackage(folder);
    packages.set(`${found.name}@${found.version}`, found);
  }
  return [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found);
}

function readPackage(folder: string): ShippedPackage {
  const manifest: { name: string; version: string; license?: string } = JSON.parse(
    readFileSync(path.join(root, folder, "package.json"), "utf8"),
  );
  const { name, version, license } = manifest;
  if (license === undefined) throw new Error(`${name} names no licence`);
  const note = PICTURE_PACKAGES[folder];
  return { folder, name, version, license, texts: licenseTexts(folder), ...(note === undefined ? {} : { note }) };
}

/** Texts in the package, else the text of its licence from another one. */
function licenseTexts(folder: string): readonly string[] {
  const own = readTexts(folder, /^(?:licen[cs]e|notices?|copying)(?:[.-].*)?$/i);
  if (own.length > 0) return own;
  const missing = MISSING_TEXTS[folder];
  const texts = missing === undefined ? [] : [missing.copyright, ...readTexts(missing.textFrom, /^license(?:\..*)?$/i)];
  if (texts.length < 2) throw new Error(`${folder} has no licence text: name one in MISSING_TEXTS`);
  return texts;
}

function readTexts(folder: string, pattern: RegExp): readonly string[] {
  const names = readdirSync(path.join(root, folder)).filter((name) => pattern.test(name));
  return names.sort().map((name) => readFileSync(path.join(root, folder, name), "utf8").trim());
}

/** The text of THIRD_PARTY_NOTICES.txt. */
export function formatNotices(packages: readonly ShippedPackage[]): string {
  const head = "Posenc contains the following packages, under their own licences.\n";
  const list = packages.map(({ name, version, license }) => `  ${name} ${version} (${license})`).join("\n");
  const rule = "=".repeat(80);
  const sections = packages.map(({ name, version, license, texts, note }) =>
    [rule, `${name} ${version} (${license})`, ...(note === undefined ? [] : [note]), rule, "", ...texts, ""].join("\n"),
  );
  return `${[head, list, "", ...sections].join("\n").replaceAll("\r\n", "\n")}\n`;
}

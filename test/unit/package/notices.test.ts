import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bundles } from "../../../scripts/lib/bundles.ts";
import {
  formatNotices,
  listShippedPackages,
  NOTICES_FILE,
  packageFolder,
  readMetafiles,
} from "../../../scripts/lib/notices.ts";
import { root } from "../../../scripts/lib/root.ts";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

describe("the notices of third parties", () => {
  test("are those of the last build", () => {
    expect(read(NOTICES_FILE)).toBe(formatNotices(listShippedPackages(readMetafiles())));
  });

  test("have every package of the bundles with its version and a licence text", () => {
    const notices = read(NOTICES_FILE);
    const packages = listShippedPackages(readMetafiles());
    for (const { name, version, license, texts } of packages) {
      expect(notices).toContain(`  ${name} ${version} (${license})\n`);
      expect(texts.join("").length, name).toBeGreaterThan(500);
    }
    expect(packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "@tensorflow/tfjs-core",
        "@lezer/python",
        "yaml",
        "lit-html",
        "@mathjax/mathjax-newcm-font",
      ]),
    );
    // Tools that only build or test are not shipped.
    for (const tool of ["esbuild", "vitest", "playwright-core", "svgo"])
      expect(packages.some(({ name }) => name === tool)).toBe(false);
  });

  test("are in the package, with the licence comments of the bundles", () => {
    const { files }: { files: string[] } = JSON.parse(read("package.json"));
    expect(files).toEqual(expect.arrayContaining([NOTICES_FILE, "dist/**/*.LEGAL.txt"]));
    expect(read("dist/webview.js.LEGAL.txt")).toContain("Google");
    expect(read("dist/webview.js")).toContain("webview.js.LEGAL.txt");
  });

  test("cover each bundle", () => {
    expect(readMetafiles().length).toBe(bundles.length + 1);
  });
});

test.each([
  ["node_modules/yaml/dist/index.js", "node_modules/yaml"],
  ["node_modules/@lezer/lr/dist/index.js", "node_modules/@lezer/lr"],
  ["node_modules/a/node_modules/@b/c/x.js", "node_modules/a/node_modules/@b/c"],
  ["src/core/spec.ts", undefined],
])("the package of %s is %s", (input, folder) => {
  expect(packageFolder(input)).toBe(folder);
});

interface LockedPackage {
  readonly integrity?: string;
  readonly link?: boolean;
}

test("every package in the lock file has its integrity, those of other platforms included", () => {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(read("package-lock.json"));
  const locked = Object.entries(packages).filter(([folder, { link }]) => folder !== "" && link !== true);
  expect(locked.length).toBeGreaterThan(400);
  expect(locked.filter(([, { integrity }]) => integrity === undefined).map(([folder]) => folder)).toEqual([]);
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { globSync } from "tinyglobby";
import { describe, expect, test } from "vitest";
import { root } from "../../../scripts/lib/root.ts";

interface Manifest {
  readonly files: readonly string[];
  readonly main: string;
  readonly browser: string;
  readonly icon: string;
}

const manifest: Manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

interface Lock {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

/** Folders in which Node would look for a dependency of the package installed at `where`. */
function lookups(where: string, name: string): string[] {
  const parents = [...where.matchAll(/\/node_modules\//g)].map(({ index }) => where.slice(0, index));
  return [where, ...parents, ""].map((parent) => path.posix.join(parent, "node_modules", name));
}

describe("the lock file", () => {
  test("contains the packages of every platform, which npm ci requires", () => {
    const { packages }: Lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
    const missing = Object.entries(packages).flatMap(([where, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !lookups(where, name).some((place) => place in packages)),
    );
    expect(missing).toEqual([]);
  });
});

describe("the package", () => {
  test("contains only what the manifest lists", async () => {
    const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
    const listed = [...manifest.files, "package.json"].flatMap((pattern) => globSync(pattern, { cwd: root }));
    expect([...files].sort()).toEqual(listed.map((file) => file.replaceAll("\\", "/")).sort());
  });

  test("contains everything that the manifest lists", () => {
    expect(manifest.files.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([]);
  });

  test("contains what VS Code loads", () => {
    for (const file of [manifest.main, manifest.browser, manifest.icon]) {
      expect(manifest.files).toContain(path.posix.normalize(file));
    }
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { describe, expect, test } from "vitest";
import { root } from "../../scripts/bundles.ts";

interface Manifest {
  readonly files: readonly string[];
  readonly main: string;
  readonly browser: string;
  readonly icon: string;
}

const manifest: Manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

describe("the package", () => {
  test("holds what the manifest lists, and nothing else", async () => {
    const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
    expect([...files].sort()).toEqual([...manifest.files, "package.json"].sort());
  });

  test("holds what VS Code loads", () => {
    for (const file of [manifest.main, manifest.browser, manifest.icon]) {
      expect(manifest.files).toContain(path.posix.normalize(file));
    }
  });
});

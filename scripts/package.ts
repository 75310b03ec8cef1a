import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createVSIX, listFiles, PackageManager } from "@vscode/vsce";
import { buildAll } from "./lib/buildAll.ts";
import { root } from "./lib/root.ts";

/** Builds out/posenc.vsix. Its content is the allow-list `files` of package.json; everything else is bundled. */
async function main(): Promise<void> {
  await buildAll({ minify: true });
  const packagePath = path.join(root, "out/posenc.vsix");
  await mkdir(path.dirname(packagePath), { recursive: true });
  await createVSIX({
    cwd: root,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  console.log(`${packagePath}\n  ${files.join("\n  ")}`);
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exit(1);
});

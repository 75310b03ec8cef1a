import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createVSIX, listFiles, PackageManager } from "@vscode/vsce";
import { buildAll } from "./build.ts";
import { root } from "./bundles.ts";

/** Makes out/posenc.vsix. What goes in is the allow-list `files` of package.json; everything else is bundled. */
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

await main();

import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, context, type Metafile } from "esbuild";
import { type Bundle, bundles, esbuildOptions, writeMetafile } from "./bundles.ts";
import { writeFormulas } from "./formulas.ts";
import { formatNotices, listShippedPackages, NOTICES_FILE, readMetafiles } from "./notices.ts";
import { root } from "./root.ts";
import { buildSplit } from "./splitBundle.ts";

async function keepMetafile(bundle: Bundle, metafile: Metafile): Promise<void> {
  await writeMetafile(bundle.name, metafile);
  if (bundle.name === "cli") await chmod(path.join(root, bundle.output), 0o755);
}

function formatSize(metafile: Metafile, output: string): string {
  return `${((metafile.outputs[output]?.bytes ?? 0) / 1000).toFixed(0).padStart(5)} kB`;
}

async function buildBundle(bundle: Bundle, minify: boolean): Promise<void> {
  const metafile = bundle.parts
    ? await buildSplit(bundle, minify)
    : (await build({ ...esbuildOptions(bundle, minify), metafile: true })).metafile;
  await keepMetafile(bundle, metafile);
  await copyFiles(bundle);
  console.log(`${formatSize(metafile, bundle.output)}  ${bundle.output}`);
}

async function copyFiles({ copies }: Bundle): Promise<void> {
  if (copies === undefined) return;
  const folder = path.join(root, "dist", copies.folder);
  await mkdir(folder, { recursive: true });
  for (const file of copies.files) await copyFile(path.join(root, file), path.join(folder, path.basename(file)));
}

async function watchBundle(bundle: Bundle): Promise<void> {
  const options = esbuildOptions(bundle, false);
  const report = {
    name: "report",
    setup: (setup: import("esbuild").PluginBuild) =>
      setup.onEnd(async ({ metafile, errors }) => {
        if (errors.length > 0 || metafile === undefined) return;
        await keepMetafile(bundle, metafile);
        console.log(`${formatSize(metafile, bundle.output)}  ${bundle.output}`);
      }),
  };
  const watched = await context({ ...options, plugins: [...(options.plugins ?? []), report] });
  await watched.watch();
}

/** Builds all bundles for the extension, the tests and the package. */
export async function buildAll({ minify }: { readonly minify: boolean }): Promise<void> {
  await writeFormulas();
  const results = await Promise.allSettled(bundles.map((bundle) => buildBundle(bundle, minify)));
  // esbuild has printed each error already.
  const failed = bundles.filter((_, index) => results[index]?.status === "rejected").map(({ output }) => output);
  if (failed.length > 0) throw new Error(`not built: ${failed.join(", ")}`);
  await writeFile(path.join(root, NOTICES_FILE), formatNotices(listShippedPackages(readMetafiles())));
}

/** Builds again after every change, until the process ends. */
export async function watchAll(): Promise<void> {
  await writeFormulas();
  await Promise.all(bundles.map(watchBundle));
}

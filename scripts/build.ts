import { existsSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { build, context, type Metafile } from "esbuild";
import { type Bundle, bundles, optionsOf, root } from "./bundles.ts";
import { writeFormulas } from "./formulas.ts";

/** Not the whole of dist: watchers and tests of another terminal may be reading it. */
async function clean(): Promise<void> {
  await rm(path.join(root, "dist/meta"), { recursive: true, force: true });
  await mkdir(path.join(root, "dist/meta"), { recursive: true });
}

async function record(bundle: Bundle, metafile: Metafile): Promise<void> {
  await writeFile(path.join(root, "dist/meta", `${bundle.name}.json`), JSON.stringify(metafile));
  if (bundle.name === "cli") await chmod(path.join(root, bundle.output), 0o755);
}

function size(metafile: Metafile, output: string): string {
  return `${((metafile.outputs[output]?.bytes ?? 0) / 1000).toFixed(0).padStart(5)} kB`;
}

async function make(bundle: Bundle, minify: boolean): Promise<void> {
  const { metafile } = await build({ ...optionsOf(bundle, minify), metafile: true });
  await record(bundle, metafile);
  console.log(`${size(metafile, bundle.output)}  ${bundle.output}`);
}

async function watch(bundle: Bundle): Promise<void> {
  const options = optionsOf(bundle, false);
  const report = {
    name: "report",
    setup: (setup: import("esbuild").PluginBuild) =>
      setup.onEnd(async ({ metafile, errors }) => {
        if (errors.length > 0 || metafile === undefined) return;
        await record(bundle, metafile);
        console.log(`${size(metafile, bundle.output)}  ${bundle.output}`);
      }),
  };
  const watched = await context({ ...options, plugins: [...(options.plugins ?? []), report] });
  await watched.watch();
}

/** Builds everything that the extension, the tests and the package need. */
export async function buildAll({ minify }: { readonly minify: boolean }): Promise<void> {
  await clean();
  await writeFormulas();
  const ready = bundles.filter(({ entry }) => existsSync(path.join(root, entry)));
  for (const bundle of bundles) {
    if (!ready.includes(bundle)) console.log(`   (none)  ${bundle.output}: ${bundle.entry} does not exist yet`);
  }
  const results = await Promise.allSettled(ready.map((bundle) => make(bundle, minify)));
  // esbuild has printed each error already.
  const failed = ready.filter((_, index) => results[index]?.status === "rejected").map(({ output }) => output);
  if (failed.length > 0) throw new Error(`not built: ${failed.join(", ")}`);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { watch: { type: "boolean" }, minify: { type: "boolean" } } });
  if (values.watch) {
    await clean();
    await writeFormulas();
    await Promise.all(bundles.map(watch));
  } else {
    await buildAll({ minify: values.minify ?? false }).catch((failure: unknown) => {
      console.error(failure instanceof Error ? failure.message : failure);
      process.exit(1);
    });
  }
}

import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, type Metafile, transform } from "esbuild";
import { type Bundle, esbuildOptions } from "./bundles.ts";
import { root } from "./root.ts";

/** esbuild splits ES modules only, and VS Code 1.91 loads CommonJS only, so each part is converted by itself. */
async function writePart(file: string, text: string, minify: boolean): Promise<void> {
  const { code, map } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node20",
    supported: { "dynamic-import": false },
    minify,
    sourcemap: "external",
    sourcefile: file,
    sourcesContent: false,
    // Only the line that names the file with them is left.
    legalComments: "inline",
  });
  await writeFile(file, `${code}//# sourceMappingURL=${path.basename(file)}.map\n`);
  await writeFile(`${file}.map`, map);
}

async function removeStaleParts(folder: string, current: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!current.has(path.join(folder, name.replace(/\.map$/, "")))) await rm(path.join(folder, name), { force: true });
  }
}

/**
 * Builds a Node bundle in parts: what `import()` names is loaded on first use, not when VS Code starts. Compiling
 * everything at once took two thirds of the activation time.
 */
export async function buildSplit(bundle: Bundle, minify: boolean): Promise<Metafile> {
  const { outfile, ...options } = esbuildOptions(bundle, minify);
  const folder = path.dirname(path.join(root, bundle.output));
  const parts = bundle.parts ?? "chunks";
  const result = await build({
    ...options,
    metafile: true,
    format: "esm",
    splitting: true,
    outdir: path.dirname(bundle.output),
    entryNames: path.basename(bundle.output, ".js"),
    chunkNames: `${parts}/[name]-[hash]`,
    sourcemap: "inline",
    write: false,
  });
  await mkdir(path.join(folder, parts), { recursive: true });
  await Promise.all(
    result.outputFiles.map((part) =>
      part.path.endsWith(".js") ? writePart(part.path, part.text, minify) : writeFile(part.path, part.text),
    ),
  );
  await removeStaleParts(path.join(folder, parts), new Set(result.outputFiles.map((part) => part.path)));
  return result.metafile;
}

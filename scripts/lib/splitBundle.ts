import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, type Metafile, transform } from "esbuild";
import { type Bundle, optionsOf, root } from "./bundles.ts";

const CHUNKS = "chunks";

/** esbuild splits ES modules only; VS Code 1.91 loads CommonJS only. Each part is translated by itself. */
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
    legalComments: "none",
  });
  await writeFile(file, `${code}//# sourceMappingURL=${path.basename(file)}.map\n`);
  await writeFile(`${file}.map`, map);
}

async function dropOldParts(folder: string, current: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!current.has(path.join(folder, name.replace(/\.map$/, "")))) await rm(path.join(folder, name), { force: true });
  }
}

/**
 * A Node bundle in parts: what `import()` names is read when it is first needed, not when VS Code starts. Compiling
 * everything at once took two thirds of the time of an activation.
 */
export async function buildSplit(bundle: Bundle, minify: boolean): Promise<Metafile> {
  const { outfile, ...options } = optionsOf(bundle, minify);
  const folder = path.dirname(path.join(root, bundle.output));
  const made = await build({
    ...options,
    metafile: true,
    format: "esm",
    splitting: true,
    outdir: path.dirname(bundle.output),
    entryNames: path.basename(bundle.output, ".js"),
    chunkNames: `${CHUNKS}/[name]-[hash]`,
    sourcemap: "inline",
    write: false,
  });
  await mkdir(path.join(folder, CHUNKS), { recursive: true });
  await Promise.all(made.outputFiles.map((part) => writePart(part.path, part.text, minify)));
  await dropOldParts(path.join(folder, CHUNKS), new Set(made.outputFiles.map((part) => part.path)));
  return made.metafile;
}

import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Metafile } from "esbuild";
import { atMost, type Case } from "../../scripts/lib/bench/case.ts";
import { type Bundle, bundles } from "../../scripts/lib/bundles.ts";
import { root } from "../../scripts/lib/root.ts";

/** The bundle's file and its lazily loaded chunks. */
async function scriptsOf({ name }: Bundle): Promise<readonly Buffer[]> {
  const metafile: Metafile = JSON.parse(await readFile(path.join(root, `dist/meta/${name}.json`), "utf8"));
  const files = Object.keys(metafile.outputs).filter((file) => file.endsWith(".js"));
  return Promise.all(files.map((file) => readFile(path.join(root, file))));
}

/** What a user downloads, minified. */
export default async function sizes(): Promise<readonly Case[]> {
  const cases = bundles.map(async (bundle): Promise<readonly Case[]> => {
    const content = Buffer.concat(await scriptsOf(bundle));
    const packed = await promisify(gzip)(content);
    const { output, budget } = bundle;
    return [
      atMost(`size of ${output}`, content.length / 1000, budget, "kB"),
      { ...atMost(`size of ${output}, gzip`, packed.length / 1000, budget, "kB"), target: null, holds: null },
    ];
  });
  return (await Promise.all(cases)).flat();
}

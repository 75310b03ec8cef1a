import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { bundles, root } from "../../scripts/bundles.ts";
import { atMost, type Case } from "./support/case.ts";

/** What a user downloads, minified. */
export default async function sizes(): Promise<readonly Case[]> {
  const cases = bundles.map(async ({ output, budget }): Promise<readonly Case[]> => {
    const content = await readFile(path.join(root, output));
    const packed = await promisify(gzip)(content);
    return [
      atMost(`size of ${output}`, content.length / 1000, budget, "kB"),
      { ...atMost(`size of ${output}, gzip`, packed.length / 1000, budget, "kB"), target: null, holds: null },
    ];
  });
  return (await Promise.all(cases)).flat();
}

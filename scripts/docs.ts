import { writeFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./lib/bundles.ts";
import { pages } from "./lib/docs/pages.ts";

/** `npm run docs`: writes the generated pages of `docs/`. `npm test` fails where one is stale. */
for (const [name, page] of Object.entries(pages)) {
  await writeFile(path.join(root, "docs", name), page());
  console.log(`docs/${name}`);
}

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { GENERATED_PAGES } from "./lib/docs/pages.ts";
import { root } from "./lib/root.ts";

/** `npm run docs`: writes the generated pages of `docs/`. `npm test` fails if one is stale. */
for (const [name, page] of Object.entries(GENERATED_PAGES)) {
  await writeFile(path.join(root, "docs", name), page());
  console.log(`docs/${name}`);
}

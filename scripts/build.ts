import { parseArgs } from "node:util";
import { buildAll, watchAll } from "./lib/buildAll.ts";

/** `npm run build [-- --minify | --watch]` */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { watch: { type: "boolean" }, minify: { type: "boolean" } } });
  if (values.watch) await watchAll();
  else await buildAll({ minify: values.minify ?? false });
}

main().catch((failure: unknown) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exit(1);
});

import { buildAll } from "./lib/buildAll.ts";
import { isSuite, runSuite, SUITES } from "./lib/runSuite.ts";

/** `npm run test:NAME [-- vitest's arguments]` */
async function main(): Promise<void> {
  const [name = "", ...extra] = process.argv.slice(2);
  if (!isSuite(name)) throw new Error(`There is no suite "${name}". Suites: ${SUITES.join(", ")}.`);
  // The golden suite imports sources only.
  if (name !== "golden") await buildAll({ minify: true });
  const { failed } = await runSuite(name, { extra });
  process.exit(failed === 0 ? 0 : 1);
}

main().catch((failure: unknown) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exit(1);
});

import { runChecks } from "./lib/runChecks.ts";

/** `npm run check`: format, lint, import zones, types, dead code. */
runChecks().then(({ failed }) => process.exit(failed === 0 ? 0 : 1));

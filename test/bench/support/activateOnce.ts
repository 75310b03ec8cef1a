// Runs in a process of its own: a cold start of the extension as in VS Code.
import { activateExtension } from "./loadExtension.ts";

const [bundle = ""] = process.argv.slice(2);
const start = performance.now();
await activateExtension(bundle);
process.stdout.write(`${performance.now() - start}`);
process.exit(0);

// Runs in a process of its own: what VS Code does when it starts the extension, with nothing warm.
import { activateExtension } from "./loadExtension.ts";

const [bundle = ""] = process.argv.slice(2);
const start = performance.now();
await activateExtension(bundle);
process.stdout.write(`${performance.now() - start}`);
process.exit(0);

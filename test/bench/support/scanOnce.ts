// Runs in a process of its own: the first search for models in a workspace, and how long it kept its thread from
// other work, in processor time without that of other programs.
import { readdirSync } from "node:fs";
import path from "node:path";
import { Uri } from "../../unit/stub/vscode.ts";
import { activateExtension } from "./loadExtension.ts";

const [bundle = "", folder = ""] = process.argv.slice(2);
const stub = await activateExtension(bundle);
for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }))
  if (/\.(?:json|gguf)$/.test(file)) stub.found.push(Uri.file(path.join(folder, file)));

let longest = 0;
let last = process.cpuUsage();
let watching = true;
const watch = () => {
  const { user, system } = process.cpuUsage(last);
  longest = Math.max(longest, (user + system) / 1000);
  last = process.cpuUsage();
  if (watching) setImmediate(watch);
};
setImmediate(watch);
const start = performance.now();
const models = await stub.trees.get("posenc.models")?.provider.getChildren();
const whole = performance.now() - start;
watching = false;
if (models?.length !== stub.found.length) throw new Error(`${models?.length} models in ${stub.found.length} files`);
process.stdout.write(JSON.stringify({ longest, whole }));
process.exit(0);

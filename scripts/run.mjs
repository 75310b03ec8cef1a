// Plain JavaScript on purpose: it must run on a bare Node 20 before anything is installed. It installs what the
// lock file asks for, then runs scripts/NAME.ts with the Node 24 that comes from npm.
//   node scripts/run.mjs NAME [arguments]
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const modules = join(root, "node_modules");
/** @type {NodeJS.Signals[]} */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** @param {string} file */
function packagesOf(file) {
  try {
    return Object.entries(JSON.parse(readFileSync(file, "utf8")).packages);
  } catch {
    return null;
  }
}

/** Every package that the lock file demands is there in that version. */
function installed() {
  const wanted = packagesOf(join(root, "package-lock.json")) ?? [];
  const present = new Map(packagesOf(join(modules, ".package-lock.json")) ?? []);
  if (present.size === 0) return false;
  return wanted.every(([name, entry]) => name === "" || entry.optional || present.get(name)?.version === entry.version);
}

/**
 * Runs a command with this terminal; a signal to this process reaches it, and is waited for.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} exit status
 */
function run(command, args, env) {
  const child = spawn(command, args, { cwd: root, env, stdio: "inherit" });
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  // Between npm and this stands a shell, which dies of a signal without handing it on.
  const parent = process.ppid;
  const orphaned = setInterval(() => process.ppid === parent || forward("SIGTERM"), 500);
  orphaned.unref();
  return new Promise((settle, fail) => {
    child.on("error", fail);
    child.on("exit", (status, signal) => {
      for (const name of signals) process.off(name, forward);
      clearInterval(orphaned);
      settle(signal === null ? (status ?? 1) : 130);
    });
  });
}

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 20) {
  console.error(`Posenc needs Node 20 or newer to start, this is ${process.version}. https://nodejs.org has it.`);
  process.exit(1);
}

if (!installed()) {
  console.log("Installing dependencies (npm ci)…");
  const npm = process.env.npm_execpath;
  const status = npm
    ? await run(process.execPath, [npm, "ci", "--no-audit", "--no-fund"], process.env)
    : await run(process.platform === "win32" ? "npm.cmd" : "npm", ["ci", "--no-audit", "--no-fund"], process.env);
  if (status !== 0) {
    console.error("npm ci failed, so nothing can run. What it needs is the npm registry; its own message is above.");
    process.exit(status);
  }
}

const [name = "", ...args] = process.argv.slice(2);
const node24 = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const path = `${join(modules, ".bin")}${delimiter}${process.env.PATH ?? ""}`;
process.exit(
  await run(node24, ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", join("scripts", `${name}.ts`), ...args], {
    ...process.env,
    PATH: path,
  }),
);

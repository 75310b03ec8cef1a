// Runs before every npm script with plain Node 20: installs the packages of the lock file if they are missing or
// outdated.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/**
 * @param {string} file a lock file, relative to the repository
 * @returns {Map<string, { version?: string, optional?: boolean }>} packages by folder, empty if there is no such file
 */
function readPackages(file) {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(root + file, "utf8")).packages));
  } catch {
    return new Map();
  }
}

function isInstalled() {
  // npm writes this file when an installation is complete.
  const installed = readPackages("node_modules/.package-lock.json");
  return [...readPackages("package-lock.json")].every(
    ([folder, { version, optional }]) => folder === "" || optional || installed.get(folder)?.version === version,
  );
}

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 20) {
  console.error(`Posenc needs Node 20 or newer; this is ${process.version}. Get it from https://nodejs.org.`);
  process.exit(1);
}

if (!isInstalled()) {
  console.log("Installing dependencies (npm ci)…");
  const { status } = spawnSync("npm ci --no-audit --no-fund", { cwd: root, stdio: "inherit", shell: true });
  if (status !== 0) {
    console.error("npm ci failed; see its message above. It needs access to the npm registry.");
    process.exit(status ?? 1);
  }
}

import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { looksLikeTomlConfig, MAX_TOML_SIZE } from "../core/config/frameworks/readTomlConfig.ts";
import { looksLikeYamlConfig, MAX_YAML_SIZE } from "../core/config/frameworks/readYamlConfig.ts";
import { looksLikeModelConfig, MAX_JSON_SIZE } from "../core/config/readConfig.ts";
import { settingsFor } from "./projectSettings.ts";

const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Expands paths: files stay as they are, folders are searched. In the order of the arguments, then by path. */
export function findFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => (isFolder(path) ? searchFolder(path) : [path]));
}

function isFolder(path: string): boolean {
  return statIfExists(path)?.isDirectory() === true;
}

/** undefined if the path does not exist, or is a link that leads nowhere or in circles. */
function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function searchFolder(folder: string): string[] {
  const found: string[] = [];
  const settings = settingsFor(folder);
  const walk = (current: string) => {
    for (const entry of readEntries(current)) {
      const path = join(current, entry.name);
      if (settings.ignores(path)) continue;
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) walk(path);
      } else if (isModelFile(entry, path)) found.push(path);
    }
  };
  walk(folder);
  return found.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // An unreadable folder counts as one without models.
    return [];
  }
}

/** Follows links to files, but not to folders. */
function isModelFile(entry: Dirent, path: string): boolean {
  if (!entry.isFile() && !entry.isSymbolicLink()) return false;
  const name = entry.name.toLowerCase();
  const target = entry.isSymbolicLink() ? statIfExists(path) : undefined;
  // A config.json with a broken link is a model that cannot be loaded, and reading it reports that.
  if (name === "config.json") return target?.isDirectory() !== true;
  if (entry.isSymbolicLink() && target?.isFile() !== true) return false;
  if (name.endsWith(".json") && !name.endsWith(".index.json") && (name.includes("config") || name === "params.json"))
    return looksLikeConfigFile(path);
  if (/\.ya?ml$/.test(name)) return isTextConfig(path, MAX_YAML_SIZE, looksLikeYamlConfig);
  if (name.endsWith(".toml")) return isTextConfig(path, MAX_TOML_SIZE, looksLikeTomlConfig);
  return /\.(?:gguf|safetensors|safetensors\.index\.json)$/.test(name);
}

function looksLikeConfigFile(path: string): boolean {
  try {
    return statSync(path).size <= MAX_JSON_SIZE && looksLikeModelConfig(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}

function isTextConfig(path: string, maxSize: number, looksLikeConfig: (text: string) => boolean): boolean {
  try {
    return statSync(path).size <= maxSize && looksLikeConfig(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}

import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { looksLikeYamlConfig, MAX_YAML_SIZE } from "../core/config/frameworks/readYamlConfig.ts";
import { looksLikeModelConfig, MAX_JSON_SIZE } from "../core/config/readConfig.ts";
import { settingsFor } from "./projectSettings.ts";

const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** The files that PATHs stand for: files as they are, folders searched; in the order of the arguments, then by path. */
export function findFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => (isFolder(path) ? searched(path) : [path]));
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

/** What a path leads to; nothing where a link leads nowhere or in circles. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function searched(folder: string): string[] {
  const found: string[] = [];
  const settings = settingsFor(folder);
  const walk = (current: string) => {
    for (const entry of entriesOf(current)) {
      const path = join(current, entry.name);
      if (settings.ignores(path)) continue;
      if (entry.isDirectory()) {
        if (!SKIPPED_FOLDERS.has(entry.name)) walk(path);
      } else if (isWanted(entry, path)) found.push(path);
    }
  };
  walk(folder);
  return found.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that may not be read is like one that has no models.
    return [];
  }
}

/** Links to files are followed, links to folders are not. */
function isWanted(entry: Dirent, path: string): boolean {
  if (!entry.isFile() && !entry.isSymbolicLink()) return false;
  const name = entry.name.toLowerCase();
  const target = entry.isSymbolicLink() ? statsOf(path) : undefined;
  // A config.json whose link leads nowhere is a model that cannot be loaded: reading it says so.
  if (name === "config.json") return target?.isDirectory() !== true;
  if (entry.isSymbolicLink() && target?.isFile() !== true) return false;
  if (name.endsWith(".json") && !name.endsWith(".index.json") && (name.includes("config") || name === "params.json"))
    return looksLikeConfigFile(path);
  if (/\.ya?ml$/.test(name)) return isYamlConfig(path);
  return /\.(?:gguf|safetensors|safetensors\.index\.json)$/.test(name);
}

function looksLikeConfigFile(path: string): boolean {
  try {
    return statSync(path).size <= MAX_JSON_SIZE && looksLikeModelConfig(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}

function isYamlConfig(path: string): boolean {
  try {
    return statSync(path).size <= MAX_YAML_SIZE && looksLikeYamlConfig(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}

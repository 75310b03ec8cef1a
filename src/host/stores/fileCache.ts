import * as vscode from "vscode";

/** A value computed from one version of a file. */
export interface CachedFile<T> {
  readonly stamp: string;
  readonly value: T;
}

/** Values computed from files, each for as long as its file stays the same. The oldest entry is dropped first. */
export class FileCache<T> {
  readonly #entries = new Map<string, CachedFile<T>>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /**
   * The value of a file's current version.
   * @param stamp the version, by default that of the saved file
   * @returns undefined if there is none: the file is missing or unreadable, or `make` returns undefined
   */
  async read(uri: vscode.Uri, make: () => Promise<T | undefined>, stamp?: string): Promise<CachedFile<T> | undefined> {
    const name = uri.toString();
    try {
      const version = stamp ?? (await savedStamp(uri));
      const cached = this.#entries.get(name);
      if (cached?.stamp === version) return cached;
      const value = await make();
      if (value === undefined) return undefined;
      const entry = { stamp: version, value };
      this.#entries.set(name, entry);
      dropOldest(this.#entries, this.#maxEntries);
      return entry;
    } catch {
      return undefined; // Usually the file does not exist.
    }
  }
}

/** Removes the entry that was added first if there are too many. */
export function dropOldest(entries: Map<string, unknown>, maxEntries: number): void {
  if (entries.size > maxEntries) entries.delete(entries.keys().next().value ?? "");
}

async function savedStamp(uri: vscode.Uri): Promise<string> {
  const { mtime, size } = await vscode.workspace.fs.stat(uri);
  return `saved ${mtime} ${size}`;
}

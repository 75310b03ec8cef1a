/** A model in Hugging Face's cache: `models--Qwen--Qwen2.5-7B/snapshots/<commit>/…`. */
export interface HubFolder {
  /** "Qwen/Qwen2.5-7B" */
  readonly name: string;
  /** The short commit hash, as on the Hub. */
  readonly revision: string;
}

const SNAPSHOT = /(?:^|\/)models--([^/]+)\/snapshots\/([^/]+)(?:\/|$)/;

/** The model of a path in the cache; undefined for other paths. */
export function parseHubFolder(path: string): HubFolder | undefined {
  const [, folder, commit] = SNAPSHOT.exec(path) ?? [];
  if (folder === undefined || commit === undefined) return undefined;
  return { name: folder.replaceAll("--", "/"), revision: commit.slice(0, 7) };
}

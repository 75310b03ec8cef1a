/** A model in Hugging Face's cache: `models--Qwen--Qwen2.5-7B/snapshots/<commit>/…`. */
export interface HubFolder {
  /** "Qwen/Qwen2.5-7B" */
  readonly name: string;
  /** The first figures of the commit, as the Hub shows them. */
  readonly revision: string;
}

const SNAPSHOT = /(?:^|\/)models--([^/]+)\/snapshots\/([^/]+)(?:\/|$)/;

/** The model that a path of the cache is of; undefined for paths elsewhere. */
export function hubFolder(path: string): HubFolder | undefined {
  const [, folder, commit] = SNAPSHOT.exec(path) ?? [];
  if (folder === undefined || commit === undefined) return undefined;
  return { name: folder.replaceAll("--", "/"), revision: commit.slice(0, 7) };
}

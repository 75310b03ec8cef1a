import { type FSWatcher, watch } from "node:fs";
import { access, lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** An error with a code of VS Code's FileSystemError. */
export class FolderError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const FILE_TYPE = 1;
const DIRECTORY_TYPE = 2;
const SYMBOLIC_LINK_TYPE = 64;

export interface FileChange {
  readonly path: string;
  /** 1 changed, 2 created, 3 deleted. */
  readonly type: 1 | 2 | 3;
}

type QueryParameters = URLSearchParams;

const IGNORED_FOLDERS = new Set(["node_modules", ".git"]);

/**
 * Gives the workbench access to one local folder and nothing outside it: `/NAME/rest` is `rest` in the folder. Links
 * that lead outside are refused anywhere in a path.
 */
export class ServedFolder {
  readonly name: string;
  private readonly root: string;
  private readonly watcher: FSWatcher | null;
  private readonly changes: FileChange[] = [];
  private waiting: (() => void)[] = [];

  private constructor(root: string) {
    this.root = root;
    this.name = path.basename(root);
    this.watcher = this.startWatching();
  }

  static async open(folder: string): Promise<ServedFolder> {
    const root = await realpath(folder);
    if (!(await stat(root)).isDirectory()) throw new Error(`${folder} is not a folder`);
    return new ServedFolder(root);
  }

  close(): void {
    this.watcher?.close();
    this.resumeWaiting();
  }

  /** Watching may fail for a folder with too many subfolders; the folder is shown anyway. */
  private startWatching(): FSWatcher | null {
    const failed = (failure: unknown) => {
      console.log(`What other programs change in ${this.root} will not be seen: ${failure}`);
      return null;
    };
    try {
      return watch(this.root, { recursive: true }, (_, file) => this.recordChange(file)).on("error", failed);
    } catch (failure) {
      return failed(failure);
    }
  }

  /** Handles one file system operation. */
  async handle(operation: string, query: QueryParameters, body: Buffer): Promise<unknown> {
    if (operation === "changes") return this.changesSince(Number(query.get("since") ?? 0));
    const file = await this.resolve(query.get("path") ?? "");
    const flag = (name: string) => query.get(name) === "true";
    if (operation === "stat") return describeFile(file);
    if (operation === "list") return this.list(file);
    if (operation === "read") return readFile(file);
    if (operation === "write") return writeFileChecked(file, body, flag("create"), flag("overwrite"));
    if (operation === "mkdir") return mkdir(file);
    if (operation === "delete") return rm(file, { recursive: flag("recursive") });
    if (operation === "rename") return moveFile(file, await this.resolve(query.get("to") ?? ""), flag("overwrite"));
    if (operation === "walk") return this.walk(file);
    throw new FolderError("Unavailable", `no operation ${operation}`);
  }

  private async resolve(virtual: string): Promise<string> {
    const [empty, name, ...rest] = virtual.split("/");
    if (empty !== "" || name !== this.name) throw new FolderError("FileNotFound", virtual);
    if (rest.some((part) => part === ".." || part.includes("\0") || part.includes("\\"))) {
      throw new FolderError("NoPermissions", virtual);
    }
    const file = path.join(this.root, ...rest);
    if (!this.contains(await realpathOfExisting(file))) throw new FolderError("NoPermissions", virtual);
    return file;
  }

  private contains(file: string): boolean {
    return file === this.root || file.startsWith(this.root + path.sep);
  }

  private async list(folder: string): Promise<[string, number][]> {
    const entries = await readdir(folder);
    const kinds = await Promise.all(entries.map((entry) => describeFile(path.join(folder, entry)).catch(() => null)));
    return entries.flatMap((entry, index): [string, number][] => {
      const kind = kinds[index];
      return kind ? [[entry, kind.type]] : [];
    });
  }

  private async walk(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { withFileTypes: true });
    const lists = await Promise.all(
      entries.map(async (entry) => {
        const file = path.join(folder, entry.name);
        if (entry.isDirectory()) return IGNORED_FOLDERS.has(entry.name) ? [] : this.walk(file);
        const isFile = entry.isFile() || (entry.isSymbolicLink() && (await this.linksToFileInside(file)));
        return isFile ? [this.toVirtualPath(file)] : [];
      }),
    );
    return lists.flat();
  }

  /** Follows links to files as VS Code's own search does, except those that lead outside. */
  private async linksToFileInside(link: string): Promise<boolean> {
    const target = await realpath(link).catch(() => null);
    return target !== null && this.contains(target) && (await stat(target)).isFile();
  }

  private toVirtualPath(file: string): string {
    return ["", this.name, ...path.relative(this.root, file).split(path.sep)].join("/");
  }

  private async recordChange(file: string | null): Promise<void> {
    if (file === null || file.split(path.sep).some((part) => IGNORED_FOLDERS.has(part))) return;
    const full = path.join(this.root, file);
    const exists = await access(full).then(
      () => true,
      () => false,
    );
    this.changes.push({ path: this.toVirtualPath(full), type: exists ? 1 : 3 });
    this.resumeWaiting();
  }

  private resumeWaiting(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resume of waiting) resume();
  }

  private async changesSince(seen: number): Promise<{ now: number; changes: FileChange[] }> {
    if (seen >= this.changes.length) await new Promise<void>((resume) => this.waiting.push(resume));
    return { now: this.changes.length, changes: this.changes.slice(seen) };
  }
}

/** The real path of a file, or of its deepest existing parent. */
async function realpathOfExisting(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : realpathOfExisting(parent);
  }
}

async function describeFile(file: string) {
  const link = await lstat(file);
  const target = link.isSymbolicLink() ? await stat(file) : link;
  const type = (target.isDirectory() ? DIRECTORY_TYPE : FILE_TYPE) | (link.isSymbolicLink() ? SYMBOLIC_LINK_TYPE : 0);
  return { type, size: target.size, ctime: target.ctimeMs, mtime: target.mtimeMs };
}

async function writeFileChecked(file: string, body: Buffer, create: boolean, overwrite: boolean): Promise<void> {
  const existing = await stat(file).catch(() => null);
  if (existing === null && !create) throw new FolderError("FileNotFound", file);
  if (existing?.isDirectory()) throw new FolderError("FileIsADirectory", file);
  if (existing !== null && create && !overwrite) throw new FolderError("FileExists", file);
  await writeFile(file, body);
}

async function moveFile(from: string, to: string, overwrite: boolean): Promise<void> {
  if (!overwrite && (await stat(to).catch(() => null)) !== null) throw new FolderError("FileExists", to);
  await rename(from, to);
}

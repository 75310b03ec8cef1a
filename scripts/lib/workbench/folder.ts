import { type FSWatcher, watch } from "node:fs";
import { access, lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** An error that VS Code's file systems know by name. */
export class FolderError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const FILE = 1;
const DIRECTORY = 2;
const SYMBOLIC_LINK = 64;

export interface Change {
  readonly path: string;
  /** 1 changed, 2 created, 3 deleted. */
  readonly type: 1 | 2 | 3;
}

type Query = URLSearchParams;

const skipped = new Set(["node_modules", ".git"]);

/**
 * One folder of this machine for the workbench, and nothing outside it: `/NAME/rest` is `rest` in the folder.
 * Links that lead out are refused, whichever part of the path they stand in.
 */
export class Folder {
  readonly name: string;
  private readonly root: string;
  private readonly watcher: FSWatcher | null;
  private readonly changes: Change[] = [];
  private waiting: (() => void)[] = [];

  private constructor(root: string) {
    this.root = root;
    this.name = path.basename(root);
    this.watcher = this.startWatching();
  }

  static async open(folder: string): Promise<Folder> {
    const root = await realpath(folder);
    if (!(await stat(root)).isDirectory()) throw new Error(`${folder} is not a folder`);
    return new Folder(root);
  }

  close(): void {
    this.watcher?.close();
    this.wake();
  }

  /** A folder with more subfolders than the system watches is shown all the same. */
  private startWatching(): FSWatcher | null {
    const failed = (failure: unknown) => {
      console.log(`What other programs change in ${this.root} will not be seen: ${failure}`);
      return null;
    };
    try {
      return watch(this.root, { recursive: true }, (_, file) => this.note(file)).on("error", failed);
    } catch (failure) {
      return failed(failure);
    }
  }

  /** The answer to one operation of the file system. */
  async answer(operation: string, query: Query, body: Buffer): Promise<unknown> {
    if (operation === "changes") return this.changesSince(Number(query.get("since") ?? 0));
    const file = await this.resolve(query.get("path") ?? "");
    const flag = (name: string) => query.get(name) === "true";
    if (operation === "stat") return statOf(file);
    if (operation === "list") return this.list(file);
    if (operation === "read") return readFile(file);
    if (operation === "write") return write(file, body, flag("create"), flag("overwrite"));
    if (operation === "mkdir") return mkdir(file);
    if (operation === "delete") return rm(file, { recursive: flag("recursive") });
    if (operation === "rename") return move(file, await this.resolve(query.get("to") ?? ""), flag("overwrite"));
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
    if (!this.holds(await realpathOfExisting(file))) throw new FolderError("NoPermissions", virtual);
    return file;
  }

  private holds(file: string): boolean {
    return file === this.root || file.startsWith(this.root + path.sep);
  }

  private async list(folder: string): Promise<[string, number][]> {
    const entries = await readdir(folder);
    const kinds = await Promise.all(entries.map((entry) => statOf(path.join(folder, entry)).catch(() => null)));
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
        if (entry.isDirectory()) return skipped.has(entry.name) ? [] : this.walk(file);
        const isFile = entry.isFile() || (entry.isSymbolicLink() && (await this.leadsToFile(file)));
        return isFile ? [this.virtual(file)] : [];
      }),
    );
    return lists.flat();
  }

  /** Links to files are followed as VS Code's own search does, those that lead out are not. */
  private async leadsToFile(link: string): Promise<boolean> {
    const target = await realpath(link).catch(() => null);
    return target !== null && this.holds(target) && (await stat(target)).isFile();
  }

  private virtual(file: string): string {
    return ["", this.name, ...path.relative(this.root, file).split(path.sep)].join("/");
  }

  private async note(file: string | null): Promise<void> {
    if (file === null || file.split(path.sep).some((part) => skipped.has(part))) return;
    const full = path.join(this.root, file);
    const there = await access(full).then(
      () => true,
      () => false,
    );
    this.changes.push({ path: this.virtual(full), type: there ? 1 : 3 });
    this.wake();
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resume of waiting) resume();
  }

  private async changesSince(seen: number): Promise<{ now: number; changes: Change[] }> {
    if (seen >= this.changes.length) await new Promise<void>((resume) => this.waiting.push(resume));
    return { now: this.changes.length, changes: this.changes.slice(seen) };
  }
}

/** The real path of a file, or of the deepest folder on the way to it that is there. */
async function realpathOfExisting(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : realpathOfExisting(parent);
  }
}

async function statOf(file: string) {
  const link = await lstat(file);
  const target = link.isSymbolicLink() ? await stat(file) : link;
  const type = (target.isDirectory() ? DIRECTORY : FILE) | (link.isSymbolicLink() ? SYMBOLIC_LINK : 0);
  return { type, size: target.size, ctime: target.ctimeMs, mtime: target.mtimeMs };
}

async function write(file: string, body: Buffer, create: boolean, overwrite: boolean): Promise<void> {
  const there = await stat(file).catch(() => null);
  if (there === null && !create) throw new FolderError("FileNotFound", file);
  if (there?.isDirectory()) throw new FolderError("FileIsADirectory", file);
  if (there !== null && create && !overwrite) throw new FolderError("FileExists", file);
  await writeFile(file, body);
}

async function move(from: string, to: string, overwrite: boolean): Promise<void> {
  if (!overwrite && (await stat(to).catch(() => null)) !== null) throw new FolderError("FileExists", to);
  await rename(from, to);
}

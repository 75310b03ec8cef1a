// A local folder as a file system of the workbench. This extension is served at /TOKEN/fs-extension/, and the folder at
// /TOKEN/folder; the token appears nowhere else.
import * as vscode from "vscode";

declare module "vscode" {
  /** The part of VS Code 1.91's proposed API `fileSearchProvider` that is used here. */
  interface FileSearchProvider {
    provideFileSearchResults(query: unknown, options: { readonly folder: Uri }): Promise<Uri[]>;
  }
  namespace workspace {
    function registerFileSearchProvider(scheme: string, provider: FileSearchProvider): Disposable;
  }
}

const errors: Readonly<Record<string, (uri: vscode.Uri) => vscode.FileSystemError>> = {
  FileNotFound: vscode.FileSystemError.FileNotFound,
  FileExists: vscode.FileSystemError.FileExists,
  FileNotADirectory: vscode.FileSystemError.FileNotADirectory,
  FileIsADirectory: vscode.FileSystemError.FileIsADirectory,
  NoPermissions: vscode.FileSystemError.NoPermissions,
};

interface FolderChanges {
  readonly now: number;
  readonly changes: readonly { readonly path: string; readonly type: vscode.FileChangeType }[];
}

class HttpFolder implements vscode.FileSystemProvider {
  private readonly base: string;
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  constructor(base: string) {
    this.base = base;
  }

  async call(operation: string, uri: vscode.Uri, query: Record<string, string> = {}, body: Uint8Array | null = null) {
    const parameters = new URLSearchParams({ path: uri.path, ...query });
    const response = await fetch(`${this.base}/${operation}?${parameters}`, {
      method: "POST",
      body: body === null ? null : new Uint8Array(body),
    });
    if (response.ok) return response;
    const { code, message }: { code: string; message: string } = await response.json();
    throw errors[code]?.(uri) ?? vscode.FileSystemError.Unavailable(message);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return (await this.call("stat", uri)).json();
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return (await this.call("list", uri)).json();
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new Uint8Array(await (await this.call("read", uri)).arrayBuffer());
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array, options: { create: boolean; overwrite: boolean }) {
    await this.call("write", uri, { create: `${options.create}`, overwrite: `${options.overwrite}` }, content);
  }

  async createDirectory(uri: vscode.Uri) {
    await this.call("mkdir", uri);
  }

  async delete(uri: vscode.Uri, { recursive }: { recursive: boolean }) {
    await this.call("delete", uri, { recursive: `${recursive}` });
  }

  async rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { overwrite: boolean }) {
    await this.call("rename", from, { to: to.path, overwrite: `${overwrite}` });
  }

  /** `listen` reports changes of the whole folder, so watching a part needs no work. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  /** Polls for new changes; the server answers when there are any. */
  async listen(signal: AbortSignal): Promise<void> {
    let seen = 0;
    while (!signal.aborted) {
      const response = await fetch(`${this.base}/changes?since=${seen}`, { method: "POST", signal });
      const { now, changes }: FolderChanges = await response.json();
      seen = now;
      this.changed.fire(changes.map(({ path, type }) => ({ uri: vscode.Uri.from({ scheme: "folder", path }), type })));
    }
  }

  /** Used by Ctrl+P and `workspace.findFiles`; VS Code applies its globs to the result. */
  async provideFileSearchResults(_query: unknown, { folder }: { readonly folder: vscode.Uri }): Promise<vscode.Uri[]> {
    const paths: string[] = await (await this.call("walk", folder)).json();
    return paths.map((path) => folder.with({ path }));
  }
}

export function activate(context: vscode.ExtensionContext): void {
  const folder = new HttpFolder(vscode.Uri.joinPath(context.extensionUri, "..", "folder").toString(true));
  const stop = new AbortController();
  context.subscriptions.push(
    { dispose: () => stop.abort() },
    vscode.workspace.registerFileSystemProvider("folder", folder, { isCaseSensitive: true }),
    vscode.workspace.registerFileSearchProvider("folder", folder),
  );
  // Fails when the server has stopped; then there are no more changes.
  folder.listen(stop.signal).catch(() => {});
}

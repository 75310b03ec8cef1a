// A folder of this machine as a file system of the workbench. This file is served at /TOKEN/fs-extension/, and the
// folder at /TOKEN/folder: the token never appears anywhere else.
const vscode = require("vscode");

const errors = {
  FileNotFound: vscode.FileSystemError.FileNotFound,
  FileExists: vscode.FileSystemError.FileExists,
  FileNotADirectory: vscode.FileSystemError.FileNotADirectory,
  FileIsADirectory: vscode.FileSystemError.FileIsADirectory,
  NoPermissions: vscode.FileSystemError.NoPermissions,
};

class HttpFolder {
  constructor(base) {
    this.base = base;
    this.changed = new vscode.EventEmitter();
    this.onDidChangeFile = this.changed.event;
  }

  async call(operation, uri, query = {}, body = undefined) {
    const parameters = new URLSearchParams({ path: uri.path, ...query });
    const response = await fetch(`${this.base}/${operation}?${parameters}`, { method: "POST", body });
    if (response.ok) return response;
    const { code, message } = await response.json();
    throw (errors[code] ?? vscode.FileSystemError.Unavailable)(code in errors ? uri : message);
  }

  stat = async (uri) => (await this.call("stat", uri)).json();
  readDirectory = async (uri) => (await this.call("list", uri)).json();
  readFile = async (uri) => new Uint8Array(await (await this.call("read", uri)).arrayBuffer());

  async writeFile(uri, content, { create, overwrite }) {
    await this.call("write", uri, { create, overwrite }, content);
  }

  async createDirectory(uri) {
    await this.call("mkdir", uri);
  }

  async delete(uri, { recursive }) {
    await this.call("delete", uri, { recursive });
  }

  async rename(from, to, { overwrite }) {
    await this.call("rename", from, { to: to.path, overwrite });
  }

  // One listener for the whole folder is enough.
  watch() {
    return new vscode.Disposable(() => {});
  }

  /** Asks for the changes after the last ones seen; the server answers as soon as there are any. */
  async listen(root, signal) {
    let seen = 0;
    while (!signal.aborted) {
      try {
        const response = await fetch(`${this.base}/changes?since=${seen}`, { method: "POST", signal });
        const { now, changes } = await response.json();
        seen = now;
        this.changed.fire(changes.map(({ path, type }) => ({ uri: root.with({ path }), type })));
      } catch {
        // The server is gone, and with it every reason to go on.
        return;
      }
    }
  }
}

/** What Ctrl+P and `workspace.findFiles` ask; VS Code applies its globs to the answer. */
class HttpSearch {
  constructor(folder) {
    this.folder = folder;
  }

  async provideFileSearchResults(_query, options) {
    const paths = await (await this.folder.call("walk", options.folder)).json();
    return paths.map((path) => options.folder.with({ path }));
  }
}

exports.activate = (context) => {
  const base = vscode.Uri.joinPath(context.extensionUri, "..", "folder").toString(true);
  const folder = new HttpFolder(base);
  const stop = new AbortController();
  folder.listen(vscode.Uri.parse("folder:/"), stop.signal);
  context.subscriptions.push(
    { dispose: () => stop.abort() },
    vscode.workspace.registerFileSystemProvider("folder", folder, { isCaseSensitive: true }),
    vscode.workspace.registerFileSearchProvider("folder", new HttpSearch(folder)),
  );
};

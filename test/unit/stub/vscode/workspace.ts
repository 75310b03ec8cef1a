import { readdir, readFile } from "node:fs/promises";
import { Minimatch } from "minimatch";
import { URI as Uri } from "vscode-uri";
import { stub } from "./control.ts";
import { FileType } from "./enums.ts";
import { counted } from "./events.ts";
import { events, screen } from "./state.ts";
import { FileSystemError, type WorkspaceEdit } from "./types.ts";

/** Files of the tests, then those of the disk. */
async function readBytes(uri: Uri): Promise<Uint8Array> {
  const code = stub.unreadable.get(uri.toString());
  if (code !== undefined) throw new FileSystemError(code, uri.path);
  const data = stub.files.get(uri.toString());
  if (data !== undefined) return data;
  return readFile(uri.fsPath).catch(() => Promise.reject(new FileSystemError("FileNotFound", uri.path)));
}

export const workspace = {
  get isTrusted(): boolean {
    return stub.trusted;
  },
  notebookDocuments: screen.notebooks,
  workspaceFolders: [{ uri: Uri.file("/workspace"), name: "workspace", index: 0 }],
  textDocuments: stub.documents,
  onDidChangeTextDocument: events.changedText.event,
  onDidOpenTextDocument: events.openedText.event,
  onDidCloseTextDocument: events.closedText.event,
  onDidChangeConfiguration: events.changedSettings.event,
  onDidChangeWorkspaceFolders: events.changedFolders.event,
  getWorkspaceFolder: (uri: Uri) =>
    workspace.workspaceFolders.find((folder) => uri.path.startsWith(`${folder.uri.path}/`)),
  getConfiguration: (section: string) => ({
    get: (name: string) => stub.settings.get(`${section}.${name}`),
    inspect: (name: string) => ({ workspaceValue: stub.settings.get(`${section}.${name}`) }),
    update: async (name: string, value: unknown) => stub.set(`${section}.${name}`, value),
  }),
  asRelativePath: (uri: Uri) => uri.path.replace(/^\/workspace\//, ""),
  findFiles: async (_include: string, exclude = "") => {
    const excluded = new Minimatch(exclude, { dot: true });
    return stub.found.filter((uri) => !excluded.match(workspace.asRelativePath(uri)));
  },
  applyEdit: async ({ replaced }: WorkspaceEdit) => {
    for (const { uri, range, text } of replaced) {
      const document = stub.documents.find((candidate) => candidate.uri.toString() === uri.toString());
      if (document === undefined || stub.readOnly) return false;
      const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
      stub.edit(document, document.text.slice(0, from) + text + document.text.slice(to));
    }
    return true;
  },
  openTextDocument: async (uri: Uri) => {
    const provided = stub.contents.get(uri.scheme)?.provideTextDocumentContent(uri);
    const known = stub.documents.find((document) => document.uri.toString() === uri.toString());
    const open = known ?? (provided === undefined ? undefined : stub.open(uri, "json", provided));
    if (open === undefined) throw new Error(`no such file: ${uri.path}`);
    return open;
  },
  registerTextDocumentContentProvider: (scheme: string, given: { provideTextDocumentContent(uri: Uri): string }) => {
    stub.contents.set(scheme, given);
    return counted("registrations", () => stub.contents.delete(scheme));
  },
  createFileSystemWatcher: () => ({
    onDidChange: stub.watched.event,
    onDidCreate: stub.watched.event,
    onDidDelete: stub.watched.event,
    ...counted("registrations", () => undefined),
  }),
  fs: {
    isWritableFileSystem: (scheme: string): boolean | undefined =>
      scheme === "file" ? true : scheme === "git" ? false : undefined,
    readFile: readBytes,
    stat: async (uri: Uri) => {
      const type = stub.fileTypes.get(uri.toString()) ?? FileType.File;
      const size = (type & FileType.File) === 0 ? 0 : (await readBytes(uri)).length;
      return { type, mtime: stub.written.get(uri.toString()) ?? 0, size };
    },
    readDirectory: async (uri: Uri): Promise<[string, number][]> => {
      const prefix = `${uri.toString()}/`;
      const names = [...stub.files.keys()]
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length));
      const own = names.filter((name) => !name.includes("/"));
      return (own.length > 0 ? own : await readdir(uri.fsPath)).map((name) => [name, 1]);
    },
    writeFile: async (uri: Uri, data: Uint8Array) => {
      stub.files.set(uri.toString(), data);
    },
  },
};

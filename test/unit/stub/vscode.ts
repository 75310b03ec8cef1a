/**
 * As much of VS Code as the host uses, in memory: enough to activate the extension in plain Node, to drive it,
 * and to count what it leaves behind. Aliased to `vscode` in the tests.
 */
import { readdir, readFile } from "node:fs/promises";
import { URI as Uri, Utils } from "vscode-uri";

export { Uri };

interface Disposable {
  dispose(): void;
}

const live = { listeners: 0, registrations: 0 };

function counted(kind: keyof typeof live, release: () => void): Disposable {
  live[kind]++;
  let done = false;
  return {
    dispose: () => {
      if (done) return;
      done = true;
      live[kind]--;
      release();
    },
  };
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event = (listener: (value: T) => unknown): Disposable => {
    const own = (value: T) => listener(value);
    this.#listeners.add(own);
    return counted("listeners", () => this.#listeners.delete(own));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number) {
    this.start = new Position(startLine, startCharacter);
    this.end = new Position(endLine, endCharacter);
  }
}

export class Selection extends Range {
  constructor(start: Position, end: Position) {
    super(start.line, start.character, end.line, end.character);
  }
}

export class NotebookRange {
  readonly start: number;
  readonly end: number;

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

export const NotebookEditorRevealType = { InCenterIfOutsideViewport: 2 } as const;

/** What a tab shows that is a page; VS Code puts a word of its own before the type. */
export class TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = `mainThreadWebview-${viewType}`;
  }
}

/** What a tab shows whose editor an extension draws. */
export class TabInputCustom {
  readonly uri: Uri;

  constructor(uri: Uri) {
    this.uri = uri;
  }
}

export class MarkdownString {
  value: string;
  isTrusted: boolean | { readonly enabledCommands: readonly string[] } | undefined;
  supportHtml: boolean | undefined;

  constructor(value = "") {
    this.value = value;
  }
}

export class Hover {
  readonly contents: readonly MarkdownString[];
  readonly range: Range | undefined;

  constructor(contents: MarkdownString | MarkdownString[], range?: Range) {
    this.contents = Array.isArray(contents) ? contents : [contents];
    this.range = range;
  }
}

export const CompletionItemKind = { Property: 9, Value: 11, Snippet: 26 } as const;

export class SnippetString {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class CompletionItem {
  readonly label: { readonly label: string; readonly description: string };
  readonly kind: number;
  detail: string | undefined;
  documentation: string | undefined;
  insertText: SnippetString | undefined;
  range: Range | undefined;
  filterText: string | undefined;
  sortText: string | undefined;

  constructor(label: CompletionItem["label"], kind: number) {
    this.label = label;
    this.kind = kind;
  }
}

export class CodeLens {
  readonly range: Range;
  readonly command: { readonly title: string; readonly command: string; readonly arguments?: unknown[] } | undefined;

  constructor(range: Range, command?: CodeLens["command"]) {
    this.range = range;
    this.command = command;
  }
}

export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: number;
  source: string | undefined;
  relatedInformation: readonly DiagnosticRelatedInformation[] | undefined;
  code: string | number | { readonly value: string; readonly target: Uri } | undefined;

  constructor(range: Range, message: string, severity = 0) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export class CodeActionKind {
  static readonly QuickFix = new CodeActionKind("quickfix");
  static readonly SourceFixAll = new CodeActionKind("source.fixAll");
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  append(part: string): CodeActionKind {
    return new CodeActionKind(`${this.value}.${part}`);
  }

  contains(other: CodeActionKind): boolean {
    return other.value === this.value || other.value.startsWith(`${this.value}.`);
  }
}

export const CodeActionTriggerKind = { Invoke: 1, Automatic: 2 } as const;

export class CodeAction {
  readonly title: string;
  readonly kind: CodeActionKind;
  edit: WorkspaceEdit | undefined;
  command: { readonly command: string; readonly arguments: unknown[] } | undefined;

  constructor(title: string, kind: CodeActionKind) {
    this.title = title;
    this.kind = kind;
  }
}

export class WorkspaceEdit {
  readonly replaced: { readonly uri: Uri; readonly range: Range; readonly text: string }[] = [];

  replace(uri: Uri, range: Range, text: string): void {
    this.replaced.push({ uri, range, text });
  }
}

export class Location {
  readonly uri: Uri;
  readonly range: Range;

  constructor(uri: Uri, range: Range) {
    this.uri = uri;
    this.range = range;
  }
}

export class DiagnosticRelatedInformation {
  readonly location: Location;
  readonly message: string;

  constructor(location: Location, message: string) {
    this.location = location;
    this.message = message;
  }
}

export class RelativePattern {
  readonly baseUri: Uri;
  readonly pattern: string;

  constructor(base: Uri, pattern: string) {
    this.baseUri = base;
    this.pattern = pattern;
  }
}

export const ViewColumn = { Beside: -2, Active: -1, One: 1 } as const;
export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;
  description: string | undefined;
  tooltip: string | undefined;
  iconPath: ThemeIcon | undefined;
  contextValue: string | undefined;
  command: { readonly command: string; readonly arguments: unknown[] } | undefined;

  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  static readonly Folder = new ThemeIcon("folder");
  readonly id: string;
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }
}

export class CancellationError extends Error {}

interface CustomEditors {
  openCustomDocument(uri: Uri): { readonly uri: Uri };
  resolveCustomEditor(document: { readonly uri: Uri }, panel: Panel): Promise<void>;
}

interface TreeProvider {
  onDidChangeTreeData(listener: (changed: readonly unknown[] | undefined) => unknown): Disposable;
  getTreeItem(node: unknown): TreeItem | Promise<TreeItem>;
  getChildren(node?: unknown): Promise<unknown[]>;
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const;
export const ColorThemeKind = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 } as const;

interface StubNotebook {
  readonly uri: Uri;
  readonly version: number;
  readonly isClosed: boolean;
  readonly cellCount: number;
  cellAt(index: number): { readonly document: StubDocument | undefined };
  getCells(): { readonly document: StubDocument }[];
}

export interface StubDocument {
  readonly uri: Uri;
  readonly languageId: string;
  version: number;
  isClosed: boolean;
  text: string;
  getText(range?: Range): string;
  offsetAt(position: Position): number;
  positionAt(offset: number): Position;
}

interface Panel {
  readonly viewType: string;
  title: string;
  readonly webview: {
    html: string;
    options: unknown;
    readonly cspSource: string;
    readonly posted: unknown[];
    asWebviewUri(uri: Uri): Uri;
    postMessage(message: unknown): Promise<boolean>;
    onDidReceiveMessage(listener: (message: unknown) => unknown): Disposable;
  };
  readonly messages: EventEmitter<unknown>;
  readonly revealed: boolean[];
  onDidDispose(listener: () => unknown): Disposable;
  reveal(column: number | undefined, preserveFocus: boolean): void;
  dispose(): void;
}

interface View {
  visible: boolean;
  title?: string;
  description?: string;
  readonly webview: Panel["webview"];
  readonly messages: EventEmitter<unknown>;
  readonly shows: EventEmitter<void>;
  readonly onDidChangeVisibility: EventEmitter<void>["event"];
  onDidDispose(listener: () => unknown): Disposable;
  dispose(): void;
}

interface Editor {
  readonly document: StubDocument;
  selection: { active: Position };
  revealRange(): void;
}

interface StatusItem extends Disposable {
  readonly id: string;
  visible: boolean;
  text: string;
  tooltip?: string;
  command?: { readonly command: string; readonly arguments: unknown[] };
  accessibilityInformation?: { readonly label: string };
  show(): void;
  hide(): void;
}

const changedText = new EventEmitter<{ document: StubDocument }>();
const openedText = new EventEmitter<StubDocument>();
const closedText = new EventEmitter<StubDocument>();
const changedEditor = new EventEmitter<unknown>();
const changedSelection = new EventEmitter<{ textEditor: Editor }>();
const changedNotebook = new EventEmitter<unknown>();
const changedTabs = new EventEmitter<void>();
const changedVisible = new EventEmitter<void>();
const changedFolders = new EventEmitter<void>();
const changedSettings = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();

/** What tests read and set; `reset` makes a fresh editor. */
export const stub = {
  live,
  settings: new Map<string, unknown>(),
  files: new Map<string, Uint8Array>(),
  /** Times of the files, where they matter. */
  written: new Map<string, number>(),
  documents: [] as StubDocument[],
  handlers: new Map<string, (...given: unknown[]) => unknown>(),
  contexts: new Map<string, unknown>(),
  errors: [] as string[],
  log: [] as string[],
  panels: [] as Panel[],
  diagnostics: new Map<string, readonly Diagnostic[]>(),
  hovers: [] as { provideHover(document: unknown, position: Position, token: unknown): unknown }[],
  completions: [] as {
    provideCompletionItems(
      document: unknown,
      position: Position,
      token: unknown,
    ): Promise<CompletionItem[] | undefined>;
  }[],
  lenses: [] as { provideCodeLenses(document: unknown, token: unknown): unknown }[],
  trees: new Map<
    string,
    { readonly provider: TreeProvider; message?: string; badge?: { readonly value: number; readonly tooltip: string } }
  >(),
  /** Views with pages, by id; `openView` shows one. */
  pageViews: new Map<string, { resolveWebviewView(view: unknown): Promise<void> }>(),
  progress: [] as unknown[],
  statusItems: [] as StatusItem[],
  codeActions: [] as {
    provideCodeActions(document: unknown, range: Range, context: object, token: unknown): Promise<CodeAction[]>;
  }[],
  customEditors: new Map<string, CustomEditors>(),
  serializers: new Map<string, { deserializeWebviewPanel(panel: unknown, state: unknown): Promise<void> }>(),
  /** Edits of the workspace are not taken. */
  readOnly: false,
  uriHandler: undefined as { handleUri(uri: Uri): Promise<void> } | undefined,
  shown: [] as { document: StubDocument; options: unknown }[],
  /** Answers of the next dialogs. */
  pick: undefined as ((items: readonly unknown[]) => unknown) | undefined,
  saveTo: undefined as Uri | undefined,
  saveSuggestions: [] as string[],
  themeKind: 2 as number,
  found: [] as Uri[],
  clipboard: "",
  contents: new Map<string, { provideTextDocumentContent(uri: Uri): string }>(),
  extensions: new Map<string, { activate(): Promise<unknown> }>(),
  watched: new EventEmitter<Uri>(),

  reset(): void {
    for (const map of [
      stub.settings,
      stub.files,
      stub.written,
      stub.handlers,
      stub.contexts,
      stub.diagnostics,
      stub.serializers,
      stub.customEditors,
    ])
      map.clear();
    for (const list of [
      stub.documents,
      stub.errors,
      stub.log,
      stub.panels,
      stub.hovers,
      stub.lenses,
      stub.completions,
      stub.codeActions,
      stub.statusItems,
      stub.progress,
      stub.shown,
      stub.found,
      stub.saveSuggestions,
    ]) {
      list.splice(0);
    }
    workspace.notebookDocuments.splice(0);
    stub.pick = undefined;
    stub.saveTo = undefined;
    stub.readOnly = false;
    stub.clipboard = "";
    stub.extensions.clear();
    stub.themeKind = ColorThemeKind.Dark;
    window.activeTextEditor = undefined;
    window.visibleTextEditors = [];
    window.visibleNotebookEditors = [];
    window.activeNotebookEditor = undefined;
    window.tabGroups.activeTabGroup.activeTab = undefined;
    window.tabGroups.all[0]?.tabs.splice(0);
  },
  open(path: string | Uri, languageId: string, text: string): StubDocument {
    const document: StubDocument = {
      uri: typeof path === "string" ? Uri.file(path) : path,
      languageId,
      version: 1,
      isClosed: false,
      text,
      getText: (range) =>
        range === undefined
          ? document.text
          : document.text.slice(document.offsetAt(range.start), document.offsetAt(range.end)),
      offsetAt: ({ line, character }) => {
        const before = document.text.split("\n").slice(0, line);
        return before.reduce((offset, { length }) => offset + length + 1, 0) + character;
      },
      positionAt: (offset) => {
        const before = document.text.slice(0, offset).split("\n");
        return new Position(before.length - 1, before.at(-1)?.length ?? 0);
      },
    };
    stub.documents.push(document);
    openedText.fire(document);
    return document;
  },
  edit(document: StubDocument, text: string): void {
    document.text = text;
    document.version++;
    changedText.fire({ document });
  },
  close(document: StubDocument): void {
    document.isClosed = true;
    stub.documents.splice(stub.documents.indexOf(document), 1);
    closedText.fire(document);
  },
  activate(document: StubDocument | undefined): void {
    window.activeTextEditor = document === undefined ? undefined : editorOf(document);
    changedEditor.fire(window.activeTextEditor);
  },
  /** Puts the cursor of the active editor at a place, from 0. */
  moveTo(line: number, character: number): void {
    const textEditor = window.activeTextEditor;
    if (textEditor === undefined) throw new Error("no editor is active");
    textEditor.selection = { active: new Position(line, character) };
    changedSelection.fire({ textEditor });
  },
  /** Brings a tab to the front whose editor an extension draws. */
  showTab(input: unknown, label = ""): void {
    window.activeTextEditor = undefined;
    window.tabGroups.activeTabGroup.activeTab = { input, label };
    changedTabs.fire();
  },
  /** Chooses a cell of a notebook without editing it. */
  chooseCell(cells: StubDocument[], index: number): void {
    window.activeTextEditor = undefined;
    const open = workspace.notebookDocuments.find((one) =>
      one.getCells().every(({ document }, n) => document === cells[n]),
    );
    const notebook = open ?? stub.notebook(cells);
    window.activeNotebookEditor = {
      notebook,
      selection: new NotebookRange(index, index + 1),
      revealRange: () => undefined,
    };
    changedNotebook.fire(window.activeNotebookEditor);
  },
  /** Shows a view as VS Code does when it is first looked at. */
  async openView(id: string): Promise<View> {
    const view = makeView();
    await stub.pageViews.get(id)?.resolveWebviewView(view);
    return view;
  },
  /** What editors, and what notebooks, show from now on. */
  show(documents: StubDocument[], cells: StubDocument[] = []): void {
    window.visibleTextEditors = documents.map(editorOf);
    const notebook = cells.length === 0 ? undefined : stub.notebook(cells);
    window.visibleNotebookEditors = notebook === undefined ? [] : [{ notebook }];
    changedVisible.fire();
  },
  /** An open notebook of cells, each with the notebook's own path. */
  notebook(cells: StubDocument[]): StubNotebook {
    const uri = Uri.file(cells[0]?.uri.path ?? "/workspace/a.ipynb");
    const notebook: StubNotebook = {
      uri,
      get version() {
        return cells.reduce((sum, { version }) => sum + version, 0);
      },
      isClosed: false,
      cellCount: cells.length,
      cellAt: (index) => ({ document: cells[index] }),
      getCells: () => cells.map((document) => ({ document })),
    };
    workspace.notebookDocuments.push(notebook);
    return notebook;
  },
  set(name: string, value: unknown): void {
    stub.settings.set(name, value);
    changedSettings.fire({ affectsConfiguration: (section) => name.startsWith(section) });
  },
  panel(viewType: string): Panel {
    return makePanel(viewType, "");
  },
};

function editorOf(document: StubDocument): Editor {
  return { document, selection: { active: new Position(0, 0) }, revealRange: () => undefined };
}

function makeWebview(): Pick<Panel, "webview" | "messages"> {
  const messages = new EventEmitter<unknown>();
  const webview: Panel["webview"] = {
    html: "",
    options: {},
    cspSource: "https://*.vscode-cdn.example",
    posted: [],
    asWebviewUri: (uri) => uri.with({ scheme: "https", authority: "cdn.example" }),
    postMessage: async (message) => webview.posted.push(structuredClone(message)) > 0,
    onDidReceiveMessage: messages.event,
  };
  return { webview, messages };
}

function makeView(): View {
  const shows = new EventEmitter<void>();
  const disposed = new EventEmitter<void>();
  return {
    ...makeWebview(),
    visible: true,
    shows,
    onDidChangeVisibility: shows.event,
    onDidDispose: disposed.event,
    dispose: () => disposed.fire(),
  };
}

function makePanel(viewType: string, title: string): Panel {
  const disposed = new EventEmitter<void>();
  const panel: Panel = {
    ...makeWebview(),
    viewType,
    title,
    revealed: [],
    onDidDispose: disposed.event,
    reveal: (_, preserveFocus) => panel.revealed.push(preserveFocus),
    dispose: () => {
      const at = stub.panels.indexOf(panel);
      if (at < 0) return;
      stub.panels.splice(at, 1);
      disposed.fire();
    },
  };
  stub.panels.push(panel);
  return panel;
}

function logChannel() {
  const write =
    (level: string) =>
    (...parts: unknown[]) => {
      stub.log.push([level, ...parts].map(String).join(" "));
    };
  return {
    ...counted("registrations", () => undefined),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    debug: write("debug"),
    show: () => undefined,
  };
}

function provider<T>(list: T[], given: T): Disposable {
  list.push(given);
  return counted("registrations", () => list.splice(list.indexOf(given), 1));
}

export const window = {
  activeTextEditor: undefined as Editor | undefined,
  visibleTextEditors: [] as Editor[],
  activeNotebookEditor: undefined as unknown,
  tabGroups: {
    all: [{ tabs: [] as { readonly input: unknown }[] }],
    activeTabGroup: { activeTab: undefined as { readonly input: unknown; readonly label: string } | undefined },
    onDidChangeTabs: changedTabs.event,
  },
  onDidChangeTextEditorSelection: changedSelection.event,
  onDidChangeActiveNotebookEditor: changedNotebook.event,
  onDidChangeNotebookEditorSelection: changedNotebook.event,
  registerWebviewViewProvider: (id: string, given: never) => {
    stub.pageViews.set(id, given);
    return counted("registrations", () => stub.pageViews.delete(id));
  },
  visibleNotebookEditors: [] as { notebook: StubNotebook }[],
  onDidChangeVisibleTextEditors: changedVisible.event,
  onDidChangeVisibleNotebookEditors: changedVisible.event,
  get activeColorTheme() {
    return { kind: stub.themeKind };
  },
  onDidChangeActiveTextEditor: changedEditor.event,
  createStatusBarItem: (id: string): StatusItem => {
    const item: StatusItem = {
      id,
      visible: false,
      text: "",
      show: () => (item.visible = true),
      hide: () => (item.visible = false),
      ...counted("registrations", () => stub.statusItems.splice(stub.statusItems.indexOf(item), 1)),
    };
    stub.statusItems.push(item);
    return item;
  },
  createTreeView: (id: string, { treeDataProvider }: { treeDataProvider: TreeProvider }) => {
    const view = { provider: treeDataProvider, ...counted("registrations", () => stub.trees.delete(id)) };
    stub.trees.set(id, view);
    return view;
  },
  registerTreeDataProvider: (id: string, given: TreeProvider) => {
    stub.trees.set(id, { provider: given });
    return counted("registrations", () => stub.trees.delete(id));
  },
  withProgress: <T>(
    options: { readonly location: unknown },
    task: (progress: { report(step: { message?: string }): void }) => Promise<T>,
  ): Promise<T> => {
    stub.progress.push(options.location);
    return task({ report: ({ message }) => stub.progress.push(message) });
  },
  createOutputChannel: logChannel,
  createWebviewPanel: (viewType: string, title: string) => makePanel(viewType, title),
  registerUriHandler: (handler: { handleUri(uri: Uri): Promise<void> }) => {
    stub.uriHandler = handler;
    return counted("registrations", () => (stub.uriHandler = undefined));
  },
  registerCustomEditorProvider: (viewType: string, given: CustomEditors) => {
    stub.customEditors.set(viewType, given);
    return counted("registrations", () => stub.customEditors.delete(viewType));
  },
  registerWebviewPanelSerializer: (viewType: string, serializer: never) => {
    stub.serializers.set(viewType, serializer);
    return counted("registrations", () => stub.serializers.delete(viewType));
  },
  showErrorMessage: async (message: string) => {
    stub.errors.push(message);
  },
  showQuickPick: async (items: readonly unknown[]) => stub.pick?.(items),
  showSaveDialog: async ({ defaultUri }: { defaultUri?: Uri }) => {
    stub.saveSuggestions.push(defaultUri?.path ?? "");
    return stub.saveTo;
  },
  /** The cell that is asked for gets an editor, as one does that comes on screen. */
  showNotebookDocument: async (notebook: StubNotebook, { selections: [cell] }: { selections: NotebookRange[] }) => {
    const cells = notebook.getCells().map(({ document }) => document);
    stub.chooseCell(cells, cell?.start ?? 0);
    window.visibleTextEditors = cells.slice(cell?.start, cell?.end).map(editorOf);
    return window.activeNotebookEditor;
  },
  showTextDocument: async (document: StubDocument, options: unknown) => {
    stub.shown.push({ document, options });
    return editorOf(document);
  },
};

export const workspace = {
  notebookDocuments: [] as StubNotebook[],
  workspaceFolders: [{ uri: Uri.file("/workspace"), name: "workspace", index: 0 }],
  textDocuments: stub.documents,
  onDidChangeTextDocument: changedText.event,
  onDidOpenTextDocument: openedText.event,
  onDidCloseTextDocument: closedText.event,
  onDidChangeConfiguration: changedSettings.event,
  onDidChangeWorkspaceFolders: changedFolders.event,
  getWorkspaceFolder: (uri: Uri) =>
    workspace.workspaceFolders.find((folder) => uri.path.startsWith(`${folder.uri.path}/`)),
  getConfiguration: (section: string) => ({
    get: (name: string) => stub.settings.get(`${section}.${name}`),
    inspect: (name: string) => ({ workspaceValue: stub.settings.get(`${section}.${name}`) }),
    update: async (name: string, value: unknown) => stub.set(`${section}.${name}`, value),
  }),
  asRelativePath: (uri: Uri) => uri.path.replace(/^\/workspace\//, ""),
  findFiles: async () => stub.found,
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
    readFile: async (uri: Uri) => stub.files.get(uri.toString()) ?? readFile(uri.fsPath),
    stat: async (uri: Uri) => {
      const data = stub.files.get(uri.toString()) ?? (await readFile(uri.fsPath));
      return { mtime: stub.written.get(uri.toString()) ?? 0, size: data.length };
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

export const languages = {
  match: (selector: readonly { language: string }[], document: StubDocument) =>
    selector.some(({ language }) => language === document.languageId) ? 10 : 0,
  registerHoverProvider: (_: unknown, given: (typeof stub.hovers)[number]) => provider(stub.hovers, given),
  registerCompletionItemProvider: (_: unknown, given: (typeof stub.completions)[number]) =>
    provider(stub.completions, given),
  registerCodeLensProvider: (_: unknown, given: (typeof stub.lenses)[number]) => provider(stub.lenses, given),
  registerCodeActionsProvider: (_: unknown, given: (typeof stub.codeActions)[number]) =>
    provider(stub.codeActions, given),
  createDiagnosticCollection: () => ({
    set: (uri: Uri, diagnostics: readonly Diagnostic[]) => stub.diagnostics.set(uri.toString(), diagnostics),
    delete: (uri: Uri) => stub.diagnostics.delete(uri.toString()),
    clear: () => stub.diagnostics.clear(),
    ...counted("registrations", () => stub.diagnostics.clear()),
  }),
};

export const commands = {
  registerCommand: (id: string, handler: (...given: unknown[]) => unknown) => {
    if (stub.handlers.has(id)) throw new Error(`command ${id} is registered twice`);
    stub.handlers.set(id, handler);
    return counted("registrations", () => stub.handlers.delete(id));
  },
  executeCommand: async (id: string, ...given: unknown[]) => {
    if (id === "setContext") stub.contexts.set(String(given[0]), given[1]);
    else return stub.handlers.get(id)?.(...given);
    return undefined;
  },
};

export const ProgressLocation = { Window: 10, Notification: 15 } as const;

export const env = {
  language: "en",
  uriScheme: "vscode",
  clipboard: { readText: async () => stub.clipboard, writeText: async (text: string) => (stub.clipboard = text) },
};

export const extensions = { getExtension: (id: string) => stub.extensions.get(id) };

Object.assign(Uri, { joinPath: Utils.joinPath });

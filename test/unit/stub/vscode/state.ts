import type { URI as Uri } from "vscode-uri";
import { EventEmitter, live } from "./events.ts";
import type { CustomEditors, Editor, Panel, StatusItem, StubDocument, StubNotebook, TreeProvider } from "./shapes.ts";
import type { CodeAction, CompletionItem, Diagnostic, Position, Range } from "./types.ts";

/** What the stub fires when a test changes something. */
export const events = {
  changedText: new EventEmitter<{ document: StubDocument }>(),
  openedText: new EventEmitter<StubDocument>(),
  closedText: new EventEmitter<StubDocument>(),
  changedEditor: new EventEmitter<unknown>(),
  changedSelection: new EventEmitter<{ textEditor: Editor }>(),
  changedNotebook: new EventEmitter<unknown>(),
  changedTabs: new EventEmitter<void>(),
  changedVisible: new EventEmitter<void>(),
  changedFolders: new EventEmitter<void>(),
  changedSettings: new EventEmitter<{ affectsConfiguration(section: string): boolean }>(),
};

/** What is on screen. */
export const screen = {
  activeTextEditor: undefined as Editor | undefined,
  visibleTextEditors: [] as Editor[],
  activeNotebookEditor: undefined as unknown,
  visibleNotebookEditors: [] as { notebook: StubNotebook }[],
  activeTab: undefined as { readonly input: unknown; readonly label: string } | undefined,
  tabs: [] as { readonly input: unknown }[],
  notebooks: [] as StubNotebook[],
};

/** What the extension registered, and what tests read and set. */
export const state = {
  live,
  settings: new Map<string, unknown>(),
  files: new Map<string, Uint8Array>(),
  /** Modification times of `files`. */
  written: new Map<string, number>(),
  /** Types of the files that are not regular ones. */
  fileTypes: new Map<string, number>(),
  /** Files and folders that cannot be read, with the code of the error. */
  unreadable: new Map<string, string>(),
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
  /** Views with pages by id. */
  pageViews: new Map<string, { resolveWebviewView(view: unknown): Promise<void> }>(),
  progress: [] as unknown[],
  statusItems: [] as StatusItem[],
  codeActions: [] as {
    provideCodeActions(document: unknown, range: Range, context: object, token: unknown): Promise<CodeAction[]>;
  }[],
  customEditors: new Map<string, CustomEditors>(),
  serializers: new Map<string, { deserializeWebviewPanel(panel: unknown, state: unknown): Promise<void> }>(),
  /** Whether edits of the workspace are rejected. */
  readOnly: false,
  /** Whether the workspace is trusted. */
  trusted: true,
  /** What happens while an editor is being shown. */
  whileShowing: undefined as (() => void) | undefined,
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
};

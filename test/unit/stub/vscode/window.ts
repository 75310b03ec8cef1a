import type { URI as Uri } from "vscode-uri";
import { editorOf, stub } from "./control.ts";
import { counted } from "./events.ts";
import type { CustomEditors, StatusItem, StubDocument, StubNotebook, TreeProvider } from "./shapes.ts";
import { events, screen } from "./state.ts";
import type { NotebookRange } from "./types.ts";
import { makePanel } from "./webviews.ts";

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

export const window = {
  get activeTextEditor() {
    return screen.activeTextEditor;
  },
  get visibleTextEditors() {
    return screen.visibleTextEditors;
  },
  get activeNotebookEditor() {
    return screen.activeNotebookEditor;
  },
  get visibleNotebookEditors() {
    return screen.visibleNotebookEditors;
  },
  tabGroups: {
    all: [{ tabs: screen.tabs }],
    activeTabGroup: {
      get activeTab() {
        return screen.activeTab;
      },
    },
    onDidChangeTabs: events.changedTabs.event,
  },
  onDidChangeTextEditorSelection: events.changedSelection.event,
  onDidChangeActiveNotebookEditor: events.changedNotebook.event,
  onDidChangeNotebookEditorSelection: events.changedNotebook.event,
  registerWebviewViewProvider: (id: string, given: never) => {
    stub.pageViews.set(id, given);
    return counted("registrations", () => stub.pageViews.delete(id));
  },
  onDidChangeVisibleTextEditors: events.changedVisible.event,
  onDidChangeVisibleNotebookEditors: events.changedVisible.event,
  get activeColorTheme() {
    return { kind: stub.themeKind };
  },
  onDidChangeActiveTextEditor: events.changedEditor.event,
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
  /** Selects a cell and gives it a visible editor. */
  showNotebookDocument: async (notebook: StubNotebook, { selections: [cell] }: { selections: NotebookRange[] }) => {
    const cells = notebook.getCells().map(({ document }) => document);
    stub.chooseCell(cells, cell?.start ?? 0);
    screen.visibleTextEditors = cells.slice(cell?.start, cell?.end).map(editorOf);
    return screen.activeNotebookEditor;
  },
  showTextDocument: async (document: StubDocument, options: unknown) => {
    stub.shown.push({ document, options });
    stub.whileShowing?.();
    return editorOf(document);
  },
};

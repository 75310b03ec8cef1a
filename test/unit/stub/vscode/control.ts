import { URI as Uri } from "vscode-uri";
import { ColorThemeKind } from "./enums.ts";
import type { Editor, Panel, StubDocument, StubNotebook, View } from "./shapes.ts";
import { events, screen, state } from "./state.ts";
import { NotebookRange, Position } from "./types.ts";
import { makePanel, makeView } from "./webviews.ts";

export function editorOf(document: StubDocument): Editor {
  return { document, selection: { active: new Position(0, 0) }, revealRange: () => undefined };
}

const controls = {
  reset(): void {
    for (const map of [
      state.settings,
      state.files,
      state.written,
      state.fileTypes,
      state.unreadable,
      state.handlers,
      state.contexts,
      state.diagnostics,
      state.serializers,
      state.customEditors,
    ])
      map.clear();
    for (const list of [
      state.documents,
      state.errors,
      state.log,
      state.panels,
      state.hovers,
      state.lenses,
      state.completions,
      state.codeActions,
      state.statusItems,
      state.progress,
      state.shown,
      state.found,
      state.saveSuggestions,
    ]) {
      list.splice(0);
    }
    screen.notebooks.splice(0);
    state.pick = undefined;
    state.saveTo = undefined;
    state.readOnly = false;
    state.trusted = true;
    state.whileShowing = undefined;
    state.clipboard = "";
    state.extensions.clear();
    state.themeKind = ColorThemeKind.Dark;
    screen.activeTextEditor = undefined;
    screen.visibleTextEditors = [];
    screen.visibleNotebookEditors = [];
    screen.activeNotebookEditor = undefined;
    screen.activeTab = undefined;
    screen.tabs.splice(0);
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
    state.documents.push(document);
    events.openedText.fire(document);
    return document;
  },
  edit(document: StubDocument, text: string): void {
    document.text = text;
    document.version++;
    events.changedText.fire({ document });
  },
  close(document: StubDocument): void {
    document.isClosed = true;
    state.documents.splice(state.documents.indexOf(document), 1);
    events.closedText.fire(document);
  },
  activate(document: StubDocument | undefined): void {
    screen.activeTextEditor = document === undefined ? undefined : editorOf(document);
    events.changedEditor.fire(screen.activeTextEditor);
  },
  /** Moves the cursor of the active editor. Lines and characters count from 0. */
  moveTo(line: number, character: number): void {
    const textEditor = screen.activeTextEditor;
    if (textEditor === undefined) throw new Error("no editor is active");
    textEditor.selection = { active: new Position(line, character) };
    events.changedSelection.fire({ textEditor });
  },
  /** Shows a tab with a custom editor or a webview. */
  showTab(input: unknown, label = ""): void {
    screen.activeTextEditor = undefined;
    screen.activeTab = { input, label };
    events.changedTabs.fire();
  },
  /** Selects a cell of a notebook without editing it. */
  chooseCell(cells: StubDocument[], index: number): void {
    screen.activeTextEditor = undefined;
    const open = screen.notebooks.find((one) => one.getCells().every(({ document }, n) => document === cells[n]));
    const notebook = open ?? stub.notebook(cells);
    screen.activeNotebookEditor = {
      notebook,
      selection: new NotebookRange(index, index + 1),
      revealRange: () => undefined,
    };
    events.changedNotebook.fire(screen.activeNotebookEditor);
  },
  /** Shows a view with a page for the first time. */
  async openView(id: string): Promise<View> {
    const view = makeView();
    await state.pageViews.get(id)?.resolveWebviewView(view);
    return view;
  },
  /** Sets the visible editors, and the visible notebook by its cells. */
  show(documents: StubDocument[], cells: StubDocument[] = []): void {
    screen.visibleTextEditors = documents.map(editorOf);
    const notebook = cells.length === 0 ? undefined : stub.notebook(cells);
    screen.visibleNotebookEditors = notebook === undefined ? [] : [{ notebook }];
    events.changedVisible.fire();
  },
  /** Opens a notebook with the path of its first cell. */
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
    screen.notebooks.push(notebook);
    return notebook;
  },
  set(name: string, value: unknown): void {
    state.settings.set(name, value);
    events.changedSettings.fire({ affectsConfiguration: (section) => name.startsWith(section) });
  },
  panel(viewType: string): Panel {
    return makePanel(viewType, "");
  },
};

/** The editor that a test drives: its state, and the actions of a user. `reset` starts a fresh editor. */
export const stub = Object.assign(state, controls);

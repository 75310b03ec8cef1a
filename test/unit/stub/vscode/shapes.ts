import type { URI as Uri } from "vscode-uri";
import type { Disposable, EventEmitter } from "./events.ts";
import type { Position, Range, TreeItem } from "./types.ts";

export interface CustomEditors {
  openCustomDocument(uri: Uri): { readonly uri: Uri };
  resolveCustomEditor(document: { readonly uri: Uri }, panel: Panel): Promise<void>;
}

export interface TreeProvider {
  onDidChangeTreeData(listener: (changed: readonly unknown[] | undefined) => unknown): Disposable;
  getTreeItem(node: unknown): TreeItem | Promise<TreeItem>;
  getChildren(node?: unknown): Promise<unknown[]>;
}

export interface StubNotebook {
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

export interface Panel {
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

export interface View {
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

export interface Editor {
  readonly document: StubDocument;
  selection: { active: Position };
  revealRange(): void;
}

export interface StatusItem extends Disposable {
  readonly id: string;
  visible: boolean;
  text: string;
  tooltip?: string;
  command?: { readonly command: string; readonly arguments: unknown[] };
  accessibilityInformation?: { readonly label: string };
  show(): void;
  hide(): void;
}

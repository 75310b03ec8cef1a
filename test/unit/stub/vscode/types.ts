import type { URI as Uri } from "vscode-uri";

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

/** Input of a tab with a webview. VS Code prefixes the type. */
export class TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = `mainThreadWebview-${viewType}`;
  }
}

/** Input of a tab with a custom editor. */
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

export class CodeAction {
  readonly title: string;
  readonly kind: CodeActionKind;
  edit: WorkspaceEdit | undefined;
  command: { readonly command: string; readonly arguments: unknown[] } | undefined;
  isPreferred: boolean | undefined;

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

export class FileSystemError extends Error {
  readonly code: string;

  constructor(code: string, path: string) {
    super(`${code} (FileSystemError): ${path}`);
    this.code = code;
  }
}

// Constants of the API, with the numbers that VS Code has.
export const NotebookEditorRevealType = { InCenterIfOutsideViewport: 2 } as const;
export const CompletionItemKind = { Property: 9, Value: 11, Snippet: 26 } as const;
export const CodeActionTriggerKind = { Invoke: 1, Automatic: 2 } as const;
export const ViewColumn = { Beside: -2, Active: -1, One: 1 } as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const;
export const ColorThemeKind = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 } as const;

export const ProgressLocation = { Window: 10, Notification: 15 } as const;
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;

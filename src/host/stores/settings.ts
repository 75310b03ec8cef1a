import * as vscode from "vscode";

const SECTION = "posenc";

/** Names below `posenc.`, as package.json contributes them. */
export interface SettingValues {
  readonly language: string;
  readonly "hover.sections": string;
  readonly "codeLens.enabled": boolean;
  readonly "python.diagnostics": boolean;
  readonly "python.codeLens": boolean;
  /** Severity by rule, as `.posenc.json` has them too. */
  readonly rules: Readonly<Record<string, unknown>>;
}

/** The same defaults that package.json gives; the manifest test compares them. */
export const DEFAULT_SETTINGS: SettingValues = {
  language: "auto",
  "hover.sections": "full",
  "codeLens.enabled": true,
  "python.diagnostics": true,
  "python.codeLens": false,
  rules: {},
};

/** The user's settings, read at use, so that they hold from the moment they change. */
export class Settings implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#listening = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION)) this.#changed.fire();
    });
  }

  /** A value of the wrong type, as a hand-edited settings.json may hold, counts as not set. */
  get<Name extends keyof SettingValues>(name: Name): SettingValues[Name] {
    const fallback = DEFAULT_SETTINGS[name];
    const value: unknown = vscode.workspace.getConfiguration(SECTION).get(name);
    return isLike(value, fallback) ? value : fallback;
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}

function isLike<T>(value: unknown, sample: T): value is T {
  return typeof value === typeof sample && value !== null && !Array.isArray(value);
}

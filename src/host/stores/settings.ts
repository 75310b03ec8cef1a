import * as vscode from "vscode";

const SECTION = "posenc";

/** Settings under `posenc.`, as in package.json. */
export interface SettingValues {
  readonly language: string;
  readonly "hover.sections": string;
  readonly "codeLens.enabled": boolean;
  readonly "python.diagnostics": boolean;
  readonly "python.codeLens": boolean;
  /** Severity by rule, as in `.posenc.json`. */
  readonly rules: Readonly<Record<string, unknown>>;
}

/** The defaults of package.json; the manifest test compares them. */
export const DEFAULT_SETTINGS: SettingValues = {
  language: "auto",
  "hover.sections": "full",
  "codeLens.enabled": true,
  "python.diagnostics": true,
  "python.codeLens": false,
  rules: {},
};

/** The user's settings. Values are read on use, so that changes apply at once. */
export class Settings implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION)) this.#changed.fire();
    });
  }

  /** A value of the wrong type (settings.json may be edited by hand) counts as unset. */
  get<Name extends keyof SettingValues>(name: Name): SettingValues[Name] {
    const fallback = DEFAULT_SETTINGS[name];
    const value: unknown = vscode.workspace.getConfiguration(SECTION).get(name);
    return hasTypeOf(value, fallback) ? value : fallback;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

function hasTypeOf<T>(value: unknown, sample: T): value is T {
  return typeof value === typeof sample && value !== null && !Array.isArray(value);
}

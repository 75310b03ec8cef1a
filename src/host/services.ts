import * as vscode from "vscode";
import { chooseLanguage, type Language, setLanguage, type Words } from "../core/l10n/l10n.ts";
import { DisposableStore } from "../core/util/disposable.ts";
import { ClipboardDocuments } from "./stores/clipboardDocuments.ts";
import { ConfigStore } from "./stores/configStore.ts";
import { PanelDoor } from "./stores/panelOpener.ts";
import { RuleSettings } from "./stores/ruleSettings.ts";
import { Settings } from "./stores/settings.ts";

/** Everything that features share. They know nothing of each other. */
export interface Services {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly settings: Settings;
  readonly configs: ConfigStore;
  readonly rules: RuleSettings;
  readonly panels: PanelDoor;
  readonly clipboard: ClipboardDocuments;
  /** What the buttons of the view of models ask for. */
  readonly modelScans: vscode.EventEmitter<"again" | "cancel">;
  /** A longer context is to be planned, in the side view. */
  readonly planning: vscode.EventEmitter<void>;
  /** Fires after the language of all later texts has changed. */
  readonly onDidChangeLanguage: vscode.Event<Language>;
}

export function createServices(extensionUri: vscode.Uri): Services & vscode.Disposable {
  const owned = new DisposableStore();
  const log = owned.add(vscode.window.createOutputChannel("Position Encodings", { log: true }));
  const settings = owned.add(new Settings());
  const panels = new PanelDoor();
  const clipboard = owned.add(new ClipboardDocuments());
  const onDidChangeLanguage = followLanguage(settings, owned);
  const configs = owned.add(new ConfigStore());
  const modelScans = owned.add(new vscode.EventEmitter<"again" | "cancel">());
  const planning = owned.add(new vscode.EventEmitter<void>());
  const rules = owned.add(new RuleSettings(settings));
  return {
    extensionUri,
    log,
    settings,
    configs,
    rules,
    panels,
    clipboard,
    modelScans,
    planning,
    onDidChangeLanguage,
    dispose: () => owned.dispose(),
  };
}

function followLanguage(settings: Settings, owned: DisposableStore): vscode.Event<Language> {
  const changed = owned.add(new vscode.EventEmitter<Language>());
  let current: Language = "en";
  const follow = async () => {
    const wanted = chooseLanguage(settings.get("language"), vscode.env.language);
    if (wanted === current) return;
    current = wanted;
    const words = await wordsOf(wanted);
    if (current !== wanted) return;
    setLanguage(wanted, words);
    changed.fire(wanted);
  };
  void follow();
  owned.add(settings.onDidChange(() => void follow()));
  return changed.event;
}

/** The words of a language are large: a start in another one goes without them. */
async function wordsOf(language: Language): Promise<Words> {
  if (language === "en") return {};
  return (await import("../core/l10n/zh-cn.json", { with: { type: "json" } })).default;
}

import * as vscode from "vscode";
import { chooseLanguage, type Language, setLanguage, type Translations } from "../core/l10n/l10n.ts";
import { DisposableStore } from "../core/util/disposable.ts";
import { ClipboardDocuments } from "./stores/clipboardDocuments.ts";
import type { CodeExplainer } from "./stores/codeExplainer.ts";
import { ConfigStore } from "./stores/configStore.ts";
import { FormulaImages } from "./stores/formulaImages.ts";
import { lazy } from "./stores/lazy.ts";
import { LessonProgress } from "./stores/lessonProgress.ts";
import { PanelOpener } from "./stores/panelOpener.ts";
import { RuleSettings } from "./stores/ruleSettings.ts";
import { Settings } from "./stores/settings.ts";

/** Services that features share; features do not know each other. */
export interface Services {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly settings: Settings;
  readonly configs: ConfigStore;
  readonly rules: RuleSettings;
  readonly panels: PanelOpener;
  readonly lessons: LessonProgress;
  /** Loaded with the first Python document or formula, to keep the parser out of activation. */
  readonly explainer: () => Promise<CodeExplainer>;
  readonly formulaImages: FormulaImages;
  readonly clipboard: ClipboardDocuments;
  /** Requests of the Models view's buttons. */
  readonly scanRequests: vscode.EventEmitter<"again" | "cancel">;
  /** Requests to open the planner in the side view. */
  readonly planRequests: vscode.EventEmitter<void>;
  /** Fires after the language has changed. */
  readonly onDidChangeLanguage: vscode.Event<Language>;
}

/** @param memory what the extension keeps between windows; without it, progress lasts as long as the window */
export function createServices(extensionUri: vscode.Uri, memory?: vscode.Memento): Services & vscode.Disposable {
  const owned = new DisposableStore();
  const log = owned.add(vscode.window.createOutputChannel("Position Encodings", { log: true }));
  const settings = owned.add(new Settings());
  const panels = new PanelOpener();
  const clipboard = owned.add(new ClipboardDocuments());
  const onDidChangeLanguage = followLanguage(settings, owned);
  const configs = owned.add(new ConfigStore());
  const scanRequests = owned.add(new vscode.EventEmitter<"again" | "cancel">());
  const planRequests = owned.add(new vscode.EventEmitter<void>());
  const rules = owned.add(new RuleSettings(settings));
  return {
    extensionUri,
    log,
    settings,
    configs,
    rules,
    panels,
    lessons: new LessonProgress(memory),
    explainer: lazy(async () => new (await import("./stores/codeExplainer.ts")).CodeExplainer()),
    formulaImages: new FormulaImages(extensionUri, log),
    clipboard,
    scanRequests,
    planRequests,
    onDidChangeLanguage,
    dispose: () => owned.dispose(),
  };
}

function followLanguage(settings: Settings, owned: DisposableStore): vscode.Event<Language> {
  const changed = owned.add(new vscode.EventEmitter<Language>());
  let current: Language = "en";
  const follow = async () => {
    const chosen = chooseLanguage(settings.get("language"), vscode.env.language);
    if (chosen === current) return;
    current = chosen;
    const words = await loadWords(chosen);
    if (current !== chosen) return;
    setLanguage(chosen, words);
    changed.fire(chosen);
  };
  void follow();
  owned.add(settings.onDidChange(() => void follow()));
  return changed.event;
}

/** Loaded on demand: translations are large, and English needs none. */
async function loadWords(language: Language): Promise<Translations> {
  if (language === "en") return {};
  return (await import("../core/l10n/zh-cn.json", { with: { type: "json" } })).default;
}

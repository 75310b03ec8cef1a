import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { COMMANDS } from "../../ids.ts";
import type { Verdict } from "../../platform/findingsInWords.ts";
import type { Services } from "../../services.ts";

/** Like the squiggles: what follows at once is the picture. */
const PAUSE = 150;
/** A status bar is shared; the tooltip has the whole. */
const MAX_LENGTH = 60;

const ICONS = { error: "$(error)", warning: "$(warning)", info: "$(info)" } as const;

/** One item while a model config is the active editor: its encodings, what was found in it, a click to the picture. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  const item = owned.add(vscode.window.createStatusBarItem("posenc.config", vscode.StatusBarAlignment.Right, 100));
  let newest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = async () => {
    clearTimeout(timer);
    const mine = ++newest;
    const said = await describeActive(services);
    if (mine !== newest || owned.isDisposed) return;
    if (said === undefined) item.hide();
    else show(item, said);
  };
  owned.add({ dispose: () => clearTimeout(timer) });
  owned.add(vscode.window.onDidChangeActiveTextEditor(() => void update()));
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document !== vscode.window.activeTextEditor?.document) return;
      clearTimeout(timer);
      timer = setTimeout(() => void update(), PAUSE);
    }),
  );
  owned.add(services.rules.onDidChange(() => void update()));
  owned.add(services.configs.onDidChangeBeside(() => void update()));
  owned.add(services.onDidChangeLanguage(() => void update()));
  void update();
  return owned;
}

interface Said {
  readonly uri: vscode.Uri;
  readonly summary: string;
  readonly verdict: Verdict;
}

async function describeActive({ configs, rules }: Services): Promise<Said | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !(await configs.isConfig(document))) return undefined;
  const { reading } = await configs.readDocument(document);
  const problems = await rules.of(document.uri, reading.problems);
  const { summarise } = await import("../../../core/config/report/summarise.ts");
  const { findingsInWords } = await import("../../platform/findingsInWords.ts");
  const summary = summarise(reading.specs);
  return { uri: document.uri, summary, verdict: findingsInWords(reading.error, problems) };
}

function show(item: vscode.StatusBarItem, { uri, summary, verdict: { worst, words } }: Said): void {
  const badge = worst === undefined ? [] : [`${ICONS[worst]} ${words}`];
  const title = t("Position Encodings");
  item.name = title;
  item.text = [...(summary === "" ? [] : [shortened(summary)]), ...badge].join("  ");
  item.tooltip = [title, summary, words, t("Click to preview.")].filter(Boolean).join("\n");
  item.accessibilityInformation = { label: [title, summary, words].filter(Boolean).join(", "), role: "button" };
  item.command = { title, command: COMMANDS.previewConfig, arguments: [uri] };
  item.show();
}

function shortened(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).trimEnd()}…`;
}

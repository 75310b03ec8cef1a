import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { COMMANDS } from "../../ids.ts";
import { escapeIcons, tooltipText } from "../../platform/show.ts";
import type { FindingsSummary } from "../../platform/summariseFindings.ts";
import type { Services } from "../../services.ts";

/** May lag behind typing; the panel updates sooner. */
const UPDATE_DELAY_MS = 150;
/** The status bar has little space; the tooltip shows the whole summary. */
const MAX_SUMMARY_LENGTH = 60;

const ICONS = { error: "$(error)", warning: "$(warning)", info: "$(info)" } as const;

/** An item while the active editor shows a model config: its encodings and findings. A click opens the preview. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  const item = owned.add(vscode.window.createStatusBarItem("posenc.config", vscode.StatusBarAlignment.Right, 100));
  let latestUpdate = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = async () => {
    clearTimeout(timer);
    const thisUpdate = ++latestUpdate;
    const status = await describeActiveConfig(services);
    if (thisUpdate !== latestUpdate || owned.isDisposed) return;
    if (status === undefined) item.hide();
    else showStatus(item, status);
  };
  owned.add({ dispose: () => clearTimeout(timer) });
  owned.add(vscode.window.onDidChangeActiveTextEditor(() => void update()));
  owned.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document !== vscode.window.activeTextEditor?.document) return;
      clearTimeout(timer);
      timer = setTimeout(() => void update(), UPDATE_DELAY_MS);
    }),
  );
  owned.add(services.rules.onDidChange(() => void update()));
  owned.add(services.configs.onDidChangeSiblings(() => void update()));
  owned.add(services.onDidChangeLanguage(() => void update()));
  void update();
  return owned;
}

interface ActiveConfigStatus {
  readonly uri: vscode.Uri;
  readonly summary: string;
  readonly findings: FindingsSummary;
}

async function describeActiveConfig({ configs, rules }: Services): Promise<ActiveConfigStatus | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !(await configs.isConfig(document))) return undefined;
  const { reading } = await configs.readDocument(document);
  const problems = await rules.applySeverities(document.uri, reading.problems);
  const { summariseReading } = await import("../../../core/config/report/summarise.ts");
  const { summariseFindings } = await import("../../platform/summariseFindings.ts");
  const summary = summariseReading(reading);
  return { uri: document.uri, summary, findings: summariseFindings(reading.error, problems) };
}

function showStatus(item: vscode.StatusBarItem, { uri, summary, findings: { worst, text } }: ActiveConfigStatus): void {
  const badge = worst === undefined ? [] : [`${ICONS[worst]} ${text}`];
  const title = l10n.t("Position Encodings");
  item.name = title;
  item.text = [...(summary === "" ? [] : [escapeIcons(shorten(summary))]), ...badge].join("  ");
  item.tooltip = tooltipText(title, summary, text, l10n.t("Click to preview."));
  item.accessibilityInformation = { label: [title, summary, text].filter(Boolean).join(", "), role: "button" };
  item.command = { title, command: COMMANDS.previewConfig, arguments: [uri] };
  item.show();
}

function shorten(text: string): string {
  return text.length <= MAX_SUMMARY_LENGTH ? text : `${text.slice(0, MAX_SUMMARY_LENGTH - 1).trimEnd()}…`;
}

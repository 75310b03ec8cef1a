import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { COMMANDS } from "../../ids.ts";
import { lensTitle } from "../../platform/show.ts";
import type { Services } from "../../services.ts";

/** More lenses would be noise; the panel lists all encodings. */
const MAX_LENSES = 4;

/** Code lenses above a model config: they name its position encodings and open the preview. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  const changed = owned.add(new vscode.EventEmitter<void>());
  owned.add(services.settings.onDidChange(() => changed.fire()));
  owned.add(services.onDidChangeLanguage(() => changed.fire()));
  owned.add(
    vscode.languages.registerCodeLensProvider([...services.configs.selector], {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: (document) => createLenses(services, document),
    }),
  );
  return owned;
}

async function createLenses(
  { configs, settings }: Services,
  document: vscode.TextDocument,
): Promise<vscode.CodeLens[]> {
  if (!settings.get("codeLens.enabled") || !(await configs.isConfig(document))) return [];
  const { reading } = await configs.readDocument(document);
  const { isEncodingUnknown, summarise, summariseReading } = await import("../../../core/config/report/summarise.ts");
  const top = new vscode.Range(0, 0, 0, 0);
  // There is nothing to open: a lens without a command is plain text.
  if (isEncodingUnknown(reading))
    return [new vscode.CodeLens(top, { title: lensTitle("question", summariseReading(reading)), command: "" })];
  return reading.specs.slice(0, MAX_LENSES).map(
    (spec, index) =>
      new vscode.CodeLens(top, {
        title: lensTitle("open-preview", summarise([spec])),
        tooltip: l10n.t("Open in Panel"),
        command: COMMANDS.previewConfig,
        arguments: [document.uri, index],
      }),
  );
}

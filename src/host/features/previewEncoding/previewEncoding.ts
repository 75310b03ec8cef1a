import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type EncodingChoice, encodingChoices } from "../../../core/encodings/support/choices.ts";
import { initialPanelState } from "../../../core/protocol/state.ts";
import type { Services } from "../../services.ts";

interface Item extends vscode.QuickPickItem {
  readonly choice?: EncodingChoice;
}

/** Pick an encoding, see its matrix. */
export async function previewEncoding(services: Services): Promise<void> {
  const picked = await vscode.window.showQuickPick(items(), {
    title: t("Preview Encoding"),
    placeHolder: t("Search by name, model or code: RoPE, BERT, get_slopes…"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.choice === undefined) return;
  const { encoding, changes } = picked.choice;
  await services.panels.show({
    state: { ...initialPanelState(encoding), changes: { ...changes } },
    preserveFocus: false,
  });
}

function items(): Item[] {
  return encodingChoices().flatMap(({ label, choices }) => [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...choices.map(toItem),
  ]);
}

function toItem(choice: EncodingChoice): Item {
  const { name, description, summary } = choice;
  return { label: name, description, choice, ...(summary === undefined ? {} : { detail: summary }) };
}

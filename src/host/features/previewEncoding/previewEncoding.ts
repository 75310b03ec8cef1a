import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { type EncodingChoice, listEncodingChoices } from "../../../core/catalogue/choices.ts";
import { initialPanelState } from "../../../core/protocol/state.ts";
import { showPick } from "../../platform/show.ts";
import type { Services } from "../../services.ts";

interface EncodingPick extends vscode.QuickPickItem {
  readonly choice?: EncodingChoice;
}

/** Lets the user pick an encoding and opens it in the panel. */
export async function previewEncoding(services: Services): Promise<void> {
  const picked = await showPick(listPicks(), {
    title: l10n.t("Preview Encoding"),
    placeHolder: l10n.t("Search by name, model or code: RoPE, BERT, get_slopes…"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.choice === undefined) return;
  const { encoding, params } = picked.choice;
  await services.panels.show({
    state: { ...initialPanelState(encoding), changes: { ...params } },
    preserveFocus: false,
  });
}

function listPicks(): EncodingPick[] {
  return listEncodingChoices().flatMap(({ label, choices }) => [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...choices.map(toPick),
  ]);
}

/**
 * While the user types, VS Code sorts by label alone: matches at the start first, shorter ones before longer ones. With
 * the variant in front, "yarn" finds RoPE's own first. The usual name stays in the description, which is searched too.
 */
function toPick(choice: EncodingChoice): EncodingPick {
  const { name, parts, description, summary } = choice;
  const detail = summary === undefined ? {} : { detail: summary };
  if (parts === undefined) return { label: name, description, choice, ...detail };
  const label = `${parts.variant} · ${parts.encoding}`;
  return { label, description: [name, description].filter(Boolean).join(" · "), choice, ...detail };
}

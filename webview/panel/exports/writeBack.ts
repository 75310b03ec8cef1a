import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { ViewRequests } from "../../../src/core/protocol/messages.ts";
import { errorMessage } from "../../../src/core/util/errors.ts";
import type { Page } from "../../state/page.ts";
import type { PanelEncoding } from "../../state/panelEncoding.ts";
import type { PanelChange } from "../../state/reducers.ts";
import type { Store } from "../../state/store.ts";

type WriteBackRequest = ViewRequests["writeBack"];
export type RequestWriteBack = (argument: WriteBackRequest["argument"]) => Promise<WriteBackRequest["answer"]>;

/** Why values cannot be written back now; null if they can. */
export function whyNotWritable({ panel, config, configProblem }: Page, panelEncoding: PanelEncoding): string | null {
  if (panel.config === null || config === null || panelEncoding.spec === null)
    return l10n.t("This panel is not bound to a config. Preview a config, then change its values here.");
  if (configProblem !== null) return l10n.t("The config cannot be read.");
  if (panelEncoding.problems.length > 0) return l10n.t("Fix the highlighted values first.");
  const changed = panelEncoding.controls.some(
    ({ source, value, base }) => source === "you" && JSON.stringify(value) !== JSON.stringify(base),
  );
  return changed ? null : l10n.t("All values match the config.");
}

/** Stays focusable while disabled, so that its reason can be read. */
export function writeBackButton(page: Page, panelEncoding: PanelEncoding, onWrite: () => void): TemplateResult {
  const reason = whyNotWritable(page, panelEncoding);
  const title = reason ?? l10n.t("Write these values to the config (Undo in the editor reverts it)");
  return html`<button
    type="button"
    class="menu-button"
    title=${title}
    aria-description=${title}
    aria-disabled=${reason !== null}
    @click=${() => {
      if (reason === null) onWrite();
    }}
  >${l10n.t("Write back")}</button>`;
}

/** Keeps only the changes that could not be written: the others are now in the config. */
function keepUnwritten(unwritten: readonly string[]): PanelChange {
  return (state) => ({
    ...state,
    changes: Object.fromEntries(Object.entries(state.changes).filter(([name]) => unwritten.includes(name))),
  });
}

/** Asks the host to edit the config, and shows the result on the page. */
export async function writePanelBack(
  store: Store<Page>,
  panelEncoding: PanelEncoding,
  write: RequestWriteBack,
): Promise<void> {
  const { panel, config } = store.get();
  if (panel.config === null || config === null) return;
  const { uri, version, title } = config;
  try {
    const { written, left } = await write({
      uri,
      index: panel.config.index,
      version,
      wanted: { ...panelEncoding.params },
    });
    const reasons = left.map(({ param, reason }) => `${param}: ${reason}`).join("; ");
    store.update((page) => ({
      ...page,
      panel: keepUnwritten(left.map(({ param }) => param))(page.panel),
      doneMessage: written ? l10n.t("Written to {0}, not saved yet.", title) : null,
      errorMessage: reasons === "" ? null : l10n.t("Not written: {0}", reasons),
    }));
  } catch (error) {
    store.update((page) => ({ ...page, errorMessage: errorMessage(error) }));
  }
}

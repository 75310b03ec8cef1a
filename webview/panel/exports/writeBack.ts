import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { ViewRequests } from "../../../src/core/protocol/messages.ts";
import type { Page } from "../../state/page.ts";
import type { Model } from "../../state/panelEncoding.ts";
import type { Change } from "../../state/reducers.ts";
import type { Store } from "../../state/store.ts";

type Write = ViewRequests["writeBack"];
export type WriteBack = (argument: Write["argument"]) => Promise<Write["answer"]>;

/** Why nothing can be written now; null when it can. */
export function whyNotWritten({ panel, config, configProblem }: Page, model: Model): string | null {
  if (panel.config === null || config === null || model.spec === null)
    return t("This panel is not bound to a config. Preview a config, then change its values here.");
  if (configProblem !== null) return t("The config cannot be read.");
  if (model.problems.length > 0) return t("Fix the highlighted values first.");
  const changed = model.controls.some(
    ({ source, value, base }) => source === "you" && JSON.stringify(value) !== JSON.stringify(base),
  );
  return changed ? null : t("All values match the config.");
}

/** Stays reachable when it can do nothing, so that the reason can be read. */
export function writeBackButton(page: Page, model: Model, onWrite: () => void): TemplateResult {
  const reason = whyNotWritten(page, model);
  const title = reason ?? t("Write these values to the config (Undo in the editor reverts it)");
  return html`<button
    type="button"
    class="menu-button"
    title=${title}
    aria-description=${title}
    aria-disabled=${reason !== null}
    @click=${() => {
      if (reason === null) onWrite();
    }}
  >${t("Write back")}</button>`;
}

/** What is written is the config's own now; what had no place in it stays the user's change. */
function keepLeft(left: readonly string[]): Change {
  return (state) => ({
    ...state,
    changes: Object.fromEntries(Object.entries(state.changes).filter(([name]) => left.includes(name))),
  });
}

/** Asks the host to edit the config, and says on the page how it went. */
export async function writeBack(store: Store<Page>, model: Model, write: WriteBack): Promise<void> {
  const { panel, config } = store.get();
  if (panel.config === null || config === null) return;
  const { uri, version, title } = config;
  try {
    const { written, left } = await write({ uri, index: panel.config.index, version, wanted: { ...model.params } });
    const rest = left.map(({ param, reason }) => `${param}: ${reason}`).join("; ");
    store.update((page) => ({
      ...page,
      panel: keepLeft(left.map(({ param }) => param))(page.panel),
      done: written ? t("Written to {0}, not saved yet.", title) : null,
      message: rest === "" ? null : t("Not written: {0}", rest),
    }));
  } catch (error) {
    store.update((page) => ({ ...page, message: error instanceof Error ? error.message : String(error) }));
  }
}

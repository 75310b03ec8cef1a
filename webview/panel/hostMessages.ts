import { useLanguage } from "../../src/core/l10n/useLanguage.ts";
import type { BoundConfig, HostToView } from "../../src/core/protocol/messages.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import { type EditHistory, NO_HISTORY } from "../state/history.ts";
import type { Page } from "../state/page.ts";
import { followConfig } from "../state/reducers.ts";
import type { Store } from "../state/store.ts";

/** What the page shows at the start or after a link is opened. */
export interface InitialView {
  readonly panel: PanelState;
  readonly config: BoundConfig | null;
  readonly comparedConfig: BoundConfig | null;
  /** The undo history saved with exactly this state. */
  readonly history?: EditHistory;
}

export function showInitialView(
  store: Store<Page>,
  { panel, config, comparedConfig, history = NO_HISTORY }: InitialView,
): void {
  const changes: Partial<Page> = { panel, config, comparedConfig, history, configProblem: null, comparedProblem: null };
  store.update((page) => ({ ...page, ...changes, readoutCell: panel.crosshair }));
}

/** Applies a reloaded config. Undo history survives only while the encoding stays the same. */
function applyConfig(page: Page, config: BoundConfig): Page {
  const panel = followConfig(config)(page.panel);
  const history = panel === page.panel ? {} : { history: NO_HISTORY };
  return { ...page, config, configProblem: null, panel, ...history };
}

/** Applies a message from the host to the page. */
export function applyHostMessage(store: Store<Page>, message: HostToView): void {
  switch (message.type) {
    case "show":
      showInitialView(store, {
        panel: message.state,
        config: message.config,
        comparedConfig: message.compared ?? null,
      });
      break;
    case "config":
      store.update((page) => applyConfig(page, message.config));
      break;
    case "compared": {
      const { config, problem } = message;
      store.update((page) => ({
        ...page,
        comparedConfig: config ?? page.comparedConfig ?? null,
        comparedProblem: problem,
      }));
      break;
    }
    case "configProblem":
      store.update((page) => ({ ...page, configProblem: message.message }));
      break;
    case "language":
      useLanguage(message.language);
      document.documentElement.lang = message.language === "zh-cn" ? "zh-Hans" : "en";
      store.update((page) => ({ ...page, language: message.language }));
  }
}

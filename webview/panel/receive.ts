import { useLanguage } from "../../src/core/l10n/useLanguage.ts";
import type { BoundConfig, HostToView } from "../../src/core/protocol/messages.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import { type History, NO_HISTORY } from "../state/history.ts";
import type { Page } from "../state/page.ts";
import { followConfig } from "../state/reducers.ts";
import type { Store } from "../state/store.ts";

/** What the page shows from the start, or from a link on. */
export interface Beginning {
  readonly panel: PanelState;
  readonly config: BoundConfig | null;
  readonly compared: BoundConfig | null;
  /** Steps that were kept with this very state. */
  readonly history?: History;
}

export function show(store: Store<Page>, { panel, config, compared, history = NO_HISTORY }: Beginning): void {
  const fresh = { panel, config, compared, history, configProblem: null, comparedProblem: null };
  store.update((page) => ({ ...page, ...fresh, reading: panel.crosshair }));
}

/** The bound config was read anew. Steps lead back to what it said before only while it is of the same encoding. */
function readAnew(page: Page, config: BoundConfig): Page {
  const panel = followConfig(config)(page.panel);
  const history = panel === page.panel ? {} : { history: NO_HISTORY };
  return { ...page, config, configProblem: null, panel, ...history };
}

/** The host's messages, as changes of the page. */
export function receive(store: Store<Page>, message: HostToView): void {
  switch (message.type) {
    case "show":
      show(store, { panel: message.state, config: message.config, compared: message.compared ?? null });
      break;
    case "config":
      store.update((page) => readAnew(page, message.config));
      break;
    case "compared": {
      const { config, problem } = message;
      store.update((page) => ({ ...page, compared: config ?? page.compared ?? null, comparedProblem: problem }));
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

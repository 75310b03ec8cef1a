import { errorMessage } from "../../src/core/util/errors.ts";
import "./panel.css";
import * as v from "valibot";
import { Endpoint } from "../../src/core/protocol/endpoint.ts";
import {
  hostToViewSchema,
  PROTOCOL_VERSION,
  type ViewRequests,
  type ViewToHost,
  viewRequests,
  viewToHostSchema,
} from "../../src/core/protocol/messages.ts";
import { type PanelState, panelStateSchema } from "../../src/core/protocol/state.ts";
import { createRenderer } from "../engine/figureRenderer.ts";
import { CheckpointLoader } from "../state/checkpointLoader.ts";
import { createHostPort } from "../state/editor.ts";
import { type EditHistory, historySchema, NO_HISTORY } from "../state/history.ts";
import type { Page } from "../state/page.ts";
import { boundSpec } from "../state/panelEncoding.ts";
import { DEFAULT_PANEL_STATE } from "../state/reducers.ts";
import { createStore, type Store } from "../state/store.ts";
import { readTheme, watchTheme } from "../ui/theme.ts";
import { applyHostMessage, showInitialView } from "./hostMessages.ts";
import { initialPage, PanelPage } from "./panelPage.ts";

const api = acquireVsCodeApi();

/** The state that an earlier instance of this page saved, with its undo history. */
function readSavedState(): { readonly panel: PanelState | null; readonly history: EditHistory } {
  const saved = api.getState();
  const panel = v.safeParse(panelStateSchema, saved);
  const history = v.safeParse(v.object({ history: historySchema }), saved);
  if (!panel.success) return { panel: null, history: NO_HISTORY };
  return { panel: panel.output, history: history.success ? history.output.history : NO_HISTORY };
}

function createEndpoint(store: Store<Page>) {
  return new Endpoint({
    port: createHostPort(api),
    sends: viewToHostSchema,
    receives: hostToViewSchema,
    onMessage: (message) => applyHostMessage(store, message),
    calls: viewRequests,
    serves: {},
    handlers: {},
    log: (level, message) => api.postMessage({ type: "log", level, message } satisfies ViewToHost),
  });
}

/** A crosshair that follows the pointer changes the state in each frame; the editor is updated at most this often. */
const SAVE_DELAY_MS = 100;

/** Saves the state in the editor and sends it to the host, soon after a change and before the page is hidden. */
function persistState(store: Store<Page>, send: (message: ViewToHost) => void): void {
  const save = () => {
    const { panel, history = NO_HISTORY } = store.get();
    const { past, future } = history;
    api.setState({ ...panel, history: { past, future } });
    return panel;
  };
  // Saved once at the start, because the host's initial state would be lost when the window reloads.
  let savedPanel = save();
  let timer: number | undefined;
  const saveIfChanged = () => {
    window.clearTimeout(timer);
    timer = undefined;
    if (store.get().panel === savedPanel) return;
    savedPanel = save();
    send({ type: "state", state: savedPanel });
  };
  store.subscribe(({ panel }) => {
    if (panel !== savedPanel) timer ??= window.setTimeout(saveIfChanged, SAVE_DELAY_MS);
  });
  window.addEventListener("pagehide", saveIfChanged);
  document.addEventListener("visibilitychange", saveIfChanged);
}

async function startPanel(): Promise<void> {
  const { panel: saved, history } = readSavedState();
  const store = createStore(
    initialPage({
      panel: saved ?? DEFAULT_PANEL_STATE,
      language: "en",
      theme: readTheme(document.body),
      visible: !document.hidden,
    }),
  );
  const endpoint = createEndpoint(store);
  const root = document.createElement("div");
  root.id = "posenc";
  document.body.append(root);
  const checkpointHost = {
    pick: (argument: ViewRequests["pickWeights"]["argument"]) => endpoint.call("pickWeights", argument),
    pickContent: () => endpoint.call("pickContent", {}),
    readContent: (argument: ViewRequests["readContent"]["argument"]) => endpoint.call("readContent", argument),
    read: (argument: ViewRequests["readWeights"]["argument"]) => endpoint.call("readWeights", argument),
  };
  new CheckpointLoader(store, checkpointHost, root);
  const page = new PanelPage({
    root,
    store,
    createRenderer,
    save: async (name, data) => (await endpoint.call("save", { name, data })).saved,
    writeBack: (argument) => endpoint.call("writeBack", argument),
    linkTo: async (state) => (await endpoint.call("shareLink", { state })).link,
    copyText: async (text) => {
      await endpoint.call("copyText", { text });
    },
    openConfig: (at) => {
      const { panel, config } = store.get();
      if (config === null) return;
      const range = at ?? boundSpec(panel, config)?.evidence[0]?.range ?? null;
      endpoint.send({ type: "openConfig", uri: config.uri, range });
    },
    pickConfig: async () => (await endpoint.call("pickConfig", {})).config,
  });
  watchTheme((theme) => {
    store.update((now) => (now.theme === theme ? now : { ...now, theme }));
    page.restyle();
  });
  document.addEventListener("visibilitychange", () => store.update((now) => ({ ...now, visible: !document.hidden })));
  const answer = await endpoint.call("ready", { protocol: PROTOCOL_VERSION, saved });
  if (answer.protocol !== PROTOCOL_VERSION) return page.askForReload();
  applyHostMessage(store, { type: "language", language: answer.language });
  const panel = answer.state ?? saved ?? DEFAULT_PANEL_STATE;
  const unchanged = JSON.stringify(panel) === JSON.stringify(saved);
  const { config, compared = null, comparedProblem = null } = answer;
  showInitialView(store, { panel, config, comparedConfig: compared, ...(unchanged ? { history } : {}) });
  if (answer.problem !== null) applyHostMessage(store, { type: "configProblem", message: answer.problem });
  if (comparedProblem !== null)
    applyHostMessage(store, { type: "compared", config: compared, problem: comparedProblem });
  persistState(store, (message) => endpoint.send(message));
}

startPanel().catch((error: unknown) => {
  const message = errorMessage(error);
  api.postMessage({ type: "log", level: "error", message } satisfies ViewToHost);
});

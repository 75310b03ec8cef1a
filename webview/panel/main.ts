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
import { createRenderer } from "../engine/index.ts";
import "./panel.css";
import "../figure.css";
import "../controls.css";
import "../views.css";
import "./about/about.css";
import "../ui/chart/chart.css";
import "../views/extrapolation/extrapolation.css";
import "../views/grid/grid.css";
import "../views/layers/layers.css";
import "../views/positions/positions.css";
import "../views/precision/precision.css";
import "../views/rotation/rotation.css";
import "../ui/menu.css";
import "../ui/combobox.css";
import "./compare/compare.css";
import "./narrow.css";
import { type History, historySchema, NO_HISTORY } from "../state/history.ts";
import type { Page } from "../state/page.ts";
import { boundSpec } from "../state/panelEncoding.ts";
import { EMPTY_STATE } from "../state/reducers.ts";
import { createStore, type Store } from "../state/store.ts";
import { WeightsLoader } from "../state/weightsLoader.ts";
import { themeOf, watchTheme } from "../ui/theme.ts";
import { emptyPage, PanelPage } from "./panelPage.ts";
import { receive, show } from "./receive.ts";

/** What the editor gives to the page of a panel, once. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

const api = acquireVsCodeApi();

/** What an earlier life of this page kept: its state, and beside it the steps that led there. */
function savedState(): { readonly panel: PanelState | null; readonly history: History } {
  const kept = api.getState();
  const panel = v.safeParse(panelStateSchema, kept);
  const history = v.safeParse(v.object({ history: historySchema }), kept);
  if (!panel.success) return { panel: null, history: NO_HISTORY };
  return { panel: panel.output, history: history.success ? history.output.history : NO_HISTORY };
}

function connect(store: Store<Page>) {
  return new Endpoint({
    port: {
      post: (message) => api.postMessage(message),
      listen(handler) {
        const listener = (event: MessageEvent<unknown>) => handler(event.data);
        window.addEventListener("message", listener);
        return { dispose: () => window.removeEventListener("message", listener) };
      },
    },
    sends: viewToHostSchema,
    receives: hostToViewSchema,
    onMessage: (message) => receive(store, message),
    calls: viewRequests,
    serves: {},
    handlers: {},
    log: (level, message) => api.postMessage({ type: "log", level, message } satisfies ViewToHost),
  });
}

/** A crosshair that follows the pointer changes the state at each frame; the editor hears of it this often, in milliseconds. */
const KEEP_EVERY = 100;

/** Keeps the state with the editor and tells the host, soon after it became another one and before the page goes. */
function keepState(store: Store<Page>, tell: (message: ViewToHost) => void): void {
  const save = () => {
    const { panel, history = NO_HISTORY } = store.get();
    const { past, future } = history;
    api.setState({ ...panel, history: { past, future } });
    return panel;
  };
  // What the host began with is not there after a reload of the window, unless it is kept.
  let kept = save();
  let timer: number | undefined;
  const keep = () => {
    window.clearTimeout(timer);
    timer = undefined;
    if (store.get().panel === kept) return;
    kept = save();
    tell({ type: "state", state: kept });
  };
  store.subscribe(({ panel }) => {
    if (panel !== kept) timer ??= window.setTimeout(keep, KEEP_EVERY);
  });
  window.addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", keep);
}

async function start(): Promise<void> {
  const { panel: saved, history } = savedState();
  const store = createStore(
    emptyPage({
      panel: saved ?? EMPTY_STATE,
      language: "en",
      theme: themeOf(document.body),
      visible: !document.hidden,
    }),
  );
  const endpoint = connect(store);
  const root = document.createElement("div");
  root.id = "posenc";
  document.body.append(root);
  const weights = {
    pick: (argument: ViewRequests["pickWeights"]["argument"]) => endpoint.call("pickWeights", argument),
    pickContent: () => endpoint.call("pickContent", {}),
    readContent: (argument: ViewRequests["readContent"]["argument"]) => endpoint.call("readContent", argument),
    read: (argument: ViewRequests["readWeights"]["argument"]) => endpoint.call("readWeights", argument),
  };
  new WeightsLoader(store, weights, root);
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
  receive(store, { type: "language", language: answer.language });
  const panel = answer.state ?? saved ?? EMPTY_STATE;
  const known = JSON.stringify(panel) === JSON.stringify(saved);
  const { config, compared = null, comparedProblem = null } = answer;
  show(store, { panel, config, compared, ...(known ? { history } : {}) });
  if (answer.problem !== null) receive(store, { type: "configProblem", message: answer.problem });
  if (comparedProblem !== null) receive(store, { type: "compared", config: compared, problem: comparedProblem });
  keepState(store, (message) => endpoint.send(message));
}

start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  api.postMessage({ type: "log", level: "error", message } satisfies ViewToHost);
});

import { errorMessage } from "../../src/core/util/errors.ts";
import "./side.css";
import * as v from "valibot";
import type { Language } from "../../src/core/l10n/l10n.ts";
import { useLanguage } from "../../src/core/l10n/useLanguage.ts";
import { Endpoint } from "../../src/core/protocol/endpoint.ts";
import {
  type HostToSide,
  hostToSideSchema,
  INITIAL_SIDE_STATE,
  SIDE_PROTOCOL_VERSION,
  type SideDisplay,
  type SideState,
  type SideToHost,
  sideRequests,
  sideStateSchema,
  sideToHostSchema,
} from "../../src/core/protocol/side.ts";
import { createHostPort } from "../state/editor.ts";
import { createStore, type Store } from "../state/store.ts";
import { readTheme, watchTheme } from "../ui/theme.ts";
import type { SidePageState } from "./pageState.ts";
import { SidePage } from "./sidePage.ts";

const api = acquireVsCodeApi();

function readSavedState(): SideState {
  const saved = v.safeParse(sideStateSchema, api.getState());
  return saved.success ? saved.output : INITIAL_SIDE_STATE;
}

function createEndpoint(store: Store<SidePageState>, openPlan: () => void) {
  return new Endpoint({
    port: createHostPort(api),
    sends: sideToHostSchema,
    receives: hostToSideSchema,
    onMessage: (message) => applyHostMessage(store, message, openPlan),
    calls: sideRequests,
    serves: {},
    handlers: {},
    log: (level, message) => api.postMessage({ type: "log", level, message } satisfies SideToHost),
  });
}

function applyHostMessage(store: Store<SidePageState>, message: HostToSide, openPlan: () => void): void {
  switch (message.type) {
    case "show":
      if (message.language !== undefined) switchLanguage(store, message.language);
      showContent(store, message);
      return;
    case "plan":
      openPlan();
      return;
    case "language":
      switchLanguage(store, message.language);
  }
}

function switchLanguage(store: Store<SidePageState>, language: Language): void {
  if (store.get().language === language) return;
  useLanguage(language);
  document.documentElement.lang = language === "zh-cn" ? "zh-Hans" : "en";
  store.update((page) => ({ ...page, language }));
}

/** Shows a file; a different file starts with its first encoding. */
function showContent(store: Store<SidePageState>, { subject, current, problem }: SideDisplay): void {
  store.update((page) => {
    const uri = subject?.uri ?? null;
    const state =
      uri === null || uri === page.state.uri
        ? page.state
        : { ...page.state, uri, chosen: 0, plan: { ...page.state.plan, trained: null, target: null } };
    return { ...page, shown: { subject, current, problem }, state };
  });
}

async function startSide(): Promise<void> {
  const store = createStore<SidePageState>({
    shown: null,
    state: readSavedState(),
    language: "en",
    theme: readTheme(document.body),
  });
  const endpoint = createEndpoint(store, () => page.openPlan());
  const root = document.createElement("main");
  document.body.append(root);
  const page = new SidePage({
    root,
    store,
    send: (message) => endpoint.send(message),
    calls: {
      ready: (argument) => endpoint.call("ready", argument),
      writeBack: (argument) => endpoint.call("writeBack", argument),
      copyText: (argument) => endpoint.call("copyText", argument),
    },
  });
  watchTheme((theme) => store.update((now) => ({ ...now, theme })));
  store.subscribe(({ state }) => api.setState(state));
  const answer = await endpoint.call("ready", { protocol: SIDE_PROTOCOL_VERSION });
  if (answer.protocol !== SIDE_PROTOCOL_VERSION) return page.askForReload();
  switchLanguage(store, answer.language);
  showContent(store, answer);
  if (answer.plan) page.openPlan();
}

startSide().catch((error: unknown) => {
  const message = errorMessage(error);
  api.postMessage({ type: "log", level: "error", message } satisfies SideToHost);
});

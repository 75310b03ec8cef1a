import { EventEmitter } from "./events.ts";
import type { Panel, View } from "./shapes.ts";
import { state } from "./state.ts";

function makeWebview(): Pick<Panel, "webview" | "messages"> {
  const messages = new EventEmitter<unknown>();
  const webview: Panel["webview"] = {
    html: "",
    options: {},
    cspSource: "https://*.vscode-cdn.example",
    posted: [],
    asWebviewUri: (uri) => uri.with({ scheme: "https", authority: "cdn.example" }),
    postMessage: async (message) => webview.posted.push(structuredClone(message)) > 0,
    onDidReceiveMessage: messages.event,
  };
  return { webview, messages };
}

export function makeView(): View {
  const shows = new EventEmitter<void>();
  const disposed = new EventEmitter<void>();
  return {
    ...makeWebview(),
    visible: true,
    shows,
    onDidChangeVisibility: shows.event,
    onDidDispose: disposed.event,
    dispose: () => disposed.fire(),
  };
}

export function makePanel(viewType: string, title: string): Panel {
  const disposed = new EventEmitter<void>();
  const panel: Panel = {
    ...makeWebview(),
    viewType,
    title,
    revealed: [],
    onDidDispose: disposed.event,
    reveal: (_, preserveFocus) => panel.revealed.push(preserveFocus),
    dispose: () => {
      const at = state.panels.indexOf(panel);
      if (at < 0) return;
      state.panels.splice(at, 1);
      disposed.fire();
    },
  };
  state.panels.push(panel);
  return panel;
}

import type { Port } from "../../src/core/protocol/endpoint.ts";

/** VS Code's API for webviews. It can be acquired once per page. */
export interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): EditorApi;
}

/** The page's end of the messages to and from the host. */
export function createHostPort(api: EditorApi): Port {
  return {
    post: (message) => api.postMessage(message),
    listen(handler) {
      const listener = (event: MessageEvent<unknown>) => handler(event.data);
      window.addEventListener("message", listener);
      return { dispose: () => window.removeEventListener("message", listener) };
    },
  };
}

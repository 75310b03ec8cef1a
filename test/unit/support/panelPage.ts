import { expect } from "vitest";
import { type HostToView, PROTOCOL_VERSION, type ViewRequests } from "../../../src/core/protocol/messages.ts";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import { stub } from "../stub/vscode.ts";
import { eventually } from "./eventually.ts";

/** The host's answer to a request of the page. */
interface Answer<T> {
  readonly ok: boolean;
  readonly value: T;
  readonly error?: string;
}

type Posted = HostToView | { readonly type: "response"; readonly id: number; readonly result: Answer<never> };

/** All that the host sent to the page of the newest panel, oldest first. */
export function postedMessages(): readonly Posted[] {
  return (stub.panels.at(-1)?.webview.posted ?? []) as Posted[];
}

/** The messages of one type among them. */
export function posted<T extends Posted["type"]>(type: T): Extract<Posted, { type: T }>[] {
  return postedMessages().filter((message): message is Extract<Posted, { type: T }> => message.type === type);
}

/** Sends a request as the page of the newest panel, and waits for the answer. */
export async function request<N extends keyof ViewRequests>(
  name: N,
  argument: unknown,
): Promise<Answer<ViewRequests[N]["answer"]>> {
  const id = 1000 + postedMessages().length;
  stub.panels.at(-1)?.messages.fire({ type: "request", id, name, argument });
  return eventually(() => {
    const answer = posted("response").find((message) => message.id === id);
    if (answer === undefined) throw new Error(`no answer to ${name} yet`);
    return answer.result;
  });
}

/** The first request of a page. `saved` is the state that the page kept. */
export async function ready(saved: unknown = null): Promise<ViewRequests["ready"]["answer"] & { state: PanelState }> {
  const { ok, value } = await request("ready", { protocol: PROTOCOL_VERSION, saved });
  expect(ok).toBe(true);
  const { state } = value;
  if (state === null) throw new Error("the host gave the page no state");
  return { ...value, state };
}

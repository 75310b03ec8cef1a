import { type HostToSide, SIDE_PROTOCOL_VERSION, type SideDisplay } from "../../../src/core/protocol/side.ts";
import { LoadedPage } from "./loadedPage.ts";
import type { ThemeName } from "./themes.ts";

export interface SideSetup extends Partial<SideDisplay> {
  /** What the page kept with setState in an earlier life. */
  readonly saved?: unknown;
  readonly protocol?: number;
  /** The planner was asked for before there was a page. */
  readonly plan?: boolean;
  /** How the host answers requests, by name. */
  readonly results?: Readonly<Record<string, unknown>>;
  readonly language?: "en" | "zh-cn";
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
}

type Posted = { readonly type: string } & Readonly<Record<string, unknown>>;

declare global {
  interface Window {
    sidePosted: Posted[];
    sideState: unknown;
  }
}

/** Runs in the page before its own script: the editor's side, in memory. */
function fakeEditor(setup: {
  readonly answer: unknown;
  readonly results: Readonly<Record<string, unknown>>;
  readonly saved: unknown;
}): void {
  window.sidePosted = [];
  window.sideState = setup.saved;
  document.addEventListener("DOMContentLoaded", () => {
    document.body.style.background = "var(--vscode-editor-background)";
  });
  const api = {
    getState: () => window.sideState,
    setState: (state: unknown) => {
      window.sideState = state;
    },
    postMessage: (message: Posted) => {
      window.sidePosted.push(message);
      if (message.type !== "request") return;
      const result = message.name === "ready" ? { ok: true, value: setup.answer } : setup.results[String(message.name)];
      window.postMessage({ type: "response", id: message.id, result }, "*");
    },
  };
  Object.assign(window, { acquireVsCodeApi: () => api });
}

/** The side view's page in Chromium, with a fake editor around it. */
export class SideView extends LoadedPage {
  async open(setup: SideSetup): Promise<void> {
    const { subject = null, current = true, problem = null, language = "en", plan = false } = setup;
    const { theme = "dark", width = 300, height = 900 } = setup;
    const answer = { protocol: setup.protocol ?? SIDE_PROTOCOL_VERSION, language, plan, subject, current, problem };
    const given = { answer, results: setup.results ?? {}, saved: setup.saved ?? null };
    await this.load((page) => page.addInitScript(fakeEditor, given), { theme, width, height });
    await this.page.locator("main > :not(:text-is('…'))").first().waitFor();
  }

  send(message: HostToSide): Promise<void> {
    return this.page.evaluate((data) => window.postMessage(data, "*"), message);
  }

  /** What the page told the host, without the request that it begins with. */
  async posted(): Promise<readonly Posted[]> {
    return (await this.page.evaluate(() => window.sidePosted)).filter(({ name }) => name !== "ready");
  }

  state(): Promise<unknown> {
    return this.page.evaluate(() => window.sideState);
  }
}

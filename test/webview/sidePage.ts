import type { Browser, Page } from "playwright-core";
import { type HostToSide, SIDE_PROTOCOL_VERSION, type SideShown } from "../../src/core/protocol/side.ts";
import { EDITOR_THEMES, type ThemeName } from "./panelThemes.ts";

export interface SideSetup extends Partial<SideShown> {
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
    sideRefused: string[];
  }
}

/** Runs in the page before its own script: the editor's side, in memory. */
function fakeEditor(setup: {
  readonly answer: unknown;
  readonly results: Readonly<Record<string, unknown>>;
  readonly saved: unknown;
  readonly classes: string;
  readonly variables: Readonly<Record<string, string>>;
}): void {
  window.sidePosted = [];
  window.sideRefused = [];
  window.sideState = setup.saved;
  document.addEventListener("securitypolicyviolation", (event) => {
    window.sideRefused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
  document.addEventListener("DOMContentLoaded", () => {
    document.body.className = setup.classes;
    for (const [name, value] of Object.entries(setup.variables))
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
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
export class SideView {
  readonly page: Page;
  readonly errors: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.errors.push(String(error)));
  }

  static async open(browser: Browser, url: string, setup: SideSetup = {}): Promise<SideView> {
    const page = await browser.newPage({ viewport: { width: setup.width ?? 300, height: setup.height ?? 900 } });
    page.setDefaultTimeout(15_000);
    const side = new SideView(page);
    const { subject = null, current = true, problem = null, language = "en", plan = false } = setup;
    const answer = { protocol: setup.protocol ?? SIDE_PROTOCOL_VERSION, language, plan, subject, current, problem };
    await page.addInitScript(fakeEditor, {
      answer,
      results: setup.results ?? {},
      saved: setup.saved ?? null,
      ...EDITOR_THEMES[setup.theme ?? "dark"],
    });
    await page.goto(url);
    await page.locator("main > :not(:text-is('…'))").first().waitFor();
    return side;
  }

  send(message: HostToSide): Promise<void> {
    return this.page.evaluate((data) => window.postMessage(data, "*"), message);
  }

  /** What the page told the host, without the request that it begins with. */
  async posted(): Promise<readonly Posted[]> {
    return (await this.page.evaluate(() => window.sidePosted)).filter(({ name }) => name !== "ready");
  }

  refused(): Promise<string[]> {
    return this.page.evaluate(() => window.sideRefused);
  }

  state(): Promise<unknown> {
    return this.page.evaluate(() => window.sideState);
  }

  async setTheme(theme: ThemeName): Promise<void> {
    await this.page.evaluate(({ classes, variables }) => {
      for (const [name, value] of Object.entries(variables))
        document.documentElement.style.setProperty(`--vscode-${name}`, value);
      document.body.className = classes;
    }, EDITOR_THEMES[theme]);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

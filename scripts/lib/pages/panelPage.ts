import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Browser, Locator } from "playwright-core";
import { URI } from "vscode-uri";
import type { BoundConfig, HostToView } from "../../../src/core/protocol/messages.ts";
import type { PanelState } from "../../../src/core/protocol/state.ts";
import { webviewHtml } from "../../../src/host/platform/webviewHtml.ts";
import { root } from "../root.ts";
import { LoadedPage } from "./loadedPage.ts";
import type { ThemeName } from "./themes.ts";

/** What the fake editor knows and gives to the page. */
export interface PanelSetup {
  readonly state?: PanelState | null;
  readonly config?: BoundConfig | null;
  readonly problem?: string | null;
  /** The compared side's config. */
  readonly compared?: BoundConfig | null;
  /** What the user chooses when the page asks for a config. */
  readonly picked?: BoundConfig | null;
  /** What the page kept with setState in an earlier life. */
  readonly saved?: unknown;
  readonly language?: "en" | "zh-cn";
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** No WebGL on this machine. */
  readonly withoutWebgl?: boolean;
}

export interface Saved {
  readonly name: string;
  readonly data: string | Uint8Array;
}

declare global {
  interface Window {
    posencPosted: unknown[];
    posencSaved: { name: string; data: unknown }[];
    posencCopied: string[];
    posencState: unknown;
  }
}

const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css" };

export type PageName = "webview" | "side";

/** Serves a built page with the policy that the host gives it, as a header too. */
export class PanelServer {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(page: PageName = "webview"): Promise<PanelServer> {
    const server = createServer((request, response) => {
      const name = path.basename(request.url ?? "");
      const type = TYPES[path.extname(name)];
      const origin = `http://${request.headers.host}`;
      if (type === undefined) {
        const html = pageHtml(origin, page);
        const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "";
        response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy }).end(html);
      } else {
        readFile(path.join(root, "dist", name)).then(
          (bytes) => response.writeHead(200, { "content-type": type }).end(bytes),
          () => response.writeHead(404).end(),
        );
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new PanelServer(server);
  }

  get url(): string {
    const address = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${address.port}/`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.closeAllConnections();
      this.#server.close(() => resolve());
    });
  }
}

function pageHtml(origin: string, page: PageName): string {
  const webview = { cspSource: origin, asWebviewUri: (uri: URI) => `${origin}/${path.basename(uri.path)}` };
  // @ts-expect-error the page needs two things of a webview, and this is no more than they
  return webviewHtml(webview, URI.file("/extension"), "en", page);
}

/** Runs in the page before its own script: the editor's side, in memory. */
function fakeEditor(setup: {
  readonly state: unknown;
  readonly config: unknown;
  readonly problem: string | null;
  readonly compared: unknown;
  readonly picked: unknown;
  readonly saved: unknown;
  readonly language: string;
  readonly withoutWebgl: boolean;
}): void {
  window.posencPosted = [];
  window.posencSaved = [];
  window.posencCopied = [];
  window.posencState = setup.saved;
  if (setup.withoutWebgl) {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind.startsWith("webgl") ? null : Reflect.apply(original, this, [kind, ...rest]);
    } as typeof original;
  }
  const answer = (
    name: string,
    argument: { protocol: number; name: string; data: unknown; text: string; state: unknown },
  ) => {
    if (name === "writeBack") return { written: true, left: [] };
    if (name === "shareLink") return { link: `vscode://posenc.posenc/show?${JSON.stringify(argument.state)}` };
    if (name === "copyText") {
      window.posencCopied.push(argument.text);
      return {};
    }
    if (name === "save") {
      window.posencSaved.push({ name: argument.name, data: argument.data });
      return { saved: true };
    }
    if (name === "pickConfig") return { config: setup.picked };
    const { state, config, language, problem, compared } = setup;
    return { protocol: argument.protocol, language, state, config, problem, compared };
  };
  const api = {
    getState: () => window.posencState,
    setState: (state: unknown) => {
      window.posencState = state;
    },
    postMessage: (message: { type: string; id: number; name: string; argument: never }) => {
      window.posencPosted.push(message);
      if (message.type !== "request") return;
      const value = answer(message.name, message.argument);
      window.postMessage({ type: "response", id: message.id, result: { ok: true, value } }, "*");
    },
  };
  Object.assign(window, { acquireVsCodeApi: () => api });
}

/** A panel in Chromium, found by roles and labels as a person finds it. */
export class Panel extends LoadedPage {
  static async open(browser: Browser, url: string, setup: PanelSetup = {}): Promise<Panel> {
    const panel = new Panel();
    panel.attach(await browser.newPage(), url);
    await panel.open(setup);
    return panel;
  }

  /** Until its heading is there: the host has answered. */
  async open(setup: PanelSetup): Promise<void> {
    const { theme = "dark", width = 1280, height = 800 } = setup;
    const given = {
      state: setup.state ?? null,
      config: setup.config ?? null,
      problem: setup.problem ?? null,
      compared: setup.compared ?? null,
      picked: setup.picked ?? null,
      saved: setup.saved ?? null,
      language: setup.language ?? "en",
      withoutWebgl: setup.withoutWebgl ?? false,
    };
    await this.load((page) => page.addInitScript(fakeEditor, given), { theme, width, height });
    await this.page.getByRole("heading", { level: 1 }).waitFor();
  }

  get figure(): Locator {
    return this.page.getByRole("figure").first();
  }

  get plot(): Locator {
    return this.figure.getByRole("application");
  }

  get readout(): Locator {
    return this.page.getByRole("status", { name: "Readout" });
  }

  /** The figure has drawn what was asked for. */
  async drawn(): Promise<void> {
    await this.page.locator('[role=figure][aria-busy="false"]').first().waitFor();
  }

  /** No figure is being drawn any more: a comparison has three. */
  async settled(): Promise<void> {
    await this.page.getByRole("figure").first().waitFor();
    await this.page.locator('[role=figure][aria-busy="true"]').first().waitFor({ state: "detached" });
  }

  async chooseView(name: string): Promise<void> {
    await this.page.getByRole("tab", { name, exact: true }).click();
  }

  field(name: string): Locator {
    return this.page.getByRole("textbox", { name, exact: true });
  }

  /** The exact number that an entry of the readout carries. */
  async reading(name: string): Promise<number> {
    const entry = this.readout.locator("div.entry", {
      has: this.page.locator("dt", { hasText: new RegExp(`^${name}$`) }),
    });
    return Number(await entry.locator("dd").first().getAttribute("title"));
  }

  /** PNG of the drawing. */
  async screenshot(): Promise<Buffer> {
    await this.drawn();
    return this.plot.screenshot();
  }

  /** Equal pictures have equal fingerprints. */
  async picture(): Promise<string> {
    return createHash("sha1")
      .update(await this.screenshot())
      .digest("hex");
  }

  send(message: HostToView): Promise<void> {
    return this.page.evaluate((data) => window.postMessage(data, "*"), message);
  }

  posted(): Promise<{ type: string; name?: string; [key: string]: unknown }[]> {
    return this.page.evaluate(() => window.posencPosted as { type: string }[]);
  }

  state(): Promise<PanelState> {
    return this.page.evaluate(() => window.posencState as PanelState);
  }

  /** Takes an item of one of the header's menus. */
  async fromMenu(menu: "Copy" | "Export", item: string): Promise<void> {
    await this.page.getByRole("button", { name: menu, exact: true }).click();
    await this.menuItem(item).click();
  }

  /** An item of the open menu by its first line. */
  menuItem(label: string): Locator {
    return this.page.getByRole("menuitem").filter({ has: this.page.getByText(label, { exact: true }) });
  }

  /** The text that the page asked the host to put on the clipboard. */
  async copiedText(): Promise<string> {
    await this.page.waitForFunction(() => window.posencCopied.length > 0);
    return this.page.evaluate(() => window.posencCopied.pop() ?? "");
  }

  /** The file that the page asked the host to save. */
  async savedFile(): Promise<Saved> {
    await this.page.waitForFunction(() => window.posencSaved.length > 0);
    const saved = await this.page.evaluate(() => {
      const { name, data } = window.posencSaved.pop() ?? { name: "", data: "" };
      return { name, data: data instanceof Uint8Array ? Array.from(data) : String(data) };
    });
    return { name: saved.name, data: typeof saved.data === "string" ? saved.data : Uint8Array.from(saved.data) };
  }
}

import type { Disposable, Page } from "playwright-core";
import { EDITOR_THEMES, type EditorTheme, type ThemeName } from "./themes.ts";

declare global {
  interface Window {
    refusedByPolicy: string[];
  }
}

export interface Looks {
  readonly theme: ThemeName;
  readonly width: number;
  readonly height: number;
}

/** Runs in the page before its own script: what every editor does to a page. */
function surroundings({ classes, variables }: EditorTheme): void {
  window.refusedByPolicy = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    window.refusedByPolicy.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
  document.addEventListener("DOMContentLoaded", () => {
    document.body.className = classes;
    for (const [name, value] of Object.entries(variables)) {
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
    }
  });
}

/** A page of the product, loaded in one tab as often as asked: each further tab would be a renderer to start. */
export class LoadedPage {
  readonly errors: string[] = [];
  #tab: { readonly page: Page; readonly url: string } | null = null;
  #scripts: readonly Disposable[] = [];

  /** The tab to load in from now on. */
  attach(page: Page, url: string): void {
    // Only for what never comes.
    page.setDefaultTimeout(30_000);
    page.on("pageerror", (error) => this.errors.push(String(error)));
    this.#tab = { page, url };
    this.#scripts = [];
  }

  get page(): Page {
    if (this.#tab === null) throw new Error("there is no tab to load in");
    return this.#tab.page;
  }

  /** Loads the page with an editor around it, as if the tab had been opened for it. */
  protected async load(addEditor: (page: Page) => Promise<Disposable>, { theme, width, height }: Looks): Promise<void> {
    const { page } = this;
    await page.context().clearPermissions();
    await page.setViewportSize({ width, height });
    await page.mouse.move(-1, -1);
    for (const script of this.#scripts) await script.dispose();
    this.#scripts = [await page.addInitScript(surroundings, EDITOR_THEMES[theme]), await addEditor(page)];
    this.errors.length = 0;
    await page.goto(this.#tab?.url ?? "");
  }

  /** What the policy forbade; tfjs brings a package that tries WebAssembly and goes on without it. */
  async refused(): Promise<readonly string[]> {
    const all = await this.page.evaluate(() => window.refusedByPolicy);
    return all.filter((refusal) => !refusal.includes("wasm-eval"));
  }

  async setTheme(theme: ThemeName): Promise<void> {
    await this.page.evaluate(({ classes, variables }) => {
      for (const [name, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(`--vscode-${name}`, value);
      }
      document.body.className = classes;
    }, EDITOR_THEMES[theme]);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}

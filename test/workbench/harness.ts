import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { root } from "../../scripts/lib/bundles.ts";
import { launchChromium } from "../../scripts/lib/chromium.ts";
import { startWorkbench, type Workbench } from "../../scripts/lib/workbench/server.ts";

export const THEMES = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  "hc-black": "Default High Contrast",
  "hc-light": "Default High Contrast Light",
} as const;

export interface Choices {
  readonly theme?: keyof typeof THEMES;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Another folder than the sample workspace; copied too. */
  readonly folder?: string;
  /** A `.code-workspace` file of the folder, whose folders are shown in its place. */
  readonly workspace?: string;
  readonly width?: number;
  readonly height?: number;
}

/** A word in an editor: the given occurrence (from 0) on the lines on screen. */
interface WordAt {
  readonly line?: number;
  readonly occurrence?: number;
}

/** The real VS Code for the Web with our extension, on a scratch copy of the sample workspace, in Chromium. */
export class Journey {
  readonly page: Page;
  /** The scratch copy. */
  readonly folder: string;
  /** What the page logged as errors. */
  readonly errors: readonly string[];
  private readonly stop: () => Promise<void>;

  private constructor(page: Page, folder: string, errors: readonly string[], stop: () => Promise<void>) {
    this.page = page;
    this.folder = folder;
    this.errors = errors;
    this.stop = stop;
  }

  static async start(choices: Choices = {}): Promise<Journey> {
    const scratch = await mkdtemp(path.join(tmpdir(), "posenc-journey-"));
    const folder = path.join(scratch, "workspace");
    await cp(choices.folder ?? path.join(root, "test/fixtures/workspace"), folder, { recursive: true });
    const settings = { "workbench.colorTheme": THEMES[choices.theme ?? "dark"], ...choices.settings };
    const shown = choices.workspace === undefined ? {} : { workspace: choices.workspace };
    const workbench = await startWorkbench({ folder, ...shown, port: 0, settings });
    const browser = await launchChromium();
    const stop = () => stopAll(browser, workbench, scratch);
    try {
      const viewport = { width: choices.width ?? 1440, height: choices.height ?? 900 };
      const context = await browser.newContext({ viewport, permissions: ["clipboard-read", "clipboard-write"] });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const errors = collectErrors(page);
      await page.goto(workbench.url);
      const journey = new Journey(page, folder, errors, stop);
      await journey.ready();
      return journey;
    } catch (failure) {
      await stop();
      throw failure;
    }
  }

  end(): Promise<void> {
    return this.stop();
  }

  /** The explorer lists the folder: file system and extension host are up. */
  private async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench").waitFor();
    await this.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  }

  /** Settings of the workspace from now on, as another program writes them. */
  async configure(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await mkdir(path.join(this.folder, ".vscode"), { recursive: true });
    await writeFile(path.join(this.folder, ".vscode/settings.json"), JSON.stringify(settings));
  }

  /** Runs the command with exactly this label from the palette. */
  async command(label: string): Promise<void> {
    await this.page.keyboard.press("F1");
    await this.quickInput().fill(`>${label}`);
    const row = this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: label }).first();
    await row.waitFor();
    await row.click();
  }

  private quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible .quick-input-box input");
  }

  /** The rows of the quick pick that is open. */
  picks(): Locator {
    return this.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row");
  }

  /** Types into the open quick pick. */
  async search(text: string): Promise<void> {
    await this.quickInput().fill(text);
  }

  /** Types into the open quick pick and takes the row with this text. */
  async pick(text: string): Promise<void> {
    await this.search(text);
    await this.picks().filter({ hasText: text }).first().click();
  }

  /** Opens a file of the workspace (`gpt2/config.json`) as a person would: Ctrl+P and its path. */
  async open(file: string): Promise<void> {
    const name = path.posix.basename(file);
    const folder = path.posix.dirname(file);
    await this.page.keyboard.press("Control+p");
    await this.quickInput().fill(file);
    const row = this.picks().filter({ hasText: name });
    await (folder === "." ? row : row.filter({ hasText: folder })).first().click();
    // Tabs of the same name look alike; the path above the text does not.
    const crumbs = this.page.locator(".editor-group-container.active .breadcrumbs-control");
    for (const part of file.split("/")) await crumbs.getByText(part, { exact: true }).waitFor();
  }

  /** The editor that has the focus or, after a click elsewhere, the active group's. */
  editor(): Locator {
    return this.page.locator(".editor-group-container.active .monaco-editor").first();
  }

  /** Puts the cursor at a line and column (from 1). */
  async goTo(line: number, column = 1): Promise<void> {
    await this.editor().click();
    await this.page.keyboard.press("Control+g");
    const input = this.quickInput();
    await input.fill(`:${line}:${column}`);
    await input.press("Enter");
  }

  /** Hovers a word of the visible text, and gives the hover that appears. */
  async hover(word: string, { line, occurrence = 0 }: WordAt = {}): Promise<Locator> {
    if (line !== undefined) await this.goTo(line);
    const spans = this.editor().locator(".view-line span span").filter({ hasText: word });
    await spans.nth(occurrence).hover();
    return this.shownHover();
  }

  /** The hover that was asked for, once it has faded in. */
  async shownHover(): Promise<Locator> {
    const hover = this.page.locator(".monaco-hover:visible").filter({ hasNotText: "Loading..." }).first();
    await hover.waitFor();
    await hover.evaluate((element) => Promise.allSettled(element.getAnimations().map(({ finished }) => finished)));
    return hover;
  }

  /** The page inside the webview that is on screen. */
  webview(): FrameLocator {
    return this.page
      .locator("iframe.webview.ready:visible")
      .last()
      .contentFrame()
      .locator("#active-frame")
      .contentFrame();
  }

  /** The panel's main drawing, once it has been computed. */
  async figure(): Promise<Locator> {
    const figure = this.webview().getByRole("figure").first();
    await figure.waitFor();
    await this.settled(figure);
    return figure;
  }

  /** Waits until a figure is not being computed. */
  async settled(figure: Locator): Promise<void> {
    await this.webview().locator('[role="figure"]:not([aria-busy="true"])').first().waitFor();
    await figure.and(this.webview().locator(':not([aria-busy="true"])')).waitFor();
  }

  /**
   * Reloads the window once the workbench has put down this text about its editors. It does so every few seconds, and
   * what it writes while it is being unloaded may be lost.
   */
  async reload(text: string): Promise<void> {
    await this.page.waitForFunction(holdsInStorage, text);
    await this.page.reload();
  }

  async screenshot(name: string): Promise<void> {
    const folder = path.join(root, "out/screenshots");
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
  }
}

/** Runs in the page: whether what VS Code for the Web remembers of its editors holds a text. */
async function holdsInStorage(text: string): Promise<boolean> {
  const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name = "" } of await indexedDB.databases()) {
    if (!name.startsWith("vscode-web-state-db-")) continue;
    const database = await settled(indexedDB.open(name));
    try {
      const table = database.transaction("ItemTable").objectStore("ItemTable");
      const value: unknown = await settled(table.get("memento/workbench.parts.editor"));
      if (typeof value === "string" && value.replaceAll("\\", "").includes(text)) return true;
    } finally {
      database.close();
    }
  }
  return false;
}

function collectErrors(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return errors;
}

async function stopAll(browser: Browser, workbench: Workbench, scratch: string): Promise<void> {
  await browser.close();
  await workbench.close();
  await rm(scratch, { recursive: true, force: true });
}

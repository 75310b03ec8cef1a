import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { launchChromium } from "../chromium.ts";
import { root } from "../root.ts";
import { ATTEMPT_LIMIT, attempt, STEP_LIMIT } from "./driver/attempts.ts";
import { clickFor } from "./driver/delivery.ts";
import { QuickInput } from "./driver/quickInput.ts";
import { showContainer } from "./driver/rows.ts";
import { TextEditor } from "./driver/textEditor.ts";
import { startWorkbench, type Workbench } from "./server.ts";

export const THEMES = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  "hc-black": "Default High Contrast",
  "hc-light": "Default High Contrast Light",
} as const;

/** Milliseconds for all of VS Code to load and start. */
const START_LIMIT = 50_000;

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

/** The real VS Code for the Web with our extension, on a scratch copy of the sample workspace, in Chromium. */
export class Journey {
  readonly page: Page;
  /** The scratch copy. */
  readonly folder: string;
  /** What the page logged as errors. */
  readonly errors: readonly string[];
  readonly quickInput: QuickInput;
  readonly editor: TextEditor;
  private readonly stop: () => Promise<void>;

  private constructor(page: Page, folder: string, errors: readonly string[], stop: () => Promise<void>) {
    this.page = page;
    this.folder = folder;
    this.errors = errors;
    this.quickInput = new QuickInput(page);
    this.editor = new TextEditor(page, this.quickInput);
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
      page.setDefaultTimeout(STEP_LIMIT);
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
    const row = this.page.locator(".explorer-folders-view .monaco-list-row").first();
    await row.waitFor({ timeout: START_LIMIT });
  }

  /** Settings of the workspace from now on, as another program writes them. */
  async configure(settings: Readonly<Record<string, unknown>>): Promise<void> {
    await mkdir(path.join(this.folder, ".vscode"), { recursive: true });
    await writeFile(path.join(this.folder, ".vscode/settings.json"), JSON.stringify(settings));
  }

  /** Runs the command with exactly this label from the palette, by keyboard. */
  command(label: string): Promise<void> {
    const name = this.page.locator(".label-name").getByText(label, { exact: true });
    return this.quickInput.ask("F1", `>${label}`, this.picks().filter({ has: name }).first());
  }

  /** The rows of the quick pick that is open. */
  picks(): Locator {
    return this.quickInput.rows;
  }

  /** Types into the open quick pick and takes the row with this text. */
  pick(text: string): Promise<void> {
    return this.quickInput.choose(text, this.picks().filter({ hasText: text }).first());
  }

  /** Clicks what opens a quick pick, and takes the row with this text; clicks again if the pick went away. */
  pickAfter(opener: Locator, text: string): Promise<void> {
    const row = this.picks().filter({ hasText: text }).first();
    return attempt(`pick ${text}`, async () => {
      if (!(await row.isVisible())) await clickFor(opener, row);
      return this.quickInput.take(row);
    });
  }

  /** Opens a file of the workspace (`gpt2/config.json`) as a person would: Ctrl+P and its path. */
  open(file: string): Promise<void> {
    const [name = "", ...folders] = file.split("/").reverse();
    const rows = this.picks().filter({ hasText: name });
    const row = (folders.length === 0 ? rows : rows.filter({ hasText: folders.toReversed().join("/") })).first();
    const group = this.page.locator(".editor-group-container.active");
    return attempt(`open ${file}`, async () => {
      await this.quickInput.ask("Control+p", file, row);
      // Tabs of the same name look alike; the path above the text does not.
      for (const part of file.split("/"))
        await group
          .locator(".breadcrumbs-control")
          .getByText(part, { exact: true })
          .waitFor({ timeout: ATTEMPT_LIMIT });
      // The text comes after its path, and takes the focus then; notebooks lie over their group.
      const focused = this.page.locator(".editor-group-container.active :focus, .notebookOverlay :focus");
      await focused.first().waitFor({ timeout: ATTEMPT_LIMIT });
      return undefined;
    });
  }

  /** Line and column (from 1) where a text begins in a file of the workspace, as it is on disk. */
  async placeOf(file: string, text: string): Promise<{ readonly line: number; readonly column: number }> {
    const content = await readFile(path.join(this.folder, file), "utf8");
    const at = content.indexOf(text);
    if (at < 0) throw new Error(`${file} does not have ${text}`);
    const lines = content.slice(0, at).split("\n");
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  }

  /** Opens a file with the cursor where a text begins. */
  async openAt(file: string, text: string): Promise<void> {
    const { line, column } = await this.placeOf(file, text);
    await this.open(file);
    await this.editor.goTo(line, column);
  }

  /** Runs a command as a page that embeds VS Code may: to set a scene, not as a part of a journey. */
  private run(id: string): Promise<void> {
    return this.page.evaluate(`new Promise((done, fail) =>
      require(["vs/workbench/workbench.web.main"], ({ commands }) =>
        commands.executeCommand(${JSON.stringify(id)}).then(() => done(), fail)))`);
  }

  /** Closes all editors and what lies over them; what is unsaved in them is lost. */
  closeEditors(): Promise<void> {
    const tabs = this.page.locator(".editor-group-container .tab");
    return attempt("close all editors", async () => {
      await this.page.mouse.move(0, 0);
      await this.quickInput.close();
      for (let open = await tabs.count(); open > 0; open--)
        await this.run("workbench.action.revertAndCloseActiveEditor");
      const left = await tabs.count();
      return left === 0 ? undefined : `${left} are left`;
    });
  }

  /** Shows the explorer with all folders closed. */
  async collapseExplorer(): Promise<void> {
    await showContainer(this.page, "Explorer");
    const open = this.page.locator('.explorer-folders-view .monaco-list-row[aria-expanded="true"][aria-level="1"]');
    return attempt("collapse the explorer", async () => {
      await this.run("workbench.files.action.collapseExplorerFolders");
      const left = await open.count();
      return left === 0 ? undefined : `${left} folders are open`;
    });
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

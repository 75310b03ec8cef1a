import type { Locator, Page } from "playwright-core";
import { ATTEMPT_LIMIT, attempt, type Outcome } from "./attempts.ts";
import { deliverKeys } from "./delivery.ts";

/** More rows than a step has to pass to reach the one that it wants. */
const MAX_STEPS = 40;
/** More questions than a dialog asks in a row. */
const MAX_QUESTIONS = 3;

/**
 * VS Code's line at the top: palette, list of files, picks, names of files. It closes whenever the focus goes elsewhere,
 * which a tree that has just been loaded or a page that has just come up may cause.
 */
export class QuickInput {
  readonly input: Locator;
  readonly rows: Locator;
  readonly #page: Page;
  readonly #widget: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator(".quick-input-widget:visible");
    this.input = this.#widget.locator(".quick-input-box input");
    this.rows = this.#widget.locator(".quick-input-list .monaco-list-row");
  }

  /** Opens it by a key, sees that it has the focus, types, takes a row, and begins again where it went away. */
  ask(key: string, text: string, row: Locator): Promise<void> {
    return attempt(`${key} ${text}`, async () => {
      await this.close();
      await this.#page.keyboard.press(key);
      await this.input.and(this.#page.locator(":focus")).waitFor({ timeout: ATTEMPT_LIMIT });
      return (await this.write(text)) ?? (await this.take(row));
    });
  }

  /** Waits for an extension's pick, types, and takes a row. */
  choose(text: string, row: Locator): Promise<void> {
    return attempt(`choose ${text}`, async () => (await this.write(text)) ?? (await this.take(row)));
  }

  /** Waits for a pick, and types. */
  search(text: string): Promise<void> {
    return attempt(`search ${text}`, () => this.write(text));
  }

  /** Types over what is in it. */
  async write(text: string): Promise<Outcome> {
    await this.input.fill(text, { timeout: ATTEMPT_LIMIT });
    const written = await this.input.inputValue({ timeout: ATTEMPT_LIMIT });
    return written === text ? undefined : `it reads "${written}"`;
  }

  /** Goes to a row by keyboard and takes it by Enter, which counts only while it is the chosen one. */
  async take(row: Locator): Promise<Outcome> {
    await row.waitFor({ timeout: ATTEMPT_LIMIT });
    const chosen = row.and(this.#page.locator(".focused"));
    for (let steps = 0; (await chosen.count()) === 0; steps++) {
      if (steps === MAX_STEPS) return "the row was not reached";
      await this.input.press("ArrowDown", { timeout: ATTEMPT_LIMIT });
    }
    const element = await chosen.elementHandle({ timeout: ATTEMPT_LIMIT });
    const text = await element?.textContent();
    const lost = await deliverKeys(this.#widget, "Enter", chosen);
    if (lost !== undefined) return lost;
    await this.#page.waitForFunction(isGone, { element, text }, { timeout: ATTEMPT_LIMIT });
    return undefined;
  }

  /** Closes what is open; in a dialog that asks something, that question goes first. */
  close(): Promise<void> {
    return attempt("close the quick input", async () => {
      for (let questions = 0; questions < MAX_QUESTIONS && (await this.#widget.isVisible()); questions++)
        await this.input.press("Escape", { timeout: ATTEMPT_LIMIT });
      await this.#widget.waitFor({ state: "hidden", timeout: ATTEMPT_LIMIT });
      return undefined;
    });
  }
}

/** Runs in the page: whether a row went away, or stands for something else now. */
function isGone({ element, text }: { element: Element | null; text: string | null | undefined }): boolean {
  return element?.checkVisibility() !== true || element.textContent !== text;
}

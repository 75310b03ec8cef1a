import type { Locator, Page } from "playwright-core";
import { ATTEMPT_LIMIT, attempt, EFFECT_LIMIT } from "./attempts.ts";
import { deliverClick, deliverKeys, insertIn, pressIn, typeIn } from "./delivery.ts";
import type { QuickInput } from "./quickInput.ts";

/** A word in an editor: the given occurrence (from 0) on the lines on screen. */
export interface WordAt {
  readonly line?: number;
  readonly occurrence?: number;
  /** What the hover says when it is the one that was asked for. */
  readonly says: string | RegExp;
}

const MAX_STEPS = 40;

/** The editor that has the focus or, after a click elsewhere, the active group's. Its keys arrive in it or nowhere. */
export class TextEditor {
  readonly root: Locator;
  readonly #page: Page;
  readonly #input: Locator;
  readonly #quickInput: QuickInput;

  constructor(page: Page, quickInput: QuickInput) {
    this.#page = page;
    this.#quickInput = quickInput;
    this.root = page.locator(".editor-group-container.active .monaco-editor").first();
    this.#input = this.root.locator("textarea.inputarea");
  }

  /** A line on screen with this text. */
  line(text: string | RegExp): Locator {
    return this.root.locator(".view-line").filter({ hasText: text });
  }

  lens(text: string | RegExp): Locator {
    return this.root.locator(".codelens-decoration a").filter({ hasText: text }).first();
  }

  press(keys: string): Promise<void> {
    return pressIn(this.#input, keys);
  }

  type(text: string): Promise<void> {
    return typeIn(this.#input, text);
  }

  insert(text: string): Promise<void> {
    return insertIn(this.#input, text);
  }

  /** Puts the cursor at a line and column (from 1), and sees it there in the status bar. */
  goTo(line: number, column = 1): Promise<void> {
    const cursor = this.#page
      .locator(".statusbar-item")
      .filter({ hasText: new RegExp(`Ln ${line}, Col ${column}\\b`) });
    return attempt(`go to ${line}:${column}`, async () => {
      await this.#quickInput.close();
      await this.#input.focus({ timeout: ATTEMPT_LIMIT });
      const input = this.#quickInput.input;
      const lost =
        (await deliverKeys(this.#input, "Control+g")) ??
        (await this.#quickInput.write(`:${line}:${column}`)) ??
        (await deliverKeys(input, "Enter"));
      if (lost === undefined) await cursor.waitFor({ timeout: ATTEMPT_LIMIT });
      return lost;
    });
  }

  /**
   * Replaces the text of a line from its first character that is not a space, as typing does. The text begins with a
   * space: VS Code would put a quote around what is selected.
   */
  async retype(line: number, text: string): Promise<void> {
    await this.goTo(line);
    await this.press("End");
    await this.press("Shift+Home");
    await this.insert(text);
  }

  /** Hovers a word of the visible text with the mouse, and gives the hover that was asked for. */
  async hover(word: string, at: WordAt): Promise<Locator> {
    if (at.line !== undefined) await this.goTo(at.line);
    await attempt(`hover ${word}`, () => this.#pointAt(word, at));
    return this.#hover(at.says);
  }

  /** Takes a link of the hover of a word, which is asked for again if it has gone, until that brings what it is for. */
  followHover(word: string, at: WordAt, link: string, brings: Locator): Promise<void> {
    const hover = this.#hover(at.says);
    return attempt(`follow ${link} of ${word}`, async () => {
      if (await brings.isVisible()) return undefined;
      if (!(await hover.isVisible())) await this.#pointAt(word, at);
      const lost = await deliverClick(hover.getByText(link));
      if (lost === undefined) await brings.waitFor({ timeout: EFFECT_LIMIT });
      return lost;
    });
  }

  async #pointAt(word: string, { occurrence = 0, says }: WordAt): Promise<undefined> {
    // The text moves when a lens comes in above it: the mouse comes from elsewhere to where it is now.
    await this.#page.mouse.move(0, 0);
    const spans = this.root.locator(".view-line span span").filter({ hasText: word });
    await spans.nth(occurrence).hover({ timeout: ATTEMPT_LIMIT });
    return shownIn(this.#hover(says));
  }

  /** The hover at the cursor, by keyboard; in a notebook, of the given cell. */
  async showHover(says: string | RegExp, input = this.#input): Promise<Locator> {
    const hover = this.#hover(says);
    await attempt("show hover", async () => {
      await input.focus({ timeout: ATTEMPT_LIMIT });
      // Another hover of this place takes the focus when it is asked for twice.
      if (await this.#page.locator(".monaco-hover:visible").first().isVisible()) await deliverKeys(input, "Escape");
      const lost = (await deliverKeys(input, "Control+k")) ?? (await deliverKeys(input, "Control+i"));
      return lost ?? shownIn(hover);
    });
    return hover;
  }

  #hover(says: string | RegExp): Locator {
    return this.#page.locator(".monaco-hover:visible").filter({ hasText: says }).first();
  }

  /** Takes a completion by Enter, which counts only while it is the chosen one; asks for the list if it has gone. */
  complete(text: string, seen = async () => {}): Promise<void> {
    const rows = this.#page.locator(".suggest-widget.visible .monaco-list-row");
    const chosen = rows.filter({ hasText: text }).and(this.#page.locator(".focused"));
    return attempt(`complete ${text}`, async () => {
      await this.#input.focus({ timeout: ATTEMPT_LIMIT });
      const lost = (await chosen.isVisible()) ? undefined : await deliverKeys(this.#input, "Control+Space");
      if (lost !== undefined) return lost;
      await chosen.waitFor({ timeout: EFFECT_LIMIT });
      await seen();
      return deliverKeys(this.#input, "Enter", chosen);
    });
  }

  /**
   * Takes an action of the bulb by keyboard, as VS Code's menu takes no clicks until it has settled; takes it again only
   * while it has brought nothing.
   */
  act(label: string, brings: Locator, seen = async () => {}): Promise<void> {
    const menu = this.#page.locator(".action-widget:visible");
    const row = menu.locator(".monaco-list-row").filter({ hasText: label }).first();
    const chosen = row.and(this.#page.locator(".focused"));
    return attempt(`act ${label}`, async () => {
      if (await brings.isVisible()) return undefined;
      await this.#input.focus({ timeout: ATTEMPT_LIMIT });
      const lost = await deliverKeys(this.#input, "Control+.");
      if (lost !== undefined) return lost;
      await row.waitFor({ timeout: EFFECT_LIMIT });
      for (let steps = 0; (await chosen.count()) === 0; steps++) {
        const away = steps === MAX_STEPS ? "the action was not reached" : await deliverKeys(menu, "ArrowDown");
        if (away !== undefined) return away;
      }
      await seen();
      const ignored = await deliverKeys(menu, "Enter", chosen);
      if (ignored === undefined) await brings.waitFor({ timeout: EFFECT_LIMIT });
      return ignored;
    });
  }
}

/** A hover is there once it has faded in. */
async function shownIn(hover: Locator): Promise<undefined> {
  await hover.waitFor({ timeout: EFFECT_LIMIT });
  const fadedIn = (element: Element) => Promise.allSettled(element.getAnimations().map(({ finished }) => finished));
  await hover.evaluate(fadedIn, undefined, { timeout: ATTEMPT_LIMIT });
}

import type { ElementHandle, Locator } from "playwright-core";
import { ATTEMPT_LIMIT, attempt, EFFECT_LIMIT, type Outcome } from "./attempts.ts";

interface Guarded {
  /** Events to look at; those of the first type are counted. */
  readonly types: readonly string[];
  /** An element that has to read as it does now when they arrive: rows of lists are used again for other contents. */
  readonly row?: Locator;
  /** The row has to be the chosen one of its list, too. */
  readonly chosen?: boolean;
}

/** What a guard has seen. */
interface Tally {
  readonly arrived: number;
  readonly missed: number;
}

type Element = ElementHandle<HTMLElement | SVGElement>;

/**
 * Does something whose events are for one element. The first that would reach another is swallowed, with all that
 * follow: it does nothing where it was not meant to, and the step can begin again.
 */
async function guarded(target: Locator, how: Guarded, act: (element: Element) => Promise<void>): Promise<Tally> {
  const element = await handleOf(target);
  const { types, row, chosen } = how;
  const watched = row === undefined || row === target ? element : await handleOf(row);
  const guard = await element.evaluateHandle(startGuard, { types, watched, rereads: row !== undefined, chosen });
  try {
    await act(element);
  } catch (failure) {
    await guard.evaluate((each) => each.end()).catch(() => {});
    throw failure;
  }
  // What the events did may have taken the page away that they were for: then they have arrived.
  return guard.evaluate((each) => each.end()).catch(() => ({ arrived: 1, missed: 0 }));
}

async function handleOf(locator: Locator): Promise<Element> {
  const handle = await locator.elementHandle({ timeout: ATTEMPT_LIMIT });
  if (handle === null) throw new Error(`${locator} is not there`);
  return handle;
}

interface Watch {
  readonly types: readonly string[];
  readonly watched: HTMLElement | SVGElement;
  /** What is watched has to read as it does now. */
  readonly rereads: boolean;
  readonly chosen?: boolean | undefined;
}

/** Runs in the page. Methods only: a function with a name of its own would need a helper of the compiler there. */
function startGuard(target: HTMLElement | SVGElement, { types, watched, rereads, chosen }: Watch) {
  const guard = {
    arrived: 0,
    missed: 0,
    hears: false,
    text: watched.textContent,
    handleEvent(event: Event) {
      this.hears = true;
      if (event.type === "probe") return;
      const asItWas = !rereads || (watched.textContent === this.text && (!chosen || watched.matches(".focused")));
      const meant = this.missed === 0 && asItWas && event.composedPath().includes(target);
      if (event.type === types[0]) this[meant ? "arrived" : "missed"]++;
      if (meant) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    end() {
      for (const type of [...types, "probe"]) window.removeEventListener(type, this, true);
      // A page that may run no scripts hears nothing: there it counts alone what comes of the events.
      return this.hears ? { arrived: this.arrived, missed: this.missed } : { arrived: 1, missed: 0 };
    },
  };
  for (const type of [...types, "probe"]) window.addEventListener(type, guard, true);
  window.dispatchEvent(new Event("probe"));
  return guard;
}

const KEYS = ["keydown", "beforeinput"];

/** Runs in the page. */
const hasFocus = (element: HTMLElement | SVGElement): boolean =>
  element.ownerDocument.hasFocus() && element.contains(element.ownerDocument.activeElement);

/** Presses keys for an element that has the focus, as long as a row of its list is the chosen one if that is asked. */
export async function deliverKeys(target: Locator, keys: string, chosen?: Locator): Promise<Outcome> {
  if (!(await target.evaluate(hasFocus, undefined, { timeout: ATTEMPT_LIMIT }))) return "the focus is elsewhere";
  const how = { types: KEYS, ...(chosen === undefined ? {} : { row: chosen, chosen: true }) };
  const { arrived, missed } = await guarded(target, how, () => target.page().keyboard.press(keys));
  return arrived > 0 && missed === 0 ? undefined : `${keys} did not arrive where it was meant to`;
}

/** Puts the focus into an element and presses keys there. */
export function pressIn(target: Locator, keys: string): Promise<void> {
  return attempt(`press ${keys}`, async () => {
    await target.focus({ timeout: ATTEMPT_LIMIT });
    return deliverKeys(target, keys);
  });
}

/** Puts the focus into an element and types there, key by key; what did not arrive is typed again. */
export async function typeIn(target: Locator, text: string): Promise<void> {
  let rest = text;
  await attempt(`type ${text}`, async () => {
    await target.focus({ timeout: ATTEMPT_LIMIT });
    const { arrived } = await guarded(target, { types: KEYS }, () => target.page().keyboard.type(rest));
    rest = rest.slice(arrived);
    return rest === "" ? undefined : `"${rest}" is left to type`;
  });
}

/** Puts the focus into an element and inserts a text there at once, as pasting does. */
export function insertIn(target: Locator, text: string): Promise<void> {
  return attempt(`insert ${text}`, async () => {
    await target.focus({ timeout: ATTEMPT_LIMIT });
    const { arrived } = await guarded(target, { types: ["beforeinput"] }, () =>
      target.page().keyboard.insertText(text),
    );
    return arrived === 1 ? undefined : "the text did not arrive where it was meant to";
  });
}

type Button = Pick<NonNullable<Parameters<Locator["click"]>[0]>, "button" | "modifiers">;

/** Clicks an element once; the click counts only if it reaches that very element, which still reads as it did. */
export async function deliverClick(target: Locator, options: Button = {}): Promise<Outcome> {
  const types = [options.button === "right" ? "contextmenu" : options.button === "middle" ? "auxclick" : "click"];
  const { arrived } = await guarded(target, { types, row: target }, (element) =>
    element.click({ ...options, timeout: ATTEMPT_LIMIT }),
  );
  return arrived > 0 ? undefined : "the click did not arrive where it was meant to";
}

/** Clicks an element until it has brought what it is for, and again only while nothing of that has come. */
export async function clickFor(target: Locator, brings: Locator, options: Button = {}): Promise<void> {
  // What was there before proves nothing until a click has arrived.
  let counts = !(await brings.isVisible());
  let tried = false;
  await attempt(`click ${target}`, async () => {
    if (tried && counts && (await brings.isVisible())) return undefined;
    tried = true;
    const lost = await deliverClick(target, options);
    if (lost !== undefined) return lost;
    counts = true;
    await brings.waitFor({ timeout: EFFECT_LIMIT });
    return undefined;
  });
}

/** F6 and Shift+F6 go from one part of the page to the next, as they do in the editor around it. */

interface Region {
  readonly name: string;
  /** The part, and what in it takes the focus. */
  readonly within: string;
  readonly first: string;
}

const FOCUSABLE = "button:not([disabled]), input, vscode-button, vscode-dropdown, [tabindex='0'], summary, a[href]";

const REGIONS: readonly Region[] = [
  { name: "header", within: "header", first: FOCUSABLE },
  { name: "tabs", within: ".view-choice, vscode-panel-tab[aria-selected='true']", first: FOCUSABLE },
  { name: "parameters", within: ".controls", first: FOCUSABLE },
  { name: "figure", within: ".stage", first: "[role='application'], svg[tabindex='0'], .stage [tabindex='0']" },
  { name: "readout", within: "aside", first: FOCUSABLE },
];

function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}

/** What takes the focus in a region: its first control that can be seen, or the region itself. */
function targetOf({ within, first }: Region): HTMLElement | null {
  for (const region of document.querySelectorAll<HTMLElement>(within)) {
    if (!isShown(region)) continue;
    const inside = [...region.querySelectorAll<HTMLElement>(first)].find(isShown);
    return region.tabIndex >= -1 && region.hasAttribute("tabindex") ? region : (inside ?? null);
  }
  return null;
}

function holdsFocus({ within }: Region): boolean {
  const { activeElement } = document;
  return activeElement !== null && [...document.querySelectorAll(within)].some((part) => part.contains(activeElement));
}

/** @returns false at either end, where the editor's own next part comes */
function moveRegion(step: 1 | -1): boolean {
  const at = REGIONS.findLastIndex(holdsFocus);
  for (let n = at < 0 && step < 0 ? REGIONS.length - 1 : at + step; n >= 0 && n < REGIONS.length; n += step) {
    const region = REGIONS[n];
    const target = region === undefined ? null : targetOf(region);
    if (target === null) continue;
    target.focus();
    return true;
  }
  return false;
}

/** Keys for the whole page; at its ends the editor gets them. */
export function listenForRegions(): void {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "F6" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!moveRegion(event.shiftKey ? -1 : 1)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}

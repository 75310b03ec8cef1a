/** F6 and Shift+F6 move the focus between regions of the page, as in the editor around it. */

interface FocusRegion {
  readonly name: string;
  /** Selectors of the region and of what receives the focus in it. */
  readonly within: string;
  readonly first: string;
}

const FOCUSABLE = "button:not([disabled]), input, vscode-button, vscode-dropdown, [tabindex='0'], summary, a[href]";

const REGIONS: readonly FocusRegion[] = [
  { name: "header", within: "header", first: FOCUSABLE },
  { name: "guided path", within: ".lesson", first: FOCUSABLE },
  { name: "tabs", within: ".view-choice, vscode-panel-tab[aria-selected='true']", first: FOCUSABLE },
  { name: "parameters", within: ".controls", first: FOCUSABLE },
  { name: "figure", within: ".stage", first: "[role='application'], svg[tabindex='0'], .stage [tabindex='0']" },
  { name: "readout", within: "aside", first: FOCUSABLE },
];

function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}

/** The element to focus: the region itself if it is focusable, else its first visible control. */
function focusTarget({ within, first }: FocusRegion): HTMLElement | null {
  for (const region of document.querySelectorAll<HTMLElement>(within)) {
    if (!isShown(region)) continue;
    const inside = [...region.querySelectorAll<HTMLElement>(first)].find(isShown);
    return region.tabIndex >= -1 && region.hasAttribute("tabindex") ? region : (inside ?? null);
  }
  return null;
}

function holdsFocus({ within }: FocusRegion): boolean {
  const { activeElement } = document;
  return activeElement !== null && [...document.querySelectorAll(within)].some((part) => part.contains(activeElement));
}

/** @returns false at either end, where the focus moves on to the editor's own parts */
function moveRegion(step: 1 | -1): boolean {
  const at = REGIONS.findLastIndex(holdsFocus);
  for (let n = at < 0 && step < 0 ? REGIONS.length - 1 : at + step; n >= 0 && n < REGIONS.length; n += step) {
    const region = REGIONS[n];
    const target = region === undefined ? null : focusTarget(region);
    if (target === null) continue;
    target.focus();
    return true;
  }
  return false;
}

/** Handles F6 for the whole page; at either end the editor handles it. */
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

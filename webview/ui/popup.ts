import "./popup.css";

/** Distance from the page's edges. */
const MARGIN = 8;

/** Places an open popup below its anchor and within the page. Elements in the top layer do not move with it. */
function placeBelow(popup: HTMLElement, anchor: Element): void {
  const { left, bottom } = anchor.getBoundingClientRect();
  const furthest = document.documentElement.clientWidth - popup.offsetWidth - MARGIN;
  // Through CSSOM, because the content security policy forbids style attributes in markup.
  popup.style.left = `${Math.max(MARGIN, Math.min(left, furthest))}px`;
  popup.style.top = `${bottom + 3}px`;
  popup.style.maxHeight = `${Math.max(140, window.innerHeight - bottom - 3 - MARGIN)}px`;
}

/** Shows a popover of class `popup` below its anchor, where it stays until it is hidden. */
export function showBelow(popup: HTMLElement, anchor: Element): void {
  popup.showPopover();
  placeBelow(popup, anchor);
  const hidden = new AbortController();
  const { signal } = hidden;
  const update = () => (popup.matches(":popover-open") ? placeBelow(popup, anchor) : hidden.abort());
  window.addEventListener("scroll", update, { signal, capture: true });
  window.addEventListener("resize", update, { signal });
  // The browser does not see a press outside this frame.
  window.addEventListener("blur", () => popup.hidePopover(), { signal });
  popup.addEventListener("beforetoggle", () => hidden.abort(), { signal });
}

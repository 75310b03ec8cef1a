import { html, nothing, render, type TemplateResult } from "lit-html";
import { showBelow } from "./popup.ts";
import "./menu.css";

export interface MenuItem {
  readonly label: string;
  /** A second line with an explanation. */
  readonly hint?: string;
  /** Why the item is disabled. It stays focusable so that the reason can be read. */
  readonly disabled?: string | null;
  readonly onChoose: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly title: string;
  /** Items between separators. Called when the menu opens, because they depend on the current state. */
  readonly groups: () => readonly (readonly MenuItem[])[];
}

let instanceCount = 0;

/** A button with a menu, following the ARIA menu button pattern: arrows, Home, End, first letters, Escape, Tab. */
export class MenuElement extends HTMLElement {
  readonly #id = `menu-${++instanceCount}`;
  #props: MenuProps | null = null;
  #open = false;
  #groups: readonly (readonly MenuItem[])[] = [];

  set props(props: MenuProps) {
    this.#props = props;
    this.#render();
  }

  get #popup(): HTMLElement | null {
    return this.querySelector('[role="menu"]');
  }

  #items(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  }

  #openMenu(focus: "first" | "last"): void {
    const [popup, button] = [this.#popup, this.querySelector("button")];
    if (this.#props === null || popup === null || button === null || this.#open) return;
    this.#groups = this.#props.groups();
    showBelow(popup, button);
    const items = this.#items();
    (focus === "first" ? items[0] : items.at(-1))?.focus();
  }

  /** The focus goes back to the button if it is in the menu. */
  #closeMenu(): void {
    this.#popup?.hidePopover();
  }

  #onToggle({ newState }: ToggleEvent): void {
    this.#open = newState === "open";
    this.#render();
  }

  #choose(item: MenuItem): void {
    if (typeof item.disabled === "string") return;
    this.#closeMenu();
    item.onChoose();
  }

  #onButtonKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    this.#openMenu(event.key === "ArrowDown" ? "first" : "last");
  }

  #onButtonClick(event: Event): void {
    // The button is the popover's invoker, so that pressing it does not count as a press outside.
    event.preventDefault();
    if (this.#open) this.#closeMenu();
    else this.#openMenu("first");
  }

  #onMenuKey(event: KeyboardEvent): void {
    const { key } = event;
    if (key === "Tab") this.#closeMenu();
    // The browser closes the menu; the editor must not see the key.
    if (key === "Escape") event.stopPropagation();
    const items = this.#items();
    const target = menuTarget(
      key,
      items.findIndex((item) => item.matches(":focus")),
      items.map((item) => item.querySelector(".menu-label")?.textContent ?? ""),
    );
    if (target === null) return;
    event.preventDefault();
    event.stopPropagation();
    items[target]?.focus();
  }

  #render(): void {
    if (this.#props !== null) render(this.#template(this.#props), this);
  }

  #template({ label, title }: MenuProps): TemplateResult {
    return html`<button
        type="button"
        class="menu-button"
        title=${title}
        popovertarget=${this.#id}
        aria-haspopup="menu"
        aria-expanded=${this.#open}
        aria-controls=${this.#id}
        @click=${(event: Event) => this.#onButtonClick(event)}
        @keydown=${(event: KeyboardEvent) => this.#onButtonKey(event)}
      >${label}<span class="menu-arrow" aria-hidden="true">▾</span></button>
      <div
        id=${this.#id}
        popover
        class="popup menu"
        role="menu"
        aria-label=${label}
        @beforetoggle=${(event: ToggleEvent) => this.#onToggle(event)}
        @keydown=${(event: KeyboardEvent) => this.#onMenuKey(event)}
      >
        ${this.#groups.map(
          (group, n) => html`${n === 0 ? nothing : html`<div role="separator"></div>`}
            ${group.map((item) => this.#item(item))}`,
        )}
      </div>`;
  }

  #item(item: MenuItem): TemplateResult {
    const note = item.disabled ?? item.hint;
    return html`<button
      type="button"
      role="menuitem"
      tabindex="-1"
      aria-disabled=${typeof item.disabled === "string"}
      @click=${() => this.#choose(item)}
    ><span class="menu-label">${item.label}</span>${note === undefined ? nothing : html`<span class="menu-note">${note}</span>`}</button>`;
  }
}

/** The index of the item that a key moves to; null for other keys. */
export function menuTarget(key: string, from: number, labels: readonly string[]): number | null {
  const last = labels.length - 1;
  switch (key) {
    case "ArrowDown":
      return from >= last ? 0 : from + 1;
    case "ArrowUp":
      return from <= 0 ? last : from - 1;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return key.length === 1 && key !== " " ? findByLetter(key, from, labels) : null;
  }
}

function findByLetter(letter: string, from: number, labels: readonly string[]): number | null {
  const order = labels.map((_, n) => (from + 1 + n) % labels.length);
  return order.find((n) => labels[n]?.toLowerCase().startsWith(letter.toLowerCase())) ?? null;
}

export function defineMenu(): void {
  if (customElements.get("posenc-menu") === undefined) customElements.define("posenc-menu", MenuElement);
}

export function menuButton(props: MenuProps): TemplateResult {
  return html`<posenc-menu .props=${props}></posenc-menu>`;
}

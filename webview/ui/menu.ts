import { html, nothing, render, type TemplateResult } from "lit-html";
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
  #openListeners: AbortController | null = null;
  #groups: readonly (readonly MenuItem[])[] = [];

  set props(props: MenuProps) {
    this.#props = props;
    this.#render();
  }

  disconnectedCallback(): void {
    this.#closeMenu(false);
  }

  #items(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  }

  #openMenu(focus: "first" | "last"): void {
    if (this.#props === null || this.#openListeners !== null) return;
    this.#groups = this.#props.groups();
    this.#openListeners = new AbortController();
    const { signal } = this.#openListeners;
    this.#render();
    this.#placeMenu();
    const items = this.#items();
    (focus === "first" ? items[0] : items.at(-1))?.focus();
    const outside = (event: Event) => {
      if (!(event.target instanceof Node && this.contains(event.target))) this.#closeMenu(false);
    };
    document.addEventListener("pointerdown", outside, { signal, capture: true });
    document.addEventListener("focusin", outside, { signal });
    document.addEventListener("scroll", () => this.#placeMenu(), { signal, capture: true });
    window.addEventListener("resize", () => this.#placeMenu(), { signal });
    window.addEventListener("blur", () => this.#closeMenu(false), { signal });
  }

  #closeMenu(focus: boolean): void {
    if (this.#openListeners === null) return;
    this.#openListeners.abort();
    this.#openListeners = null;
    this.#render();
    if (focus) this.querySelector("button")?.focus();
  }

  /** Places the menu below the button and within the page. */
  #placeMenu(): void {
    const button = this.querySelector("button")?.getBoundingClientRect();
    const list = this.querySelector<HTMLElement>('[role="menu"]');
    if (button === undefined || list === null) return;
    const edge = 8;
    const left = Math.max(edge, Math.min(button.left, document.documentElement.clientWidth - list.offsetWidth - edge));
    // Through CSSOM, because the content security policy forbids style attributes in markup.
    list.style.left = `${left}px`;
    list.style.top = `${button.bottom + 4}px`;
    list.style.maxHeight = `${Math.max(120, window.innerHeight - button.bottom - 4 - edge)}px`;
  }

  #choose(item: MenuItem): void {
    if (typeof item.disabled === "string") return;
    this.#closeMenu(true);
    item.onChoose();
  }

  #onButtonKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    this.#openMenu(event.key === "ArrowDown" ? "first" : "last");
  }

  #onMenuKey(event: KeyboardEvent): void {
    const { key } = event;
    if (key === "Tab") {
      this.#closeMenu(false);
      return;
    }
    const items = this.#items();
    const target = menuTarget(
      key,
      items.findIndex((item) => item.matches(":focus")),
      items.map((item) => item.querySelector(".menu-label")?.textContent ?? ""),
    );
    if (key !== "Escape" && target === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (target === null) this.#closeMenu(true);
    else items[target]?.focus();
  }

  #render(): void {
    const props = this.#props;
    if (props === null) return;
    const open = this.#openListeners !== null;
    render(
      html`<button
          type="button"
          class="menu-button"
          title=${props.title}
          aria-haspopup="menu"
          aria-expanded=${open}
          aria-controls=${this.#id}
          @click=${() => (open ? this.#closeMenu(true) : this.#openMenu("first"))}
          @keydown=${(event: KeyboardEvent) => this.#onButtonKey(event)}
        >${props.label}<span class="menu-arrow" aria-hidden="true">▾</span></button>
        ${open ? this.#list(props.label) : nothing}`,
      this,
    );
  }

  #list(label: string): TemplateResult {
    return html`<div id=${this.#id} class="menu" role="menu" aria-label=${label} @keydown=${(event: KeyboardEvent) => this.#onMenuKey(event)}>
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

import { html, nothing, render, type TemplateResult } from "lit-html";

export interface MenuItem {
  readonly label: string;
  /** One more line: what it makes. */
  readonly hint?: string;
  /** Why it cannot be chosen now. It stays reachable by keys, so that the reason can be read. */
  readonly disabled?: string | null;
  readonly onChoose: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly title: string;
  /** Items between separators. Made when the menu opens: what is offered depends on what is shown by then. */
  readonly groups: () => readonly (readonly MenuItem[])[];
}

let count = 0;

/** A button with a menu below it, as the ARIA practices have it: arrows, Home, End, first letters, Escape, Tab. */
export class MenuElement extends HTMLElement {
  readonly #id = `menu-${++count}`;
  #props: MenuProps | null = null;
  #open: AbortController | null = null;
  #groups: readonly (readonly MenuItem[])[] = [];

  set props(props: MenuProps) {
    this.#props = props;
    this.#draw();
  }

  disconnectedCallback(): void {
    this.#close(false);
  }

  #items(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  }

  #show(focus: "first" | "last"): void {
    if (this.#props === null || this.#open !== null) return;
    this.#groups = this.#props.groups();
    this.#open = new AbortController();
    const { signal } = this.#open;
    this.#draw();
    this.#place();
    const items = this.#items();
    (focus === "first" ? items[0] : items.at(-1))?.focus();
    const outside = (event: Event) => {
      if (!(event.target instanceof Node && this.contains(event.target))) this.#close(false);
    };
    document.addEventListener("pointerdown", outside, { signal, capture: true });
    document.addEventListener("focusin", outside, { signal });
    document.addEventListener("scroll", () => this.#place(), { signal, capture: true });
    window.addEventListener("resize", () => this.#place(), { signal });
    window.addEventListener("blur", () => this.#close(false), { signal });
  }

  #close(focus: boolean): void {
    if (this.#open === null) return;
    this.#open.abort();
    this.#open = null;
    this.#draw();
    if (focus) this.querySelector("button")?.focus();
  }

  /** Below the button, as far to the left as the page's edge asks. */
  #place(): void {
    const button = this.querySelector("button")?.getBoundingClientRect();
    const list = this.querySelector<HTMLElement>('[role="menu"]');
    if (button === undefined || list === null) return;
    const edge = 8;
    const left = Math.max(edge, Math.min(button.left, document.documentElement.clientWidth - list.offsetWidth - edge));
    // Through CSSOM: the page's policy allows no style attributes in markup.
    list.style.left = `${left}px`;
    list.style.top = `${button.bottom + 4}px`;
    list.style.maxHeight = `${Math.max(120, window.innerHeight - button.bottom - 4 - edge)}px`;
  }

  #choose(item: MenuItem): void {
    if (typeof item.disabled === "string") return;
    this.#close(true);
    item.onChoose();
  }

  #buttonKey(event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    this.#show(event.key === "ArrowDown" ? "first" : "last");
  }

  #menuKey(event: KeyboardEvent): void {
    const { key } = event;
    if (key === "Tab") {
      this.#close(false);
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
    if (target === null) this.#close(true);
    else items[target]?.focus();
  }

  #draw(): void {
    const props = this.#props;
    if (props === null) return;
    const open = this.#open !== null;
    render(
      html`<button
          type="button"
          class="menu-button"
          title=${props.title}
          aria-haspopup="menu"
          aria-expanded=${open}
          aria-controls=${this.#id}
          @click=${() => (open ? this.#close(true) : this.#show("first"))}
          @keydown=${(event: KeyboardEvent) => this.#buttonKey(event)}
        >${props.label}<span class="menu-arrow" aria-hidden="true">▾</span></button>
        ${open ? this.#list(props.label) : nothing}`,
      this,
    );
  }

  #list(label: string): TemplateResult {
    return html`<div id=${this.#id} class="menu" role="menu" aria-label=${label} @keydown=${(event: KeyboardEvent) => this.#menuKey(event)}>
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

/** The item that a key leads to; null for keys that do not move. */
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
      return key.length === 1 && key !== " " ? byLetter(key, from, labels) : null;
  }
}

function byLetter(letter: string, from: number, labels: readonly string[]): number | null {
  const order = labels.map((_, n) => (from + 1 + n) % labels.length);
  return order.find((n) => labels[n]?.toLowerCase().startsWith(letter.toLowerCase())) ?? null;
}

export function defineMenu(): void {
  if (customElements.get("posenc-menu") === undefined) customElements.define("posenc-menu", MenuElement);
}

export function menuButton(props: MenuProps): TemplateResult {
  return html`<posenc-menu .props=${props}></posenc-menu>`;
}

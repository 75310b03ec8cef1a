import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { bestMatch, type ChoiceList, filterChoices, type SearchChoice } from "../state/search.ts";

export interface ComboboxProps {
  readonly label: string;
  /** What stands in the field while nobody searches; in the form with a button, what the button says. */
  readonly text: string;
  readonly hint: string;
  /** Made when the list opens: what is offered depends on what is shown by then. */
  readonly choices: () => ChoiceList;
  readonly onChoose: (value: string) => void;
  /** A button that opens the search, in place of a field. */
  readonly asButton?: boolean;
}

let count = 0;

/** A field that searches a list in groups, as the ARIA practices have an editable combobox with a listbox. */
export class ComboboxElement extends HTMLElement {
  readonly #id = `combobox-${++count}`;
  #props: ComboboxProps | null = null;
  #open: AbortController | null = null;
  #all: ChoiceList = [];
  #typed: string | null = null;
  #active: SearchChoice | null = null;

  set props(props: ComboboxProps) {
    this.#props = props;
    this.#draw();
  }

  disconnectedCallback(): void {
    this.#close(false);
  }

  get #found(): ChoiceList {
    return filterChoices(this.#all, this.#typed ?? "");
  }

  get #options(): readonly SearchChoice[] {
    return this.#found.flatMap(({ choices }) => choices);
  }

  #show(): void {
    if (this.#props === null || this.#open !== null) return;
    this.#all = this.#props.choices();
    this.#typed = this.#props.asButton === true ? "" : null;
    this.#active = this.#options.find(({ current }) => current === true) ?? null;
    this.#open = new AbortController();
    const { signal } = this.#open;
    this.#draw();
    const outside = (event: Event) => {
      if (!(event.target instanceof Node && this.contains(event.target))) this.#close(false);
    };
    document.addEventListener("pointerdown", outside, { signal, capture: true });
    document.addEventListener("focusin", outside, { signal });
    document.addEventListener("scroll", () => this.#place(), { signal, capture: true });
    window.addEventListener("resize", () => this.#place(), { signal });
    if (this.#props.asButton === true) this.querySelector("input")?.focus();
    this.#reveal();
  }

  #close(focus: boolean): void {
    if (this.#open === null) return;
    this.#open.abort();
    this.#open = null;
    this.#typed = null;
    this.#active = null;
    this.#draw();
    if (focus) this.querySelector<HTMLElement>(this.#props?.asButton === true ? "button" : "input")?.focus();
  }

  #type(event: Event): void {
    if (!(event.currentTarget instanceof HTMLInputElement)) return;
    const typed = event.currentTarget.value;
    this.#show();
    this.#typed = typed;
    this.#active = bestMatch(this.#found, typed);
    this.#draw();
    this.#reveal();
  }

  #choose(choice: SearchChoice): void {
    const { onChoose } = this.#props ?? {};
    this.#close(true);
    onChoose?.(choice.value);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const handled = this.#open === null ? this.#closedKey(event.key) : this.#openKey(event.key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #closedKey(key: string): boolean {
    if (key !== "ArrowDown" && key !== "ArrowUp" && key !== "Enter") return false;
    this.#show();
    return true;
  }

  #openKey(key: string): boolean {
    switch (key) {
      case "Escape":
        this.#close(true);
        return true;
      case "Tab":
        this.#close(false);
        return false;
      case "Enter":
        if (this.#active === null) this.#close(true);
        else this.#choose(this.#active);
        return true;
      default:
        return this.#move(key);
    }
  }

  #move(key: string): boolean {
    const options = this.#options;
    const at = this.#active === null ? -1 : options.indexOf(this.#active);
    const target = MOVES[key]?.(at, options.length);
    if (target === undefined) return false;
    this.#active = options[Math.min(options.length - 1, Math.max(0, target))] ?? null;
    this.#draw();
    this.#reveal();
    return true;
  }

  #reveal(): void {
    this.#place();
    this.querySelector('[role="option"].active')?.scrollIntoView({ block: "nearest" });
  }

  /** Below the field, as far to the left as the page's edge asks. */
  #place(): void {
    const anchor = this.querySelector(".combobox-anchor")?.getBoundingClientRect();
    const popup = this.querySelector<HTMLElement>(".combobox-popup");
    if (anchor === undefined || popup === null) return;
    const edge = 8;
    const { clientWidth } = document.documentElement;
    const left = Math.max(edge, Math.min(anchor.left, clientWidth - popup.offsetWidth - edge));
    // Through CSSOM: the page's policy allows no style attributes in markup.
    popup.style.left = `${left}px`;
    popup.style.top = `${anchor.bottom + 2}px`;
    popup.style.maxHeight = `${Math.max(140, Math.min(460, window.innerHeight - anchor.bottom - edge))}px`;
  }

  #optionId(choice: SearchChoice): string {
    return `${this.#id}-${this.#options.indexOf(choice)}`;
  }

  #draw(): void {
    if (this.#props !== null) render(this.#template(this.#props), this);
  }

  #template(props: ComboboxProps): TemplateResult {
    const open = this.#open !== null;
    if (props.asButton !== true)
      return html`${this.#input(props, "combobox-anchor")} ${open ? this.#popup(nothing) : nothing}`;
    return html`<button
        type="button"
        class="menu-button combobox-anchor"
        title=${props.label}
        aria-haspopup="dialog"
        aria-expanded=${open}
        @click=${() => (open ? this.#close(true) : this.#show())}
      >${props.text}</button>
      ${open ? this.#popup(this.#input(props, "")) : nothing}`;
  }

  #input({ label, text, hint }: ComboboxProps, kind: string): TemplateResult {
    const open = this.#open !== null;
    const select = (event: Event) => event.target instanceof HTMLInputElement && event.target.select();
    return html`<input
      type="text"
      class=${`combobox-field ${kind}`}
      role="combobox"
      aria-label=${label}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-expanded=${open}
      aria-controls=${`${this.#id}-list`}
      aria-activedescendant=${this.#active === null ? nothing : this.#optionId(this.#active)}
      autocomplete="off"
      spellcheck="false"
      placeholder=${hint}
      .value=${live(this.#typed ?? text)}
      @focus=${select}
      @click=${() => this.#show()}
      @input=${(event: Event) => this.#type(event)}
      @keydown=${(event: KeyboardEvent) => this.#key(event)}
    />`;
  }

  #popup(input: TemplateResult | typeof nothing): TemplateResult {
    const groups = this.#found;
    const label = this.#props?.label ?? "";
    // The field keeps the focus while the pointer chooses.
    const keep = (event: Event) => {
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
    };
    return html`<div class="combobox-popup" @pointerdown=${keep} @mousedown=${keep}>
      ${input}
      <div class="combobox-list" role="listbox" id=${`${this.#id}-list`} aria-label=${label}>
        ${groups.map((group, n) => this.#group(group, n))}
      </div>
      ${groups.length === 0 ? html`<p class="combobox-none" role="status">${t("Nothing matches “{0}”.", this.#typed ?? "")}</p>` : nothing}
    </div>`;
  }

  #group({ label, choices }: ChoiceList[number], n: number): TemplateResult {
    const id = `${this.#id}-group-${n}`;
    return html`<div role="group" aria-labelledby=${id}>
      <div class="combobox-group" id=${id} role="presentation">${label}</div>
      ${choices.map((choice) => this.#option(choice))}
    </div>`;
  }

  #option(choice: SearchChoice): TemplateResult {
    const active = choice === this.#active;
    return html`<div
      role="option"
      id=${this.#optionId(choice)}
      class=${active ? "active" : ""}
      aria-label=${choice.label}
      aria-description=${choice.detail ?? nothing}
      aria-selected=${active}
      aria-current=${choice.current === true ? "true" : nothing}
      @click=${() => this.#choose(choice)}
    >
      <span class="combobox-label">${choice.label}</span>
      ${choice.detail === undefined ? nothing : html`<span class="combobox-detail">${choice.detail}</span>`}
    </div>`;
  }
}

const PAGE = 8;

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % Math.max(1, count),
  ArrowUp: (at, count) => (at <= 0 ? count - 1 : at - 1),
  PageDown: (at) => at + PAGE,
  PageUp: (at) => at - PAGE,
};

export function defineCombobox(): void {
  if (customElements.get("posenc-combobox") === undefined) customElements.define("posenc-combobox", ComboboxElement);
}

export function combobox(props: ComboboxProps): TemplateResult {
  return html`<posenc-combobox .props=${props}></posenc-combobox>`;
}

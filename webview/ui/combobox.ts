import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { bestMatch, type ChoiceGroups, filterChoices, type SearchChoice } from "./search.ts";
import "./combobox.css";

export interface ComboboxProps {
  readonly label: string;
  /** Text of the field while it is not used for searching, or of the button. */
  readonly text: string;
  readonly hint: string;
  /** Called when the list opens, because the choices depend on the current state. */
  readonly choices: () => ChoiceGroups;
  readonly onChoose: (value: string) => void;
  /** Shows a button that opens the search instead of a field. */
  readonly asButton?: boolean;
}

let instanceCount = 0;

/** Searches a grouped list, following the ARIA pattern of an editable combobox with a listbox. */
export class ComboboxElement extends HTMLElement {
  readonly #id = `combobox-${++instanceCount}`;
  #props: ComboboxProps | null = null;
  #openListeners: AbortController | null = null;
  #all: ChoiceGroups = [];
  #typed: string | null = null;
  #active: SearchChoice | null = null;

  set props(props: ComboboxProps) {
    this.#props = props;
    this.#render();
  }

  disconnectedCallback(): void {
    this.#closePopup(false);
  }

  get #matches(): ChoiceGroups {
    return filterChoices(this.#all, this.#typed ?? "");
  }

  get #options(): readonly SearchChoice[] {
    return this.#matches.flatMap(({ choices }) => choices);
  }

  #openPopup(): void {
    if (this.#props === null || this.#openListeners !== null) return;
    this.#all = this.#props.choices();
    this.#typed = this.#props.asButton === true ? "" : null;
    this.#active = this.#options.find(({ current }) => current === true) ?? null;
    this.#openListeners = new AbortController();
    const { signal } = this.#openListeners;
    this.#render();
    const outside = (event: Event) => {
      if (!(event.target instanceof Node && this.contains(event.target))) this.#closePopup(false);
    };
    document.addEventListener("pointerdown", outside, { signal, capture: true });
    document.addEventListener("focusin", outside, { signal });
    document.addEventListener("scroll", () => this.#placePopup(), { signal, capture: true });
    window.addEventListener("resize", () => this.#placePopup(), { signal });
    if (this.#props.asButton === true) this.querySelector("input")?.focus();
    this.#reveal();
  }

  #closePopup(focus: boolean): void {
    if (this.#openListeners === null) return;
    this.#openListeners.abort();
    this.#openListeners = null;
    this.#typed = null;
    this.#active = null;
    this.#render();
    if (focus) this.querySelector<HTMLElement>(this.#props?.asButton === true ? "button" : "input")?.focus();
  }

  #onInput(event: Event): void {
    if (!(event.currentTarget instanceof HTMLInputElement)) return;
    const typed = event.currentTarget.value;
    this.#openPopup();
    this.#typed = typed;
    this.#active = bestMatch(this.#matches, typed);
    this.#render();
    this.#reveal();
  }

  #choose(choice: SearchChoice): void {
    const { onChoose } = this.#props ?? {};
    this.#closePopup(true);
    onChoose?.(choice.value);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const handled = this.#openListeners === null ? this.#closedKey(event.key) : this.#openKey(event.key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #closedKey(key: string): boolean {
    if (key !== "ArrowDown" && key !== "ArrowUp" && key !== "Enter") return false;
    this.#openPopup();
    return true;
  }

  #openKey(key: string): boolean {
    switch (key) {
      case "Escape":
        this.#closePopup(true);
        return true;
      case "Tab":
        this.#closePopup(false);
        return false;
      case "Enter":
        if (this.#active === null) this.#closePopup(true);
        else this.#choose(this.#active);
        return true;
      default:
        return this.#moveActive(key);
    }
  }

  #moveActive(key: string): boolean {
    const options = this.#options;
    const at = this.#active === null ? -1 : options.indexOf(this.#active);
    const target = KEY_TARGETS[key]?.(at, options.length);
    if (target === undefined) return false;
    this.#active = options[Math.min(options.length - 1, Math.max(0, target))] ?? null;
    this.#render();
    this.#reveal();
    return true;
  }

  #reveal(): void {
    this.#placePopup();
    this.querySelector('[role="option"].active')?.scrollIntoView({ block: "nearest" });
  }

  /** Places the popup below the field and within the page. */
  #placePopup(): void {
    const anchor = this.querySelector(".combobox-anchor")?.getBoundingClientRect();
    const popup = this.querySelector<HTMLElement>(".combobox-popup");
    if (anchor === undefined || popup === null) return;
    const edge = 8;
    const { clientWidth } = document.documentElement;
    const left = Math.max(edge, Math.min(anchor.left, clientWidth - popup.offsetWidth - edge));
    // Through CSSOM, because the content security policy forbids style attributes in markup.
    popup.style.left = `${left}px`;
    popup.style.top = `${anchor.bottom + 2}px`;
    popup.style.maxHeight = `${Math.max(140, Math.min(460, window.innerHeight - anchor.bottom - edge))}px`;
  }

  #optionId(choice: SearchChoice): string {
    return `${this.#id}-${this.#options.indexOf(choice)}`;
  }

  #render(): void {
    if (this.#props !== null) render(this.#template(this.#props), this);
  }

  #template(props: ComboboxProps): TemplateResult {
    const open = this.#openListeners !== null;
    if (props.asButton !== true)
      return html`${this.#input(props, "combobox-anchor")} ${open ? this.#popup(nothing) : nothing}`;
    return html`<button
        type="button"
        class="menu-button combobox-anchor"
        title=${props.label}
        aria-haspopup="dialog"
        aria-expanded=${open}
        @click=${() => (open ? this.#closePopup(true) : this.#openPopup())}
      >${props.text}</button>
      ${open ? this.#popup(this.#input(props, "")) : nothing}`;
  }

  #input({ label, text, hint }: ComboboxProps, kind: string): TemplateResult {
    const open = this.#openListeners !== null;
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
      @click=${() => this.#openPopup()}
      @input=${(event: Event) => this.#onInput(event)}
      @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
    />`;
  }

  #popup(input: TemplateResult | typeof nothing): TemplateResult {
    const groups = this.#matches;
    const label = this.#props?.label ?? "";
    // The field keeps the focus while the user chooses with the pointer.
    const keepFocus = (event: Event) => {
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
    };
    return html`<div class="combobox-popup" @pointerdown=${keepFocus} @mousedown=${keepFocus}>
      ${input}
      <div class="combobox-list" role="listbox" id=${`${this.#id}-list`} aria-label=${label}>
        ${groups.map((group, n) => this.#group(group, n))}
      </div>
      ${groups.length === 0 ? html`<p class="combobox-none" role="status">${t("Nothing matches “{0}”.", this.#typed ?? "")}</p>` : nothing}
    </div>`;
  }

  #group({ label, choices }: ChoiceGroups[number], n: number): TemplateResult {
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

const PAGE_OPTIONS = 8;

const KEY_TARGETS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % Math.max(1, count),
  ArrowUp: (at, count) => (at <= 0 ? count - 1 : at - 1),
  PageDown: (at) => at + PAGE_OPTIONS,
  PageUp: (at) => at - PAGE_OPTIONS,
};

export function defineCombobox(): void {
  if (customElements.get("posenc-combobox") === undefined) customElements.define("posenc-combobox", ComboboxElement);
}

export function combobox(props: ComboboxProps): TemplateResult {
  return html`<posenc-combobox .props=${props}></posenc-combobox>`;
}

import * as l10n from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { showBelow } from "./popup.ts";
import { bestMatch, type ChoiceGroups, filterChoices, type SearchChoice } from "./search.ts";
import "./combobox.css";
import { ownValue } from "../../src/core/util/ownValue.ts";

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
  #open = false;
  #all: ChoiceGroups = [];
  #typed: string | null = null;
  #active: SearchChoice | null = null;

  set props(props: ComboboxProps) {
    this.#props = props;
    this.#render();
  }

  get #matches(): ChoiceGroups {
    return filterChoices(this.#all, this.#typed ?? "");
  }

  get #options(): readonly SearchChoice[] {
    return this.#matches.flatMap(({ choices }) => choices);
  }

  get #popup(): HTMLElement | null {
    return this.querySelector(".combobox-popup");
  }

  #openPopup(): void {
    const [popup, anchor] = [this.#popup, this.querySelector(".combobox-anchor")];
    if (this.#props === null || popup === null || anchor === null || this.#open) return;
    this.#all = this.#props.choices();
    this.#typed = this.#props.asButton === true ? "" : null;
    this.#active = this.#options.find(({ current }) => current === true) ?? null;
    showBelow(popup, anchor);
    if (this.#props.asButton === true) this.querySelector("input")?.focus();
    this.#reveal();
  }

  #closePopup(): void {
    this.#popup?.hidePopover();
  }

  #onToggle({ newState }: ToggleEvent): void {
    this.#open = newState === "open";
    if (!this.#open) {
      this.#typed = null;
      this.#active = null;
    }
    this.#render();
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
    this.#closePopup();
    onChoose?.(choice.value);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const handled = this.#open ? this.#openKey(event.key) : this.#closedKey(event.key);
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
        this.#closePopup();
        return true;
      case "Tab":
        this.#closePopup();
        return false;
      case "Enter":
        if (this.#active === null) this.#closePopup();
        else this.#choose(this.#active);
        return true;
      default:
        return this.#moveActive(key);
    }
  }

  #moveActive(key: string): boolean {
    const options = this.#options;
    const at = this.#active === null ? -1 : options.indexOf(this.#active);
    const target = ownValue(KEY_TARGETS, key)?.(at, options.length);
    if (target === undefined) return false;
    this.#active = options[Math.min(options.length - 1, Math.max(0, target))] ?? null;
    this.#render();
    this.#reveal();
    return true;
  }

  #reveal(): void {
    this.querySelector('[role="option"].active')?.scrollIntoView({ block: "nearest" });
  }

  #optionId(choice: SearchChoice): string {
    return `${this.#id}-${this.#options.indexOf(choice)}`;
  }

  #render(): void {
    if (this.#props !== null) render(this.#template(this.#props), this);
  }

  #template(props: ComboboxProps): TemplateResult {
    const popupId = `${this.#id}-popup`;
    const asButton = props.asButton === true;
    const onButton = (event: Event) => {
      // The button is the popover's invoker, so that pressing it does not count as a press outside.
      event.preventDefault();
      if (this.#open) this.#closePopup();
      else this.#openPopup();
    };
    // The field keeps the focus while the user chooses with the pointer.
    const keepFocus = (event: Event) => {
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
    };
    return html`${
      asButton
        ? html`<button
            type="button"
            class="menu-button combobox-anchor"
            title=${props.label}
            popovertarget=${popupId}
            aria-haspopup="dialog"
            aria-expanded=${this.#open}
            @click=${onButton}
          >${props.text}</button>`
        : this.#input(props, "combobox-anchor")
    }
      <div
        id=${popupId}
        popover=${asButton ? "auto" : "manual"}
        class="popup combobox-popup"
        @beforetoggle=${(event: ToggleEvent) => this.#onToggle(event)}
        @pointerdown=${keepFocus}
        @mousedown=${keepFocus}
      >
        ${asButton ? this.#input(props, "") : nothing} ${this.#open ? this.#list(props) : nothing}
      </div>`;
  }

  #input({ label, text, hint }: ComboboxProps, kind: string): TemplateResult {
    const select = (event: Event) => event.target instanceof HTMLInputElement && event.target.select();
    return html`<input
      type="text"
      class=${`combobox-field ${kind}`}
      role="combobox"
      aria-label=${label}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-expanded=${this.#open}
      aria-controls=${`${this.#id}-list`}
      aria-activedescendant=${this.#active === null ? nothing : this.#optionId(this.#active)}
      autocomplete="off"
      spellcheck="false"
      placeholder=${hint}
      .value=${live(this.#typed ?? text)}
      @focus=${select}
      @blur=${() => this.#props?.asButton !== true && this.#closePopup()}
      @click=${() => this.#openPopup()}
      @input=${(event: Event) => this.#onInput(event)}
      @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
    />`;
  }

  #list({ label }: ComboboxProps): TemplateResult {
    const groups = this.#matches;
    return html`<div class="combobox-list" role="listbox" id=${`${this.#id}-list`} aria-label=${label}>
        ${groups.map((group, n) => this.#group(group, n))}
      </div>
      ${groups.length === 0 ? html`<p class="combobox-none" role="status">${l10n.t("Nothing matches “{0}”.", this.#typed ?? "")}</p>` : nothing}`;
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

/** What the page needs of the toolkit's text field. */
interface Field extends HTMLElement {
  value: string;
}

function isField(element: Element | null): element is Field {
  return element !== null && "value" in element;
}

/**
 * A text field that shows a value nicely written, and as it is while it is being edited. What a person types is
 * never overwritten under their hands: an update waits until they leave.
 *
 * Properties: `label`, `value` (exact text), `pretty` (how it looks at rest), `invalid`, `hint` (placeholder).
 * Event `typed` with the text as detail, at each change.
 */
export class TextInput extends HTMLElement {
  readonly #field = document.createElement("vscode-text-field");
  #value = "";
  #pretty = "";
  #editing = false;

  /** The toolkit takes its accessible name from the text inside, each time it is connected. */
  set label(label: string) {
    this.#field.textContent = label;
    this.#field.setAttribute("aria-label", label);
  }

  set hint(hint: string) {
    this.#field.setAttribute("placeholder", hint);
  }

  set invalid(invalid: boolean) {
    this.#field.setAttribute("aria-invalid", String(invalid));
    this.classList.toggle("invalid", invalid);
  }

  set value(value: string) {
    this.#value = value;
    this.#show();
  }

  set pretty(pretty: string) {
    this.#pretty = pretty;
    this.#show();
  }

  connectedCallback(): void {
    if (this.#field.parentElement === this) return;
    this.append(this.#field);
    this.#field.addEventListener("focusin", () => this.#begin());
    this.#field.addEventListener("focusout", () => this.#end());
    this.#field.addEventListener("input", (event) => this.#typed(event));
    this.#field.addEventListener("change", (event) => this.#typed(event));
    this.#show();
  }

  #begin(): void {
    this.#show();
    this.#editing = true;
  }

  #end(): void {
    this.#editing = false;
    this.#show();
  }

  #typed(event: Event): void {
    event.stopPropagation();
    if (!isField(this.#field)) return;
    this.dispatchEvent(new CustomEvent("typed", { detail: this.#field.value }));
  }

  #show(): void {
    if (this.#editing || !isField(this.#field)) return;
    const focused = this.#field.matches(":focus-within");
    this.#field.value = focused ? this.#value : this.#pretty;
  }
}

export function defineTextInput(): void {
  if (customElements.get("posenc-text") === undefined) customElements.define("posenc-text", TextInput);
}

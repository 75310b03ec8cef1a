/** What the page needs of the toolkit's text field. */
interface Field extends HTMLElement {
  value: string;
}

function isField(element: Element | null): element is Field {
  return element !== null && "value" in element;
}

/**
 * A text field whose text is never overwritten under a person's hands: an update waits until they leave. It changes
 * nothing on focus either, because that would undo the selection that Tab makes.
 *
 * Properties: `label`, `text`, `invalid`, `hint` (placeholder). Event `typed` with the text as detail, at each change.
 */
export class TextInput extends HTMLElement {
  readonly #field = document.createElement("vscode-text-field");
  #text = "";
  /** What the listeners know: leaving a field tells its text again, also when the field is taken away. */
  #told = "";
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

  set text(text: string) {
    this.#text = text;
    this.#show();
  }

  connectedCallback(): void {
    if (this.#field.parentElement === this) return;
    this.append(this.#field);
    this.#field.addEventListener("focusout", () => this.#end());
    this.#field.addEventListener("input", (event) => this.#typed(event));
    this.#field.addEventListener("change", (event) => this.#typed(event));
    this.#show();
  }

  #end(): void {
    this.#editing = false;
    this.#show();
  }

  #typed(event: Event): void {
    event.stopPropagation();
    if (!isField(this.#field)) return;
    this.#editing = this.#field.matches(":focus-within");
    if (this.#field.value === this.#told) return;
    this.#told = this.#field.value;
    this.dispatchEvent(new CustomEvent("typed", { detail: this.#field.value }));
  }

  #show(): void {
    if (this.#editing || !isField(this.#field)) return;
    this.#field.value = this.#text;
    this.#told = this.#text;
  }
}

export function defineTextInput(): void {
  if (customElements.get("posenc-text") === undefined) customElements.define("posenc-text", TextInput);
}

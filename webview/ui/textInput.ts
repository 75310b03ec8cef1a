import "./textInput.css";

/** The part of the toolkit's text field that the page uses. */
interface ValueField extends HTMLElement {
  value: string;
}

function hasValue(element: Element | null): element is ValueField {
  return element !== null && "value" in element;
}

/**
 * A text field whose text is not overwritten while the user edits it: an update waits until focus leaves. Nothing
 * changes on focus either, because that would undo the selection that Tab makes.
 *
 * Properties: `label`, `text`, `invalid`, `hint` (placeholder). Event `typed` with the text as detail, on each change.
 */
export class TextInput extends HTMLElement {
  readonly #field = document.createElement("vscode-text-field");
  #text = "";
  /**
   * The last reported text. The toolkit fires `change` again on blur and on removal, which must not be reported twice.
   */
  #reported = "";
  #editing = false;

  /** The toolkit takes its accessible name from the text content each time it is connected. */
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
    this.#showText();
  }

  connectedCallback(): void {
    if (this.#field.parentElement === this) return;
    this.append(this.#field);
    this.#field.addEventListener("focusout", () => this.#onFocusOut());
    this.#field.addEventListener("input", (event) => this.#onInput(event));
    this.#field.addEventListener("change", (event) => this.#onInput(event));
    this.#showText();
  }

  #onFocusOut(): void {
    this.#editing = false;
    this.#showText();
  }

  #onInput(event: Event): void {
    event.stopPropagation();
    if (!hasValue(this.#field)) return;
    this.#editing = this.#field.matches(":focus-within");
    if (this.#field.value === this.#reported) return;
    this.#reported = this.#field.value;
    this.dispatchEvent(new CustomEvent("typed", { detail: this.#field.value }));
  }

  #showText(): void {
    if (this.#editing || !hasValue(this.#field)) return;
    this.#field.value = this.#text;
    this.#reported = this.#text;
  }
}

export function defineTextInput(): void {
  if (customElements.get("posenc-text") === undefined) customElements.define("posenc-text", TextInput);
}

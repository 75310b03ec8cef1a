import { noChange } from "lit-html";
import { Directive, directive, type ElementPart } from "lit-html/directive.js";

/** Style properties by their CSS names, custom ones included. */
type StyleProperties = Readonly<Record<string, string>>;

/**
 * Sets style properties in an element's tag through CSSOM, because the content security policy forbids style
 * attributes, which lit's styleMap begins with.
 */
class CssDirective extends Directive {
  override render(_properties: StyleProperties) {
    return noChange;
  }

  override update({ element }: ElementPart, [properties]: [StyleProperties]) {
    if (!(element instanceof HTMLElement)) return noChange;
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
    return noChange;
  }
}

export const css = directive(CssDirective);

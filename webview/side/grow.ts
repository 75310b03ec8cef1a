import { noChange } from "lit-html";
import { Directive, directive, type ElementPart, type PartInfo, PartType } from "lit-html/directive.js";

/** Gives an element its share of the row that it stands in. */
class Grow extends Directive {
  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) throw new Error("grow stands in an element's tag");
  }

  override render(_share: number) {
    return noChange;
  }

  // Through CSSOM: the page's policy allows no style attributes in markup.
  override update({ element }: ElementPart, [share]: [number]) {
    if (element instanceof HTMLElement) element.style.flexGrow = String(share);
    return noChange;
  }
}

export const grow = directive(Grow);

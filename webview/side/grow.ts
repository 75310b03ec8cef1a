import { noChange } from "lit-html";
import { Directive, directive, type ElementPart, type PartInfo, PartType } from "lit-html/directive.js";

/** Sets an element's share of its flex row. */
class FlexGrowDirective extends Directive {
  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) throw new Error("grow stands in an element's tag");
  }

  override render(_share: number) {
    return noChange;
  }

  // Through CSSOM, because the content security policy forbids style attributes in markup.
  override update({ element }: ElementPart, [share]: [number]) {
    if (element instanceof HTMLElement) element.style.flexGrow = String(share);
    return noChange;
  }
}

export const flexGrow = directive(FlexGrowDirective);

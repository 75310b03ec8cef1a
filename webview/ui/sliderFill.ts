import { noChange } from "lit-html";
import { Directive, directive, type ElementPart, type PartInfo, PartType } from "lit-html/directive.js";

/** Sets the custom property with which the style fills a slider up to its knob. */
class SliderFillDirective extends Directive {
  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) throw new Error("fill stands in an element's tag");
  }

  override render(_fraction: number) {
    return noChange;
  }

  // Through CSSOM, because the content security policy forbids style attributes in markup.
  override update({ element }: ElementPart, [fraction]: [number]) {
    if (element instanceof HTMLElement) element.style.setProperty("--fill", `${(fraction * 100).toFixed(2)}%`);
    return noChange;
  }
}

export const sliderFill = directive(SliderFillDirective);

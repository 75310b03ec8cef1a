import { noChange } from "lit-html";
import { Directive, directive, type ElementPart, type PartInfo, PartType } from "lit-html/directive.js";
import { type ColourMap, colourStep, colourTable } from "../../src/core/export/colourMaps.ts";

/** A value's colour, with black or white for readable text on it. */
export function tintColours(value: number, domain: readonly [number, number], map: ColourMap) {
  const step = Math.max(0, colourStep(value, domain)) * 3;
  const [r = 0, g = 0, b = 0] = colourTable(map).subarray(step, step + 3);
  const bright = 0.299 * r + 0.587 * g + 0.114 * b > 140;
  return { background: `rgb(${r}, ${g}, ${b})`, text: bright ? "#000" : "#fff" };
}

/** Sets an element's background to a value's colour, with a readable text colour. */
class TintDirective extends Directive {
  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) throw new Error("tint stands in an element's tag");
  }

  override render(_value: number, _domain: readonly [number, number], _map: ColourMap) {
    return noChange;
  }

  // Through CSSOM, because the content security policy forbids style attributes in markup.
  override update({ element }: ElementPart, [value, domain, map]: Parameters<this["render"]>) {
    if (!(element instanceof HTMLElement)) return noChange;
    const { background, text } = tintColours(value, domain, map);
    element.style.backgroundColor = background;
    element.style.color = text;
    return noChange;
  }
}

export const tint = directive(TintDirective);

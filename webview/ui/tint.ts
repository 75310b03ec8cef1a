import { noChange } from "lit-html";
import { Directive, directive, type ElementPart, type PartInfo, PartType } from "lit-html/directive.js";
import { type ColourMap, colourStep, colourTable } from "../../src/core/export/colourMaps.ts";

/** A value's colour, and black or white, whichever can be read on it. */
export function tintOf(value: number, domain: readonly [number, number], map: ColourMap) {
  const step = Math.max(0, colourStep(value, domain)) * 3;
  const [r = 0, g = 0, b = 0] = colourTable(map).subarray(step, step + 3);
  const bright = 0.299 * r + 0.587 * g + 0.114 * b > 140;
  return { background: `rgb(${r}, ${g}, ${b})`, text: bright ? "#000" : "#fff" };
}

/** Fills an element with a value's colour and writes on it in what can be read there. */
class Tint extends Directive {
  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) throw new Error("tint stands in an element's tag");
  }

  override render(_value: number, _domain: readonly [number, number], _map: ColourMap) {
    return noChange;
  }

  // Through CSSOM: the page's policy allows no style attributes in markup.
  override update({ element }: ElementPart, [value, domain, map]: Parameters<this["render"]>) {
    if (!(element instanceof HTMLElement)) return noChange;
    const { background, text } = tintOf(value, domain, map);
    element.style.backgroundColor = background;
    element.style.color = text;
    return noChange;
  }
}

export const tint = directive(Tint);

import { render, svg, type TemplateResult } from "lit-html";
import { opaqueHex, readPalette } from "../figure/palette.ts";
import type { Chart } from "./chart.ts";
import { chartSvg, plotBox } from "./chartSvg.ts";

/** SVG content that the page's style sheets colour. */
export interface SvgFigure {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Class of the `<svg>` that the style sheets know: "chart". */
  readonly kind: string;
  readonly content: TemplateResult;
}

const COLOURS = ["fill", "stroke"] as const;
const STYLES = [
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "opacity",
  "shape-rendering",
  "paint-order",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
] as const;

type Attribute = readonly [name: string, value: string];

/** What the page's style sheets say of an element, as attributes. */
function settled(element: Element, page: string): readonly Attribute[] {
  const style = getComputedStyle(element);
  const colours = COLOURS.map((name): Attribute => {
    const value = style.getPropertyValue(name);
    return [name, value === "none" || value === "" ? "none" : opaqueHex(value, page)];
  });
  const others = STYLES.map((name): Attribute => [name, style.getPropertyValue(name)]);
  return [...colours, ...others.filter(([, value]) => !["", "none", "normal", "auto"].includes(value))];
}

/** Writes the styles into the elements: a file has no style sheets of ours. All are read before any class goes. */
function settle(root: SVGSVGElement, page: string): void {
  const elements = [...root.querySelectorAll("*")].filter(({ localName }) => localName !== "title");
  const styles = elements.map((element) => settled(element, page));
  elements.forEach((element, n) => {
    for (const [name, value] of styles[n] ?? []) element.setAttribute(name, value);
    element.removeAttribute("class");
  });
  root.removeAttribute("class");
}

/** A figure as the text of an SVG file in the colours that the page has now: axes, marks and words stay vectors. */
export function svgText({ name, width, height, kind, content }: SvgFigure): string {
  const host = document.createElement("div");
  host.className = "off-page";
  document.body.append(host);
  try {
    const { page } = readPalette(host);
    render(
      svg`<svg xmlns="http://www.w3.org/2000/svg" class=${kind} width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>
        <title>${name}</title>
        <rect class="sheet" width=${width} height=${height} fill=${page} />
        ${content}
      </svg>`,
      host,
    );
    const root = host.querySelector("svg");
    if (root === null) return "";
    settle(root, page);
    return new XMLSerializer().serializeToString(root).replace(/<!--[\s\S]*?-->/g, "");
  } finally {
    host.remove();
  }
}

/** Room for a chart's name above it. */
const HEADING = 22;
const KEY = 20;

function chartWithKey(chart: Chart, width: number, top: number): TemplateResult {
  const { lines } = chart;
  const each = lines.length > 12 ? [] : lines;
  let x = 12;
  return svg`<svg class="chart" y=${top} width=${width} height=${chartHeight(chart)} viewBox=${`0 0 ${width} ${chartHeight(chart)}`}>
    <text class="heading" x="12" y="14">${chart.name}</text>
    <svg y=${HEADING} width=${width} height=${chart.height} viewBox=${`0 0 ${width} ${chart.height}`}>
      ${chartSvg(chart, plotBox(chart, width), null)}
    </svg>
    ${each.map((line) => {
      const left = x;
      x += 40 + 7 * line.label.length;
      const y = HEADING + chart.height + 8;
      const dash = line.dashed === true ? "dashed" : "";
      return svg`${
        line.colour === undefined
          ? svg`<path class=${`line ${line.tone} ${dash}`} d=${`M${left} ${y}h18`} />`
          : svg`<path class=${`line ${dash}`} stroke=${line.colour} d=${`M${left} ${y}h18`} />`
      }<text class="tick" x=${left + 24} y=${y + 4}>${line.label}</text>`;
    })}
  </svg>`;
}

function chartHeight({ height }: Chart): number {
  return HEADING + height + KEY;
}

/** Charts one below the other, each with its name and what its lines are, without the crosshair. */
export function chartsSvg(charts: readonly Chart[], width = 900): string {
  let top = 8;
  const content = charts.map((chart) => {
    const at = top;
    top += chartHeight(chart) + 8;
    return chartWithKey({ ...chart, at: null }, width, at);
  });
  return svgText({ name: charts[0]?.name ?? "", width, height: top, kind: "chart", content: svg`${content}` });
}

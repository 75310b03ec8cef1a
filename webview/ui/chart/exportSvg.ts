import { render, svg, type TemplateResult } from "lit-html";
import { opaqueHex, readPalette } from "../palette.ts";
import type { Chart } from "./chart.ts";
import { chartSvg, plotBox } from "./chartSvg.ts";

/** SVG content that is styled by the page's style sheets. */
export interface SvgFigure {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Class of the `<svg>` in the style sheets: "chart". */
  readonly kind: string;
  readonly content: TemplateResult;
}

const COLOUR_PROPERTIES = ["fill", "stroke"] as const;
const STYLE_PROPERTIES = [
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

type StyleAttribute = readonly [name: string, value: string];

/** The computed style of an element as attributes. */
function computedAttributes(element: Element, page: string): readonly StyleAttribute[] {
  const style = getComputedStyle(element);
  const colours = COLOUR_PROPERTIES.map((name): StyleAttribute => {
    const value = style.getPropertyValue(name);
    return [name, value === "none" || value === "" ? "none" : opaqueHex(value, page)];
  });
  const others = STYLE_PROPERTIES.map((name): StyleAttribute => [name, style.getPropertyValue(name)]);
  return [...colours, ...others.filter(([, value]) => !["", "none", "normal", "auto"].includes(value))];
}

/**
 * Writes computed styles into the elements, because a file has no style sheets. All styles are read before any class is
 * removed.
 */
function inlineStyles(root: SVGSVGElement, page: string): void {
  const elements = [...root.querySelectorAll("*")].filter(({ localName }) => localName !== "title");
  const styles = elements.map((element) => computedAttributes(element, page));
  elements.forEach((element, n) => {
    for (const [name, value] of styles[n] ?? []) element.setAttribute(name, value);
    element.removeAttribute("class");
  });
  root.removeAttribute("class");
}

/** A figure as the text of an SVG file in the page's current colours; text and lines stay vectors. */
export function serialiseFigure({ name, width, height, kind, content }: SvgFigure): string {
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
    inlineStyles(root, page);
    return new XMLSerializer().serializeToString(root).replace(/<!--[\s\S]*?-->/g, "");
  } finally {
    host.remove();
  }
}

/** Heights of a chart's name above it and of its legend below. */
const HEADING_HEIGHT = 22;
const LEGEND_HEIGHT = 20;

function chartWithLegend(chart: Chart, width: number, top: number): TemplateResult {
  const { lines } = chart;
  const legendLines = lines.length > 12 ? [] : lines;
  let x = 12;
  return svg`<svg class="chart" y=${top} width=${width} height=${chartHeight(chart)} viewBox=${`0 0 ${width} ${chartHeight(chart)}`}>
    <text class="heading" x="12" y="14">${chart.name}</text>
    <svg y=${HEADING_HEIGHT} width=${width} height=${chart.height} viewBox=${`0 0 ${width} ${chart.height}`}>
      ${chartSvg(chart, plotBox(chart, width), null)}
    </svg>
    ${legendLines.map((line) => {
      const left = x;
      x += 40 + 7 * line.label.length;
      const y = HEADING_HEIGHT + chart.height + 8;
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
  return HEADING_HEIGHT + height + LEGEND_HEIGHT;
}

/** Charts below each other, each with name and legend, without the crosshair. */
export function renderChartsSvg(charts: readonly Chart[], width = 900): string {
  let top = 8;
  const content = charts.map((chart) => {
    const at = top;
    top += chartHeight(chart) + 8;
    return chartWithLegend({ ...chart, crosshair: null }, width, at);
  });
  return serialiseFigure({ name: charts[0]?.name ?? "", width, height: top, kind: "chart", content: svg`${content}` });
}

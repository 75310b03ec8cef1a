import { colourTable } from "../../src/core/export/colourMaps.ts";
import { svgElement as element } from "../../src/core/export/svgText.ts";
import { opaqueHex, type Palette } from "../ui/palette.ts";
import { layOutSheet, type Snapshot, toCanvas } from "./composeFigure.ts";
import { type Box, columnX, rowY } from "./geometry.ts";
import { colourBarTicks, columnTicks, type Overlay, profileLine, rowTicks } from "./overlay.ts";

/** Draws a figure as an SVG file: text, axes, colour bar and lines as vectors, cells as an embedded picture. */

/** The theme's colours as opaque hex, which every SVG reader understands. */
function opaqueColours(palette: Palette): Palette {
  const plain = (colour: string) => opaqueHex(colour, palette.page);
  const { text, muted, line, accent } = palette;
  return { ...palette, text: plain(text), muted: plain(muted), line: plain(line), accent: plain(accent) };
}

type TextAnchor = "start" | "middle" | "end";
type SvgAttributes = Readonly<Record<string, string | number>>;

function roundHundredth(value: number): number {
  return Math.round(value * 100) / 100;
}

function textSvg(text: string, x: number, y: number, anchor: TextAnchor, more: SvgAttributes = {}): string {
  return element("text", { x: roundHundredth(x), y: roundHundredth(y), "text-anchor": anchor, ...more }, text);
}

function lineElement(x1: number, y1: number, x2: number, y2: number, colour: string, more: SvgAttributes = {}): string {
  return element("line", {
    x1: roundHundredth(x1),
    y1: roundHundredth(y1),
    x2: roundHundredth(x2),
    y2: roundHundredth(y2),
    stroke: colour,
    ...more,
  });
}

function frameSvg({ x, y, width, height }: Box, colour: string): string {
  return element("rect", {
    x: x - 0.5,
    y: y - 0.5,
    width: width + 1,
    height: height + 1,
    fill: "none",
    stroke: colour,
  });
}

function columnAxisSvg(overlay: Overlay): string[] {
  const { plot } = overlay.geometry;
  const { size, line } = overlay.palette;
  return [
    textSvg(`${overlay.columnAxis.label} →`, plot.x + plot.width / 2, plot.y - size * 2, "middle"),
    ...columnTicks(overlay).flatMap(({ at, text }) => [
      lineElement(at, plot.y - 4, at, plot.y, line),
      textSvg(text, at, plot.y - size * 0.9, "middle"),
    ]),
  ];
}

function rowAxisSvg(overlay: Overlay): string[] {
  const { plot, rowTitleX } = overlay.geometry;
  const transform = `translate(${roundHundredth(rowTitleX)} ${roundHundredth(plot.y + plot.height / 2)}) rotate(-90)`;
  return [
    textSvg(`← ${overlay.rowAxis.label}`, 0, 0, "middle", { transform }),
    ...rowTicks(overlay).flatMap(({ at, text }) => [
      lineElement(plot.x - 4, at, plot.x, at, overlay.palette.line),
      textSvg(text, plot.x - 7, at, "end"),
    ]),
  ];
}

/** Enough stops that the gradient cannot be distinguished from the map. */
const GRADIENT_STOPS = 32;

function colourBarSvg(overlay: Overlay): string[] {
  const { geometry, palette, map } = overlay;
  const { colourBar, narrow } = geometry;
  const table = colourTable(map);
  const stops = Array.from({ length: GRADIENT_STOPS + 1 }, (_, n) => {
    const at = Math.round((n * 255) / GRADIENT_STOPS) * 3;
    const colour = `rgb(${table[at]},${table[at + 1]},${table[at + 2]})`;
    return element("stop", { offset: n / GRADIENT_STOPS, "stop-color": colour });
  }).join("");
  const direction = narrow ? { x1: 0, y1: 0, x2: 1, y2: 0 } : { x1: 0, y1: 1, x2: 0, y2: 0 };
  const length = narrow ? colourBar.width : colourBar.height;
  const line = palette.size;
  const ticks = colourBarTicks(overlay).flatMap(({ at, text }) => {
    if (narrow)
      return [textSvg(text, colourBar.x + at * length, colourBar.y + colourBar.height + line * 0.8, "middle")];
    const y = colourBar.y + (1 - at) * length;
    const right = colourBar.x + colourBar.width;
    return [lineElement(right, y, right + 3, y, palette.line), textSvg(text, right + 7, y, "start")];
  });
  const gradient = element("linearGradient", { id: "bar", ...direction }, [stops]);
  return [element("defs", {}, [gradient]), element("rect", { ...colourBar, fill: "url(#bar)" }), ...ticks];
}

function profileSvg({ geometry, palette, profile }: Overlay): string[] {
  const { profile: box } = geometry;
  if (profile === null) return [frameSvg(box, palette.line)];
  const path = profileLine(profile, box)(profile.values) ?? "";
  const clip = element("clipPath", { id: "row" }, [element("rect", { ...box })]);
  return [
    frameSvg(box, palette.line),
    element("defs", {}, [clip]),
    element("path", { d: path, fill: "none", stroke: palette.accent, "clip-path": "url(#row)" }),
    textSvg(profile.label, box.x + 8, box.y + palette.size * 0.9, "start"),
  ];
}

function crosshairLines({ geometry, palette, viewport, crosshair }: Overlay): string[] {
  if (crosshair === null) return [];
  const { plot } = geometry;
  const x = columnX(plot, viewport, crosshair.column);
  const y = rowY(plot, viewport, crosshair.row);
  const dashed = { "stroke-dasharray": "3 3" };
  return [
    ...(y >= plot.y && y <= plot.y + plot.height
      ? [lineElement(plot.x, y, plot.x + plot.width, y, palette.text, dashed)]
      : []),
    ...(x >= plot.x && x <= plot.x + plot.width
      ? [lineElement(x, plot.y, x, plot.y + plot.height, palette.text, dashed)]
      : []),
  ];
}

/** The text of the file. */
export function figureSvg({ pixels, name, overlay: shown }: Snapshot): string {
  const overlay = { ...shown, palette: opaqueColours(shown.palette) };
  const { geometry, palette } = overlay;
  const { width, plot } = geometry;
  const { height, top, title } = layOutSheet({ name, overlay });
  const cells = { ...plot, href: toCanvas(pixels).toDataURL("image/png"), preserveAspectRatio: "none" };
  const axes = [...columnAxisSvg(overlay), ...rowAxisSvg(overlay), ...colourBarSvg(overlay), ...profileSvg(overlay)];
  const style = { "font-family": palette.font, "font-size": Math.round(palette.size * 0.85), fill: palette.muted };
  const heading = { "font-size": palette.size, "font-weight": 600, fill: palette.text, "dominant-baseline": "middle" };
  const parts = [
    element("title", {}, name),
    element("rect", { width, height, fill: palette.page }),
    ...title.map(({ text, x, y }) => textSvg(text, x, y, "start", heading)),
    element("g", { transform: `translate(0 ${top})`, "dominant-baseline": "central" }, [
      element("image", cells),
      ...axes,
      frameSvg(plot, palette.line),
      ...crosshairLines(overlay),
    ]),
  ];
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  return `${element("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, ...style }, parts)}\n`;
}

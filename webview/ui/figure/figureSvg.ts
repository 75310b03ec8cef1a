import { colourTable } from "../../../src/core/export/colourMaps.ts";
import { svgElement as element } from "../../../src/core/export/svgText.ts";
import { grouped } from "../../state/format.ts";
import { positionTicks } from "../../state/ticks.ts";
import { canvasOf, type Snapshot, sheetOf } from "./compose.ts";
import { type Box, columnX, rowY } from "./geometry.ts";
import { barTicks, type Overlay, profilePoints } from "./paint.ts";
import { opaqueHex, type Palette } from "./palette.ts";

/** A figure as an SVG file: its words, axes, colour bar and lines as vectors, its cells as one picture inside. */

/** The theme's colours as every reader of SVG knows them. */
function plainColours(palette: Palette): Palette {
  const plain = (colour: string) => opaqueHex(colour, palette.page);
  const { text, muted, line, accent } = palette;
  return { ...palette, text: plain(text), muted: plain(muted), line: plain(line), accent: plain(accent) };
}

type Anchor = "start" | "middle" | "end";
type Attributes = Readonly<Record<string, string | number>>;

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function words(text: string, x: number, y: number, anchor: Anchor, more: Attributes = {}): string {
  return element("text", { x: round(x), y: round(y), "text-anchor": anchor, ...more }, text);
}

function stroke(x1: number, y1: number, x2: number, y2: number, colour: string, more: Attributes = {}): string {
  return element("line", { x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2), stroke: colour, ...more });
}

function frame({ x, y, width, height }: Box, colour: string): string {
  return element("rect", {
    x: x - 0.5,
    y: y - 0.5,
    width: width + 1,
    height: height + 1,
    fill: "none",
    stroke: colour,
  });
}

function columnAxisSvg({ geometry, palette, viewport, columnAxis }: Overlay): string[] {
  const { plot } = geometry;
  const line = palette.size;
  const most = Math.max(3, Math.floor(plot.width / (line * 6.5)));
  return [
    words(`${columnAxis.label} →`, plot.x + plot.width / 2, plot.y - line * 2, "middle"),
    ...positionTicks(viewport.column + columnAxis.first, viewport.columns, most).flatMap((tick) => {
      const x = columnX(plot, viewport, tick - columnAxis.first);
      return [stroke(x, plot.y - 4, x, plot.y, palette.line), words(grouped(tick), x, plot.y - line * 0.9, "middle")];
    }),
  ];
}

function rowAxisSvg({ geometry, palette, viewport, rowAxis }: Overlay): string[] {
  const { plot, rowTitleX } = geometry;
  const most = Math.max(2, Math.floor(plot.height / (palette.size * 4.5)));
  const turned = `translate(${round(rowTitleX)} ${round(plot.y + plot.height / 2)}) rotate(-90)`;
  return [
    words(`← ${rowAxis.label}`, 0, 0, "middle", { transform: turned }),
    ...positionTicks(viewport.row + rowAxis.first, viewport.rows, most).flatMap((tick) => {
      const y = rowY(plot, viewport, tick - rowAxis.first);
      return [stroke(plot.x - 4, y, plot.x, y, palette.line), words(grouped(tick), plot.x - 7, y, "end")];
    }),
  ];
}

/** Steps of the map that a gradient needs to be told from it by nobody. */
const STOPS = 32;

function barSvg({ geometry, palette, map, scale, domain }: Overlay): string[] {
  const { bar, narrow } = geometry;
  const table = colourTable(map);
  const stops = Array.from({ length: STOPS + 1 }, (_, n) => {
    const at = Math.round((n * 255) / STOPS) * 3;
    const colour = `rgb(${table[at]},${table[at + 1]},${table[at + 2]})`;
    return element("stop", { offset: n / STOPS, "stop-color": colour });
  }).join("");
  const direction = narrow ? { x1: 0, y1: 0, x2: 1, y2: 0 } : { x1: 0, y1: 1, x2: 0, y2: 0 };
  const length = narrow ? bar.width : bar.height;
  const line = palette.size;
  const most = Math.max(2, Math.floor(length / (line * 4)));
  const ticks = barTicks({ scale, domain, map }, most).flatMap(({ at, text }) => {
    if (narrow) return [words(text, bar.x + at * length, bar.y + bar.height + line * 0.8, "middle")];
    const y = bar.y + (1 - at) * length;
    const right = bar.x + bar.width;
    return [stroke(right, y, right + 3, y, palette.line), words(text, right + 7, y, "start")];
  });
  const gradient = element("linearGradient", { id: "bar", ...direction }, [stops]);
  return [element("defs", {}, [gradient]), element("rect", { ...bar, fill: "url(#bar)" }), ...ticks];
}

function profileSvg({ geometry, palette, profile }: Overlay): string[] {
  const { profile: box } = geometry;
  if (profile === null) return [frame(box, palette.line)];
  let path = "";
  let pen = false;
  for (const point of profilePoints(profile, box)) {
    if (point !== null) path += `${pen ? "L" : "M"}${round(point[0])} ${round(point[1])}`;
    pen = point !== null;
  }
  const clip = element("clipPath", { id: "row" }, [element("rect", { ...box })]);
  return [
    frame(box, palette.line),
    element("defs", {}, [clip]),
    element("path", { d: path, fill: "none", stroke: palette.accent, "clip-path": "url(#row)" }),
    words(profile.label, box.x + 8, box.y + palette.size * 0.9, "start"),
  ];
}

function crosshairSvg({ geometry, palette, viewport, crosshair }: Overlay): string[] {
  if (crosshair === null) return [];
  const { plot } = geometry;
  const x = columnX(plot, viewport, crosshair.column);
  const y = rowY(plot, viewport, crosshair.row);
  const dashed = { "stroke-dasharray": "3 3" };
  return [
    ...(y >= plot.y && y <= plot.y + plot.height
      ? [stroke(plot.x, y, plot.x + plot.width, y, palette.text, dashed)]
      : []),
    ...(x >= plot.x && x <= plot.x + plot.width
      ? [stroke(x, plot.y, x, plot.y + plot.height, palette.text, dashed)]
      : []),
  ];
}

/** The text of the file. */
export function figureSvg({ pixels, name, overlay: shown }: Snapshot): string {
  const overlay = { ...shown, palette: plainColours(shown.palette) };
  const { geometry, palette } = overlay;
  const { width, plot } = geometry;
  const { height, top, title } = sheetOf({ name, overlay });
  const cells = { ...plot, href: canvasOf(pixels).toDataURL("image/png"), preserveAspectRatio: "none" };
  const axes = [...columnAxisSvg(overlay), ...rowAxisSvg(overlay), ...barSvg(overlay), ...profileSvg(overlay)];
  const style = { "font-family": palette.font, "font-size": Math.round(palette.size * 0.85), fill: palette.muted };
  const heading = { "font-size": palette.size, "font-weight": 600, fill: palette.text, "dominant-baseline": "middle" };
  const parts = [
    element("title", {}, name),
    element("rect", { width, height, fill: palette.page }),
    ...title.map(({ text, x, y }) => words(text, x, y, "start", heading)),
    element("g", { transform: `translate(0 ${top})`, "dominant-baseline": "central" }, [
      element("image", cells),
      ...axes,
      frame(plot, palette.line),
      ...crosshairSvg(overlay),
    ]),
  ];
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  return `${element("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, ...style }, parts)}\n`;
}

import { extent } from "d3-array";
import { line as createLine, type Line } from "d3-shape";
import type { ColourMap } from "../../src/core/export/colourMaps.ts";
import type { ColourScale } from "../../src/core/protocol/state.ts";
import { type ColourDomain, domainFraction, linearShare } from "../engine/colouring.ts";
import type { MatrixCell, Viewport } from "../matrix/viewport.ts";
import { groupDigits } from "../ui/format.ts";
import type { Palette } from "../ui/palette.ts";
import { mapScale, powerText, powerTicks, type Tick, tickText, valueTicks, wholeTicks } from "../ui/scale.ts";
import { type Box, columnX, type FigureGeometry, rowY } from "./geometry.ts";
import type { MatrixAxis } from "./matrixSource.ts";

/** Everything in a figure except its cells, on the page and in a PNG alike. */
export interface Overlay {
  readonly geometry: FigureGeometry;
  readonly palette: Palette;
  readonly viewport: Viewport;
  readonly rowAxis: MatrixAxis;
  readonly columnAxis: MatrixAxis;
  readonly map: ColourMap;
  readonly scale: ColourScale;
  readonly domain: readonly [number, number] | null;
  readonly crosshair: MatrixCell | null;
  readonly profile: RowProfile | null;
}

/** Values of one row, per pixel column or cell. */
export interface RowProfile {
  readonly label: string;
  readonly values: Float64Array;
  /** Horizontal position of a value: 0 at the plot's left edge, 1 at its right. */
  readonly at: (index: number) => number;
}

/** Ticks of the column axis, at their x. */
export function columnTicks({ geometry: { plot }, palette, viewport, columnAxis }: Overlay): Tick[] {
  const maxTicks = Math.max(3, Math.floor(plot.width / (palette.size * 6.5)));
  const from = viewport.column + columnAxis.first - 0.5;
  return wholeTicks(from, from + viewport.columns, maxTicks).map((column) => ({
    at: columnX(plot, viewport, column - columnAxis.first),
    text: groupDigits(column),
  }));
}

/** Ticks of the row axis, at their y. */
export function rowTicks({ geometry: { plot }, palette, viewport, rowAxis }: Overlay): Tick[] {
  const maxTicks = Math.max(2, Math.floor(plot.height / (palette.size * 4.5)));
  const from = viewport.row + rowAxis.first - 0.5;
  return wholeTicks(from, from + viewport.rows, maxTicks).map((row) => ({
    at: rowY(plot, viewport, row - rowAxis.first),
    text: groupDigits(row),
  }));
}

/** Ticks of the colour bar, at fractions of its length. */
export function colourBarTicks({ geometry, palette, domain, scale, map }: Overlay): Tick[] {
  const { colourBar, narrow } = geometry;
  const maxTicks = Math.max(2, Math.floor((narrow ? colourBar.width : colourBar.height) / (palette.size * 4)));
  if (domain === null) return [];
  const [low, high] = domain;
  if (scale === "row" || scale === "rowLog")
    return [
      { at: 0, text: "min" },
      { at: 1, text: "max" },
    ];
  if (scale !== "log") {
    const ticks = valueTicks(low, high, maxTicks);
    const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
    return ticks.map((value) => ({ at: domainFraction(value, domain, "linear"), text: tickText(value, step) }));
  }
  const share = linearShare({ map });
  if (low <= 0) return signedBarTicks(domain, share, maxTicks);
  return powerTicks(low, high, maxTicks).map(({ at, text }) => ({ at: domainFraction(at, domain, share), text }));
}

/** Ticks at 0 and at powers of ten on both sides, as dense as space allows. */
function signedBarTicks([low, high]: ColourDomain, share: number, maxTicks: number): Tick[] {
  const top = Math.floor(Math.log10(Math.max(-low, high)));
  const at = (value: number) => domainFraction(value, [low, high], share);
  const ticks = low <= 0 && high >= 0 ? [{ at: at(0), text: "0" }] : [];
  for (let power = top; power > top + Math.log10(share); power--) {
    const sides = [
      { at: at(10 ** power), text: powerText(power) },
      { at: at(-(10 ** power)), text: `\u2212${powerText(power)}` },
    ];
    const room = sides.filter((tick) => ticks.every((other) => Math.abs(other.at - tick.at) >= 0.8 / maxTicks));
    ticks.push(...room.filter((tick) => tick.at >= 0 && tick.at <= 1));
  }
  return ticks;
}

/** Draws the row profile into its box; values that are not finite leave gaps. */
export function profileLine({ values, at }: RowProfile, box: Box): Line<number> {
  const [low = 0, high = 0] = extent(values.filter(Number.isFinite));
  const y = mapScale({ scale: "linear", from: low, to: high }, [box.y + box.height - 6, box.y + 6]);
  return createLine<number>()
    .defined(Number.isFinite)
    .x((_, n) => box.x + at(n) * box.width)
    .y(y)
    .digits(2);
}

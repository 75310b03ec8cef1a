import { extent } from "d3-array";
import { type Scale, scaleValue } from "../scale.ts";

/** A chart as data: scales, lines and bands. `chartSvg.ts` draws it; its element adapts it to the page's size. */

export type ChartPoint = readonly [x: number, y: number];

export interface ChartAxis extends Scale {
  readonly label: string;
}

/** Colour role of a line or band; `chart.css` maps it to a theme colour. */
export type Tone = "accent" | "second" | "third" | "muted";

export interface ChartLine {
  readonly label: string;
  readonly points: readonly ChartPoint[];
  readonly tone: Tone;
  /** `rgb(…)` instead of the tone, for more lines than tones. */
  readonly colour?: string;
  readonly dashed?: boolean;
  /** Draws steps: each value lasts until the next point. */
  readonly step?: boolean;
}

/** The area between the lowest and highest value of each pixel column. */
export interface ChartArea {
  readonly tone: Tone;
  readonly colour?: string;
  readonly low: readonly ChartPoint[];
  readonly high: readonly ChartPoint[];
}

export interface ChartBand {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly tone: Tone;
}

/** A coloured range of the x axis along the bottom of the plot. */
export interface ChartCell {
  readonly from: number;
  readonly to: number;
  readonly colour: string;
}

export interface ChartRule {
  readonly axis: "x" | "y";
  readonly at: number;
  readonly label: string;
}

export interface ChartDot {
  readonly at: ChartPoint;
  readonly filled: boolean;
  readonly tone: Tone;
}

export interface Chart {
  /** Accessible name. */
  readonly name: string;
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  readonly lines: readonly ChartLine[];
  readonly areas?: readonly ChartArea[];
  /** Marked ranges of the x axis. */
  readonly bands?: readonly ChartBand[];
  readonly strip?: readonly ChartCell[];
  readonly rules?: readonly ChartRule[];
  readonly dots?: readonly ChartDot[];
  /** The crosshair's x, a whole number; null: none. */
  readonly crosshair: number | null;
  /** The text at the crosshair. */
  readonly describe: (x: number) => string;
  /** Called when keys moved the crosshair or the pointer has rested on a place. */
  readonly onPoint: (x: number) => void;
  /** In pixels. */
  readonly height: number;
}

export interface ChartBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The whole number nearest to a fraction of an axis. */
export function nearestWhole(axis: ChartAxis, fraction: number): number {
  return clampWhole(axis, Math.round(scaleValue(axis, Math.min(1, Math.max(0, fraction)))));
}

export function clampWhole(axis: ChartAxis, value: number): number {
  return Math.min(Math.floor(axis.to), Math.max(Math.ceil(axis.from), value));
}

/** Bounds of a value axis with a margin; equal bounds are spread. */
export function roomyBounds(values: Iterable<number>): readonly [number, number] {
  const [low, high] = extent([...values].filter(Number.isFinite));
  if (low === undefined) return [0, 1];
  const room = high > low ? (high - low) * 0.05 : Math.max(1, Math.abs(low) * 0.1);
  return [low - room, high + room];
}

/** What a chart shows, as data: scales, lines and bands. Drawn by `chartSvg.ts`, kept at the page's size by its element. */

export type Point = readonly [x: number, y: number];

export interface ChartAxis {
  readonly label: string;
  readonly scale: "linear" | "log";
  readonly from: number;
  readonly to: number;
}

/** How a line or band looks; `chart.css` gives each its colour of the theme. */
export type Tone = "accent" | "second" | "third" | "muted";

export interface ChartLine {
  readonly label: string;
  readonly points: readonly Point[];
  readonly tone: Tone;
  /** `rgb(…)` in place of the tone, where there are more lines than tones. */
  readonly colour?: string;
  readonly dashed?: boolean;
  /** Holds its value until the next point. */
  readonly step?: boolean;
}

/** Between the lowest and the highest value that a pixel column stands for. */
export interface ChartArea {
  readonly tone: Tone;
  readonly colour?: string;
  readonly low: readonly Point[];
  readonly high: readonly Point[];
}

export interface ChartBand {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly tone: Tone;
}

/** A stretch of the x axis in a colour of the map, along the foot of the plot. */
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
  readonly at: Point;
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
  /** Stretches of the x axis. */
  readonly bands?: readonly ChartBand[];
  readonly strip?: readonly ChartCell[];
  readonly rules?: readonly ChartRule[];
  readonly dots?: readonly ChartDot[];
  /** Where the crosshair stands; null: none. Whole numbers only. */
  readonly at: number | null;
  /** What is written at the crosshair. */
  readonly describe: (x: number) => string;
  /** The crosshair was moved by keys, or has rested under the pointer. */
  readonly onPoint: (x: number) => void;
  /** Pixels. */
  readonly height: number;
}

export interface ChartBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** 0 … 1 along an axis; a domain without width puts everything in the middle. */
export function along(axis: ChartAxis, value: number): number {
  const { from, to, scale } = axis;
  if (!(to > from)) return 0.5;
  if (scale === "linear") return (value - from) / (to - from);
  return (Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from));
}

/** The value at a fraction of an axis. */
export function valueAt(axis: ChartAxis, fraction: number): number {
  const { from, to, scale } = axis;
  return scale === "linear" ? from + fraction * (to - from) : from * (to / from) ** fraction;
}

/** The whole number of the axis nearest to a fraction of its length. */
export function wholeAt(axis: ChartAxis, fraction: number): number {
  return clampWhole(axis, Math.round(valueAt(axis, Math.min(1, Math.max(0, fraction)))));
}

export function clampWhole(axis: ChartAxis, value: number): number {
  return Math.min(Math.floor(axis.to), Math.max(Math.ceil(axis.from), value));
}

/** Bounds of a value axis with a little room; equal bounds are set apart. */
export function roomyBounds(values: Iterable<number>): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  const room = high > low ? (high - low) * 0.05 : Math.max(1, Math.abs(low) * 0.1);
  return [low - room, high + room];
}

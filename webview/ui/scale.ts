import { tickStep, ticks } from "d3-array";

/** A linear or logarithmic axis. d3-scale would be no shorter here, and make each page 20 kB larger. */
export interface Scale {
  readonly scale: "linear" | "log";
  readonly from: number;
  readonly to: number;
}

/** Maps an axis to a range. An axis without width is in the middle. */
export function mapScale(
  { scale, from, to }: Scale,
  [start, end]: readonly [number, number],
): (value: number) => number {
  const along = scale === "log" ? Math.log : (value: number) => value;
  const [first, width] = [along(from), along(to) - along(from)];
  return (value) => start + (width > 0 ? (along(value) - first) / width : 0.5) * (end - start);
}

/** The value at a fraction of an axis. */
export function scaleValue({ scale, from, to }: Scale, fraction: number): number {
  return scale === "linear" ? from + fraction * (to - from) : from * (to / from) ** fraction;
}

/** A marked value of an axis. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

/**
 * Values to mark between two bounds, with steps of 1, 2 or 5 times a power of ten. Empty for a domain without width.
 * @param maxTicks the largest number of steps; d3 takes a number only as a hint
 */
export function valueTicks(low: number, high: number, maxTicks: number): number[] {
  if (!(high > low)) return [];
  const least = ((high - low) / maxTicks) * (1 - 1e-9);
  let count = Math.max(1, maxTicks);
  // Between one half and two, d3 doubles the count where no tick would lie inside.
  while (tickStep(low, high, count) < least) count = count > 1 ? count - 1 : count / 4;
  return ticks(low, high, count);
}

/** Whole numbers to mark between two bounds. */
export function wholeTicks(low: number, high: number, maxTicks: number): number[] {
  return valueTicks(low, high, maxTicks).filter(Number.isInteger);
}

/** Powers of ten to mark between two positive bounds. */
export function powerTicks(low: number, high: number, maxTicks: number): Tick[] {
  const powers = wholeTicks(Math.log10(low) - 1e-9, Math.log10(high) + 1e-9, maxTicks);
  return powers.map((power) => ({ at: Number(`1e${power}`), text: powerText(power) }));
}

/** Just enough decimals to distinguish neighbouring ticks. */
export function tickText(value: number, step: number): string {
  const size = Math.max(Math.abs(value), step);
  if (size >= 1e6 || size < 1e-3)
    return value === 0 ? "0" : value.toExponential(1).replace("e+", "e").replaceAll("-", "\u2212");
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return value.toFixed(decimals).replace("-", "\u2212");
}

/** Formats a power of ten for an axis: "0.01", "1000", "10 k", "1e−5". */
export function powerText(power: number): string {
  if (power < -3 || power > 11) return `1e${power}`.replace("-", "\u2212");
  if (power < 4) return String(10 ** power);
  return `${10 ** (power % 3)}\u202f${["k", "M", "G"][Math.floor(power / 3) - 1]}`;
}

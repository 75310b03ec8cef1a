/** Tick marks with steps of 1, 2 or 5 times a power of ten. */

/** The smallest nice step of at least `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const lead = least / power;
  const nice = [1, 2, 5, 10].find((step) => lead <= step * (1 + 1e-9)) ?? 10;
  return nice * power;
}

/**
 * Positions to mark on an axis of whole numbers.
 * @param from first position shown, @param span positions shown, @param maxTicks largest number of ticks
 */
export function positionTicks(from: number, span: number, maxTicks: number): number[] {
  const step = Math.max(1, niceStep(span / Math.max(1, maxTicks)));
  const first = Math.ceil((from - 0.5) / step) * step;
  const ticks: number[] = [];
  for (let tick = first; tick <= from + span - 0.5 && ticks.length <= maxTicks + 1; tick += step)
    ticks.push(tick === 0 ? 0 : tick);
  return ticks;
}

/** Values to mark between two bounds. Empty for a domain without width. */
export function valueTicks(low: number, high: number, maxTicks: number): number[] {
  if (!(high > low)) return [];
  const step = niceStep((high - low) / Math.max(1, maxTicks));
  const ticks: number[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) ticks.push(n === 0 ? 0 : n * step);
  return ticks;
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

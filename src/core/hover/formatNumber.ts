import type { ParamValue } from "../spec.ts";

/** A number for people to read: 500 000, 2.56 M, 0.0001, 1e-9. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return groupDigits(String(value));
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return value.toExponential(2);
  return String(Number(value.toPrecision(6)));
}

/** A length in tokens, shortened: 6.28, 62 832, 2.56 M. */
export function formatTokens(value: number): string {
  if (!Number.isFinite(value)) return "∞";
  if (value >= 1e9) return `${(value / 1e9).toPrecision(3)} G`;
  if (value >= 1e6) return `${(value / 1e6).toPrecision(3)} M`;
  return value >= 1000 ? groupDigits(String(Math.round(value))) : String(Number(value.toPrecision(3)));
}

/** Groups digits in threes, separated by no-break spaces. */
function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+(?!\d))/g, "\u00a0");
}

/** A parameter in one line: a list shows its first four values and its length. */
export function formatParamValue(value: ParamValue): string {
  if (typeof value === "number") return formatNumber(value);
  if (!Array.isArray(value)) return String(value);
  const first = value.slice(0, 4).map(String).join(", ");
  return `[${first}${value.length > 4 ? ", …" : ""}] (${value.length})`;
}

/** Formats numbers for the panel. The exact value always goes into the element's `title`. */

const THIN_SPACE = "\u202f";
const MINUS = "\u2212";

/** 131072 → "131 072", with narrow no-break spaces; the fraction is unchanged. */
export function groupDigits(value: number | string): string {
  const text = String(value);
  const parts = /^(-?)(\d+)(.*)$/.exec(text);
  if (parts === null) return text;
  const [, sign = "", whole = "", rest = ""] = parts;
  const separated = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE) : whole;
  return `${sign === "-" ? MINUS : ""}${separated}${rest}`;
}

/**
 * A value in at most `digits` significant digits: "87.471", "1.30e−3".
 * @param digits significant digits
 */
export function formatSignificant(value: number, digits = 6): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  if (value === 0) return "0";
  const size = Math.abs(value);
  const small = size < 1e-4;
  const text = small || size >= 10 ** Math.max(digits, 7) ? value.toExponential(digits - 1) : value.toPrecision(digits);
  const plain = text.includes("e") ? shortenExponent(text) : String(trimZeros(text));
  return plain.includes("e") ? plain.replaceAll("-", MINUS) : groupDigits(plain);
}

/** Four significant digits, without an exponent below 10¹²: "20 861", "6.283". */
export function formatBrief(value: number): string {
  return Math.abs(value) >= 1000 && Math.abs(value) < 1e12
    ? groupDigits(Math.round(value))
    : formatSignificant(value, 4);
}

function shortenExponent(text: string): string {
  const [mantissa = "", exponent = ""] = text.split("e");
  return `${trimZeros(mantissa)}e${exponent.replace("+", "")}`;
}

function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/**
 * Parses a typed number. Spaces, underscores and thousands commas between digits are allowed.
 * @returns undefined for anything else
 */
export function parseNumber(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/[\s_\u202f\u00a0]/g, "")
    .replaceAll(MINUS, "-");
  const digits = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain) ? plain.replaceAll(",", "") : plain;
  if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(digits)) return undefined;
  const value = Number(digits);
  return Number.isFinite(value) ? value : undefined;
}

/** The text that a field shows for this value. */
export function fieldText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

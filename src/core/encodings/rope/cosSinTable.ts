import { highPart } from "../../terms/precision.ts";
/** Cosines and sines of position × frequency, as accurate at position 10,000,000 as at position 3. */

/** Cosines and sines of a position times every frequency. */
export interface CosSinTable {
  readonly pairs: number;
  /** Fills cos[0 … pairs) and sin[0 … pairs). */
  write(position: number, cos: Float64Array, sin: Float64Array): void;
}

/**
 * Writes cos and sin of position × frequency to slot k. The product's rounding error is corrected to first order, exact
 * for positions up to 2^26.
 */
export function writeCosSin(
  frequency: number,
  position: number,
  cos: Float64Array,
  sin: Float64Array,
  k: number,
): void {
  const high = highPart(frequency);
  const angle = position * frequency;
  const roundingError = position * high - angle + position * (frequency - high);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  cos[k] = c - s * roundingError;
  sin[k] = s + c * roundingError;
}

function writeAllCosSin(frequencies: readonly number[], position: number, cos: Float64Array, sin: Float64Array): void {
  for (let k = 0; k < frequencies.length; k++) writeCosSin(frequencies[k] ?? 0, position, cos, sin, k);
}

/** Positions are split into base-64 digits: four digits cover positions below 64^4 = 16,777,216. */
const DIGIT_BASE = 64;
const DIGIT_COUNT = 4;
const TABULATED_POSITIONS = DIGIT_BASE ** DIGIT_COUNT;

interface CosSinRow {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

/**
 * Rotating by a position is the product of rotating by each of its digits, so each digit's row is computed once. A
 * picture needs a few hundred rows at any zoom and sampling. Each product adds one rounding error of 1e-16.
 */
function createCosSinTable(frequencies: readonly number[]): CosSinTable {
  const pairs = frequencies.length;
  const rows: (CosSinRow | undefined)[][] = Array.from({ length: DIGIT_COUNT }, () => []);
  const digitRow = (level: number, digit: number): CosSinRow => {
    const cachedRow = rows[level]?.[digit];
    if (cachedRow !== undefined) return cachedRow;
    const row = { cos: new Float64Array(pairs), sin: new Float64Array(pairs) };
    writeAllCosSin(frequencies, digit * DIGIT_BASE ** level, row.cos, row.sin);
    const list = rows[level];
    if (list !== undefined) list[digit] = row;
    return row;
  };
  const write = (position: number, cos: Float64Array, sin: Float64Array) => {
    const distance = Math.abs(position);
    if (!(Number.isInteger(distance) && distance < TABULATED_POSITIONS))
      return writeAllCosSin(frequencies, position, cos, sin);
    const first = digitRow(0, distance % DIGIT_BASE);
    cos.set(first.cos);
    sin.set(first.sin);
    let remaining = Math.floor(distance / DIGIT_BASE);
    for (let level = 1; remaining > 0; level++) {
      if (remaining % DIGIT_BASE > 0) rotateBy(cos, sin, digitRow(level, remaining % DIGIT_BASE));
      remaining = Math.floor(remaining / DIGIT_BASE);
    }
    if (position < 0) for (let k = 0; k < pairs; k++) sin[k] = -(sin[k] ?? 0);
  };
  return { pairs, write };
}

/** Multiplies complex numbers in place: adds the row's angles. */
function rotateBy(cos: Float64Array, sin: Float64Array, row: CosSinRow): void {
  for (let k = 0; k < row.cos.length; k++) {
    const a = cos[k] ?? 0;
    const b = sin[k] ?? 0;
    const c = row.cos[k] ?? 0;
    const s = row.sin[k] ?? 0;
    cos[k] = a * c - b * s;
    sin[k] = a * s + b * c;
  }
}

const cosSinTables = new WeakMap<readonly number[], CosSinTable>();

/**
 * Table of cosines and sines for a list of frequencies. The same list returns the same table, so its rows are shared.
 */
export function cosSinTable(frequencies: readonly number[]): CosSinTable {
  const table = cosSinTables.get(frequencies) ?? createCosSinTable(frequencies);
  cosSinTables.set(frequencies, table);
  return table;
}

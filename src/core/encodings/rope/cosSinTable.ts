/** Cosines and sines of position × frequency, as exact at position 10,000,000 as at position 3. */

/** cos and sin of a position times every frequency. */
export interface Turns {
  readonly pairs: number;
  /** Fills cos[0 … pairs) and sin[0 … pairs). */
  write(position: number, cos: Float64Array, sin: Float64Array): void;
}

/**
 * The high 26 bits of a frequency: with them, position × frequency is had to twice float64's precision. What
 * rounding takes off the product (Dekker) is put back to first order; positions to 2^26 are exact.
 */
function highPart(frequency: number): number {
  const shifted = frequency * (2 ** 27 + 1);
  return shifted - (shifted - frequency);
}

/** cos and sin of one angle, into slot k. */
export function writeTurn(frequency: number, position: number, cos: Float64Array, sin: Float64Array, k: number): void {
  const high = highPart(frequency);
  const angle = position * frequency;
  const rest = position * high - angle + position * (frequency - high);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  cos[k] = c - s * rest;
  sin[k] = s + c * rest;
}

function directTurns(frequencies: readonly number[], position: number, cos: Float64Array, sin: Float64Array): void {
  for (let k = 0; k < frequencies.length; k++) writeTurn(frequencies[k] ?? 0, position, cos, sin, k);
}

/** Positions in digits of base 64: those below 64^4 = 16,777,216 have four. */
const BASE = 64;
const LEVELS = 4;
const TABLED = BASE ** LEVELS;

interface Row {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

/**
 * A position is the sum of its digits' values, its turn the product of theirs: each digit's row is computed once,
 * so that a picture costs a few hundred rows of cosines wherever it stands and however wide it is sampled. Each
 * product adds one rounding, 1e-16.
 */
function tabledTurns(frequencies: readonly number[]): Turns {
  const pairs = frequencies.length;
  const rows: (Row | undefined)[][] = Array.from({ length: LEVELS }, () => []);
  const rowOf = (level: number, digit: number): Row => {
    const known = rows[level]?.[digit];
    if (known !== undefined) return known;
    const row = { cos: new Float64Array(pairs), sin: new Float64Array(pairs) };
    directTurns(frequencies, digit * BASE ** level, row.cos, row.sin);
    const list = rows[level];
    if (list !== undefined) list[digit] = row;
    return row;
  };
  const write = (position: number, cos: Float64Array, sin: Float64Array) => {
    const distance = Math.abs(position);
    if (!(Number.isInteger(distance) && distance < TABLED)) return directTurns(frequencies, position, cos, sin);
    const first = rowOf(0, distance % BASE);
    cos.set(first.cos);
    sin.set(first.sin);
    let left = Math.floor(distance / BASE);
    for (let level = 1; left > 0; level++) {
      if (left % BASE > 0) turnBy(cos, sin, rowOf(level, left % BASE));
      left = Math.floor(left / BASE);
    }
    if (position < 0) for (let k = 0; k < pairs; k++) sin[k] = -(sin[k] ?? 0);
  };
  return { pairs, write };
}

/** Complex product, in place. */
function turnBy(cos: Float64Array, sin: Float64Array, row: Row): void {
  for (let k = 0; k < row.cos.length; k++) {
    const a = cos[k] ?? 0;
    const b = sin[k] ?? 0;
    const c = row.cos[k] ?? 0;
    const s = row.sin[k] ?? 0;
    cos[k] = a * c - b * s;
    sin[k] = a * s + b * c;
  }
}

const known = new WeakMap<readonly number[], Turns>();

/** The turns of a list of frequencies. The same list gives the same object, so that its rows are shared. */
export function turnsOf(frequencies: readonly number[]): Turns {
  const turns = known.get(frequencies) ?? tabledTurns(frequencies);
  known.set(frequencies, turns);
  return turns;
}

/** One line of the bench, as `npm run bench -- --json FILE` writes it. */
export interface Case {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with, and how: value against that, as a ratio (above 1: this is larger). */
  readonly against: string | null;
  readonly ratio: number | null;
  /** "≤ 30 ms"; null: measured, not judged. */
  readonly target: string | null;
  readonly holds: boolean | null;
}

/** Every module of test/bench has one of these as its default export. */
export type Bench = () => Promise<readonly Case[]>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error("median of nothing");
  return (low + high) / 2;
}

export function percentile95(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}

/** A value that must not exceed a limit. */
export function atMost(name: string, value: number, limit: number, unit: string): Case {
  return { name, value, unit, against: null, ratio: null, target: `≤ ${limit} ${unit}`, holds: value <= limit };
}

/** A value that is only told. */
export function plain(name: string, value: number, unit: string): Case {
  return { name, value, unit, against: null, ratio: null, target: null, holds: null };
}

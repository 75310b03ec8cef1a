import { t } from "@vscode/l10n";
import type { Encoding } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";
import { firstBfloat16Collision, pairsPastOneTurn, wavelengths } from "./frequencies.ts";
import { shiftInvarianceError } from "./shiftInvariance.ts";

/** A number about a healthy model, shown neutrally; what is wrong is a finding of a rule. */
export interface Measurement {
  readonly id:
    | "shift_invariance"
    | "shortest_wavelength"
    | "longest_wavelength"
    | "pairs_past_one_turn"
    | "bf16_collision";
  readonly label: string;
  readonly value: number;
  /** The value as a person reads it: "3.1e-8", "40 / 64", "20.3 M". */
  readonly text: string;
}

/** 20 300 000 → "20.3 M"; whole numbers below 100,000 as they are. */
export function compactNumber(value: number): string {
  if (!Number.isFinite(value)) return "∞";
  for (const [unit, size] of [
    ["G", 1e9],
    ["M", 1e6],
    ["k", 1e5],
  ] as const) {
    if (value >= size) return `${(value / (unit === "k" ? 1e3 : size)).toPrecision(3)} ${unit}`;
  }
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

function positiveNumber(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

/** Numbers of `derived.inv_freq`, if the encoding has one list of frequencies. */
function frequenciesOf(encoding: Encoding, params: Params): number[] | undefined {
  const frequencies = encoding.derived?.(params).inv_freq;
  if (!Array.isArray(frequencies)) return undefined;
  const numbers = frequencies.filter((value): value is number => typeof value === "number");
  return numbers.length === frequencies.length && numbers.length > 0 ? numbers : undefined;
}

/**
 * The measurements that make sense for an encoding.
 * @param length context that the model was trained for: `original_max_position_embeddings` or the plain one
 */
export function measurements(encoding: Encoding, params: Params): Measurement[] {
  const list: Measurement[] = [];
  const error = shiftInvarianceError(encoding, params);
  if (error !== undefined) {
    const label = t("shift invariance, largest error");
    list.push({ id: "shift_invariance", label, value: error, text: error === 0 ? "0" : error.toExponential(1) });
  }
  const frequencies = frequenciesOf(encoding, params);
  if (frequencies !== undefined) list.push(...frequencyMeasurements(frequencies, params));
  return list;
}

function frequencyMeasurements(frequencies: readonly number[], params: Params): Measurement[] {
  const list: Measurement[] = [];
  const trained =
    positiveNumber(params.original_max_position_embeddings) ?? positiveNumber(params.max_position_embeddings);
  if (trained !== undefined) {
    const value = pairsPastOneTurn(frequencies, trained);
    const text = `${value} / ${frequencies.length}`;
    list.push({ id: "pairs_past_one_turn", label: t("pairs past one turn in training"), value, text });
  }
  const lengths = wavelengths(frequencies);
  const shortest = Math.min(...lengths);
  const longest = Math.max(...lengths);
  list.push({
    id: "shortest_wavelength",
    label: t("shortest wavelength"),
    value: shortest,
    text: compactNumber(shortest),
  });
  list.push({ id: "longest_wavelength", label: t("longest wavelength"), value: longest, text: compactNumber(longest) });
  const collision = firstBfloat16Collision(trained ?? 1 << 20);
  if (collision !== undefined) {
    const label = t("bf16 positions first collide at");
    list.push({ id: "bf16_collision", label, value: collision, text: compactNumber(collision) });
  }
  return list;
}

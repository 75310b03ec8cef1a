import { t } from "@vscode/l10n";
import type { Encoding } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";
import { type Decay, decayOf } from "./decay.ts";
import { firstBfloat16Collision, pairsPastOneTurn, wavelengths } from "./frequencies.ts";
import { extendedLength, type PairSet, pairSet, trainedLength } from "./pairs.ts";
import { shiftInvarianceError } from "./shiftInvariance.ts";

/** A number about a healthy model, shown neutrally; what is wrong is a finding of a rule. */
export interface Measurement {
  readonly id:
    | "shift_invariance"
    | "decay"
    | "shortest_wavelength"
    | "longest_wavelength"
    | "pairs_past_one_turn"
    | "bf16_collision";
  readonly label: string;
  readonly value: number;
  /** The value as a person reads it: "3.1e−8", "40 / 64", "20.3 M". */
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
  return Number.isInteger(value) || value >= 1000 ? String(Math.round(value)) : value.toPrecision(3);
}

/** "0.19", "7.1e−16". */
function errorText(error: number): string {
  if (error === 0 || error >= 1e-3) return String(Number(error.toPrecision(2)));
  return error.toExponential(1).replace("-", "\u2212");
}

/**
 * The measurements that make sense for an encoding. Turns in training are those of the unscaled frequencies, which
 * is what training had.
 */
export function measurements(encoding: Encoding, params: Params): Measurement[] {
  const list: Measurement[] = [];
  const error = shiftInvarianceError(encoding, params);
  if (error !== undefined) {
    const label = t("maximum shift-invariance error");
    list.push({ id: "shift_invariance", label, value: error, text: errorText(error) });
  }
  const decay = decayOf(encoding, params);
  if (decay !== undefined) list.push(decayMeasurement(decay));
  const set = pairSet(encoding, params, extendedLength(params) ?? trainedLength(params) ?? 0);
  if (set !== null) list.push(...frequencyMeasurements(set));
  return list;
}

function decayMeasurement({ distance, reach }: Decay): Measurement {
  const label = t("half-decay distance");
  if (distance !== undefined) return { id: "decay", label, value: distance, text: compactNumber(distance) };
  return { id: "decay", label, value: Number.POSITIVE_INFINITY, text: `> ${compactNumber(reach)}` };
}

function frequencyMeasurements({ pairs, trained }: PairSet): Measurement[] {
  const list: Measurement[] = [];
  if (trained !== null) {
    const plain = pairs.map((pair) => pair.plain);
    const value = pairsPastOneTurn(plain, trained);
    const text = `${value} / ${plain.length}`;
    list.push({ id: "pairs_past_one_turn", label: t("pairs with a full rotation in training"), value, text });
  }
  const lengths = wavelengths(pairs.map(({ omega }) => omega));
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
    const label = t("first bf16 collision");
    list.push({ id: "bf16_collision", label, value: collision, text: compactNumber(collision) });
  }
  return list;
}

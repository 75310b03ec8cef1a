import * as l10n from "@vscode/l10n";
import type { Encoding } from "../encodings/encoding.ts";
import { wavelengths } from "../encodings/rope/frequencies.ts";
import type { Params } from "../spec.ts";
import { type HalfDecay, measureHalfDecay } from "./decay.ts";
import { countFullyRotatingPairs, firstBfloat16Collision } from "./frequencies.ts";
import { computePairSet, type PairSet } from "./pairs.ts";
import { measureShiftInvarianceError } from "./shiftInvariance.ts";
import { configuredExtendedContext, configuredTrainingContext } from "./trainingContext.ts";

/** A number about a healthy model, shown without judgement; defects are findings of rules. */
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
  /** The formatted value: "3.1e−8", "40 / 64", "20.3 M". */
  readonly text: string;
}

/** 20 300 000 → "20.3 M"; integers below 100,000 are unchanged. */
export function formatCompact(value: number): string {
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
function formatErrorValue(error: number): string {
  if (error === 0 || error >= 1e-3) return String(Number(error.toPrecision(2)));
  return error.toExponential(1).replace("-", "\u2212");
}

/**
 * All measurements that apply to an encoding. Rotations in training are counted with the unscaled frequencies, which
 * are those of the training.
 */
export function measureEncoding(encoding: Encoding, params: Params): Measurement[] {
  const list: Measurement[] = [];
  const error = measureShiftInvarianceError(encoding, params);
  if (error !== undefined) {
    const label = l10n.t("maximum shift-invariance error");
    list.push({ id: "shift_invariance", label, value: error, text: formatErrorValue(error) });
  }
  const decay = measureHalfDecay(encoding, params);
  if (decay !== undefined) list.push(decayMeasurement(decay));
  const set = computePairSet(
    encoding,
    params,
    configuredExtendedContext(params) ?? configuredTrainingContext(params) ?? 0,
  );
  if (set !== null) list.push(...measureFrequencies(set));
  return list;
}

function decayMeasurement({ distance, searchedDistance }: HalfDecay): Measurement {
  const label = l10n.t("half-decay distance");
  if (distance !== undefined) return { id: "decay", label, value: distance, text: formatCompact(distance) };
  return { id: "decay", label, value: Number.POSITIVE_INFINITY, text: `> ${formatCompact(searchedDistance)}` };
}

function measureFrequencies({ pairs, trainingContext }: PairSet): Measurement[] {
  const list: Measurement[] = [];
  if (trainingContext !== null) {
    const unscaled = pairs.map((pair) => pair.unscaledOmega);
    const value = countFullyRotatingPairs(unscaled, trainingContext);
    const text = `${value} / ${unscaled.length}`;
    list.push({ id: "pairs_past_one_turn", label: l10n.t("pairs with a full rotation in training"), value, text });
  }
  const lengths = wavelengths(pairs.map(({ omega }) => omega));
  const shortest = Math.min(...lengths);
  const longest = Math.max(...lengths);
  list.push({
    id: "shortest_wavelength",
    label: l10n.t("shortest wavelength"),
    value: shortest,
    text: formatCompact(shortest),
  });
  list.push({
    id: "longest_wavelength",
    label: l10n.t("longest wavelength"),
    value: longest,
    text: formatCompact(longest),
  });
  const collision = firstBfloat16Collision(trainingContext ?? 1 << 20);
  if (collision !== undefined) {
    const label = l10n.t("first bf16 collision");
    list.push({ id: "bf16_collision", label, value: collision, text: formatCompact(collision) });
  }
  return list;
}

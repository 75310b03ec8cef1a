import { frequenciesForLength, readPairLayout } from "../encodings/rope/attention.ts";
import { geometricFrequencies } from "../encodings/rope/frequencies.ts";
import { rope } from "../encodings/rope/rope.ts";
import { lineRotation, pairIndices, rotatedFactor } from "../encodings/rope/rotation.ts";
import { checkParams, pickKnownParams } from "../encodings/support/schema.ts";
import type { PairLayout, Params } from "../spec.ts";

/** Which rotation was applied to captured vectors: compares them with what candidates would have made of them. */

/** Vectors before and after the rotation, [heads][tokens][dim], row-major. Token n has position n. */
export interface CapturedRotation {
  readonly heads: number;
  readonly tokens: number;
  readonly dim: number;
  readonly before: Float64Array;
  readonly after: Float64Array;
}

export interface RotationCandidate {
  /** `declared`, `declared, other layout`, … */
  readonly name: string;
  readonly layout: PairLayout;
  readonly rope_type: string;
  readonly rope_theta: number | null;
  /** Largest difference in a row, as a fraction of the row's largest number; the worst row. */
  readonly error: number;
}

interface Frequencies {
  readonly inv_freq: readonly number[];
  readonly attention_scaling: number;
}

const LAYOUTS: readonly PairLayout[] = ["half", "interleaved"];

const SCALED_TYPES = ["linear", "ntk", "dynamic", "yarn", "llama3"];

function measureError(captured: CapturedRotation, layout: PairLayout, frequencies: Frequencies): number {
  const { heads, tokens, dim, before, after } = captured;
  const { inv_freq, attention_scaling } = frequencies;
  if (2 * inv_freq.length > dim) return Number.POSITIVE_INFINITY;
  const rotation = lineRotation(inv_freq, (index) => index, attention_scaling);
  const pairs = pairIndices(layout, inv_freq.length);
  const row = new Float64Array(dim);
  let worst = 0;
  for (let h = 0; h < heads; h++) {
    const base = {
      dim,
      write: (index: number, out: Float64Array, offset: number) => {
        const start = (h * tokens + index) * dim;
        out.set(before.subarray(start, start + dim), offset);
      },
    };
    const rotated = rotatedFactor(base, pairs, rotation);
    for (let t = 0; t < tokens; t++) {
      rotated.write(t, row, 0);
      worst = Math.max(worst, compareRow(row, after.subarray((h * tokens + t) * dim, (h * tokens + t + 1) * dim)));
    }
  }
  return worst;
}

function compareRow(computed: Float64Array, captured: Float64Array): number {
  let largest = 0;
  let difference = 0;
  for (let n = 0; n < computed.length; n++) {
    largest = Math.max(largest, Math.abs(captured[n] ?? 0));
    difference = Math.max(difference, Math.abs((computed[n] ?? 0) - (captured[n] ?? 0)));
  }
  return difference === 0 ? 0 : difference / largest;
}

/** Frequencies of parameters, if an encoding with them is possible. */
function frequenciesOf(params: Params, tokens: number): Frequencies | undefined {
  const checked = checkParams(rope, pickKnownParams(rope, params));
  return checked.problems.length > 0 ? undefined : frequenciesForLength(checked.params, tokens);
}

/**
 * The angle per position of each pair, from the difference between neighbouring tokens. A pair rotates by less than π
 * per token, so that it is unambiguous. [pairs]
 */
function measureFrequencies(captured: CapturedRotation, layout: PairLayout, pairs: number): number[] {
  const { heads, tokens, dim, before, after } = captured;
  const { first, second } = pairIndices(layout, pairs);
  return first.map((a, k) => {
    const b = second[k] ?? 0;
    /** after · conj(before) of a token: its angle is that of the rotation. */
    const rotationOf = (row: number): readonly [number, number] => {
      const at = row * dim;
      const [x, y, u, v] = [before[at + a] ?? 0, before[at + b] ?? 0, after[at + a] ?? 0, after[at + b] ?? 0];
      return [u * x + v * y, v * x - u * y];
    };
    let [real, imaginary] = [0, 0];
    for (let h = 0; h < heads; h++)
      for (let t = 1; t < tokens; t++) {
        const [p, q] = rotationOf(h * tokens + t);
        const [r, s] = rotationOf(h * tokens + t - 1);
        real += p * r + q * s;
        imaginary += q * r - p * s;
      }
    return Math.atan2(imaginary, real);
  });
}

/** The base of a geometric sequence of frequencies, from its second one: ω₁ = θ^(−2/dim). */
function fitTheta(measured: readonly number[]): number | undefined {
  const dim = 2 * measured.length;
  const second = measured[1];
  return second === undefined || second <= 0 ? undefined : second ** (-dim / 2);
}

/**
 * All candidates, the best first: what the config declares, the same with the other layout and with other scalings, the
 * base that the vectors themselves show, and no rotation.
 * @param declared the parameters of `rope`
 */
export function fitRotation(captured: CapturedRotation, declared: Params): RotationCandidate[] {
  const { tokens } = captured;
  const own = readPairLayout(declared);
  const declaredFrequencies = frequenciesOf(declared, tokens);
  const pairs = declaredFrequencies?.inv_freq.length ?? Math.floor(captured.dim / 2);
  const types = ["default", ...(typeof declared.factor === "number" ? SCALED_TYPES : [])];
  const candidates = LAYOUTS.flatMap((layout) => {
    const other = layout === own ? "" : ", other layout";
    const add = (name: string, params: Params, frequencies: Frequencies | undefined): RotationCandidate[] =>
      frequencies === undefined
        ? []
        : [
            {
              name: name + other,
              layout,
              rope_type: String(params.rope_type ?? "default"),
              rope_theta: typeof params.rope_theta === "number" ? params.rope_theta : null,
              error: measureError(captured, layout, frequencies),
            },
          ];
    const theta = fitTheta(measureFrequencies(captured, layout, pairs));
    return [
      ...add("declared", declared, declaredFrequencies),
      ...types.flatMap((type) => {
        if (type === (declared.rope_type ?? "default")) return [];
        const params = { ...declared, rope_type: type };
        return add(`rope_type ${type}`, params, frequenciesOf(params, tokens));
      }),
      ...(theta === undefined || !Number.isFinite(theta)
        ? []
        : add(
            "measured base",
            { rope_type: "default", rope_theta: theta },
            { inv_freq: geometricFrequencies(theta, 2 * pairs), attention_scaling: 1 },
          )),
    ];
  });
  const none = { name: "no rotation", layout: own, rope_type: "default", rope_theta: null };
  const still = { inv_freq: [], attention_scaling: 1 };
  return [...candidates, { ...none, error: measureError(captured, own, still) }].sort((a, b) => a.error - b.error);
}

/** Above this, vectors that were rounded to bfloat16 differ by more than their rounding. */
const LARGEST_ROUNDING = 0.02;

/** Errors below this are float32's. */
const SMALLEST_ERROR = 1e-4;

/** How much better another candidate must be, so that it is not the rounding that decides. */
const CLEARLY_BETTER = 4;

/** Whether the vectors were rotated as declared: no other candidate is clearly better, and the error is rounding. */
export function rotatesAsDeclared(candidates: readonly RotationCandidate[]): boolean {
  const declared = candidates.find(({ name }) => name === "declared");
  const [best] = candidates;
  if (declared === undefined || best === undefined || declared.error > LARGEST_ROUNDING) return false;
  return declared.error <= SMALLEST_ERROR || declared.error <= CLEARLY_BETTER * best.error;
}

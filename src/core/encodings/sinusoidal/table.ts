import * as l10n from "@vscode/l10n";
import type { Factor } from "../../terms/term.ts";
import { ParamError } from "../../util/errors.ts";

/** Fixed sinusoids of absolute positions, in float64. */

export interface SinusoidSpec {
  readonly dim: number;
  readonly base: number;
  /** interleaved: sin ω₀, cos ω₀, sin ω₁, …; concat: all sines, then all cosines. */
  readonly layout: "interleaved" | "concat";
  /** paper: ω_k = base^(−2k/d); tensor2tensor (fairseq, Whisper): base^(−k/(⌊d/2⌋ − 1)). */
  readonly frequency: "paper" | "tensor2tensor";
  /** This row is zero (fairseq). */
  readonly paddingIdx?: number;
}

type Wave = "sin" | "cos" | "zero";

interface SinusoidColumn {
  readonly wave: Wave;
  readonly pair: number;
}

/** Content of column c. With odd d there is one more sine than cosines; tensor2tensor appends a zero column instead. */
function sinusoidColumn(spec: SinusoidSpec, c: number): SinusoidColumn {
  const pairs = Math.floor(spec.dim / 2);
  if (spec.layout === "interleaved") {
    if (spec.frequency === "tensor2tensor" && c >= 2 * pairs) return { wave: "zero", pair: 0 };
    return { wave: c % 2 === 0 ? "sin" : "cos", pair: Math.floor(c / 2) };
  }
  if (spec.frequency === "tensor2tensor") {
    if (c >= 2 * pairs) return { wave: "zero", pair: 0 };
    return c < pairs ? { wave: "sin", pair: c } : { wave: "cos", pair: c - pairs };
  }
  const sines = spec.dim - pairs;
  return c < sines ? { wave: "sin", pair: c } : { wave: "cos", pair: c - sines };
}

/**
 * Frequencies ω_k of the pairs, [⌈d/2⌉] (Vaswani et al. 2017, section 3.5; tensor2tensor
 * layers/common_attention.py:get_timing_signal_1d).
 */
export function sinusoidFrequencies(spec: Pick<SinusoidSpec, "dim" | "base" | "frequency">): number[] {
  const { dim, base } = spec;
  const half = Math.floor(dim / 2);
  if (spec.frequency === "paper") {
    return Array.from({ length: Math.ceil(dim / 2) }, (_, k) => 1 / base ** ((2 * k) / dim));
  }
  return Array.from({ length: half }, (_, k) => Math.exp((-k * Math.log(base)) / (half - 1)));
}

/** Rows PE(p) by position p ≥ 0, [dim]. */
export function sinusoidFactor(spec: SinusoidSpec): Factor {
  const frequencies = sinusoidFrequencies(spec);
  const columns = Array.from({ length: spec.dim }, (_, c) => sinusoidColumn(spec, c));
  return {
    dim: spec.dim,
    write: (position, out, offset) => {
      columns.forEach(({ wave, pair }, c) => {
        const angle = position * (frequencies[pair] ?? 0);
        const isZero = wave === "zero" || position === spec.paddingIdx;
        out[offset + c] = isZero ? 0 : wave === "sin" ? Math.sin(angle) : Math.cos(angle);
      });
    },
  };
}

/** "sin ω0", "cos ω3", "0". */
export function sinusoidColumnName(spec: SinusoidSpec, c: number): string {
  const { wave, pair } = sinusoidColumn(spec, c);
  return wave === "zero" ? "0" : `${wave} ω${pair}`;
}

/**
 * ⟨PE(p), PE(q)⟩ over the columns from … from + dim − 1 as a function of p − q: Σ cos((p − q) ω_k).
 * @returns undefined if the slice separates a sine from its cosine: the product then depends on p and q themselves
 */
export function sinusoidProfile(
  spec: SinusoidSpec,
  from: number,
  dim: number,
): ((delta: number) => number) | undefined {
  const sinesMinusCosines = new Map<number, number>();
  for (let c = from; c < from + dim; c++) {
    const { wave, pair } = sinusoidColumn(spec, c);
    if (wave !== "zero") sinesMinusCosines.set(pair, (sinesMinusCosines.get(pair) ?? 0) + (wave === "sin" ? 1 : -1));
  }
  if ([...sinesMinusCosines.values()].some((count) => count !== 0)) return undefined;
  const frequencies = sinusoidFrequencies(spec);
  const sliceFrequencies = [...sinesMinusCosines.keys()].map((pair) => frequencies[pair] ?? 0);
  return (delta) => sliceFrequencies.reduce((sum, frequency) => sum + Math.cos(delta * frequency), 0);
}

/**
 * The linear map M with PE(p + k) = M PE(p), [dim][dim]: a rotation in the plane of each pair.
 * @throws ParamError if a sine has no cosine (odd dim in the paper's form)
 */
export function shiftMatrix(spec: SinusoidSpec, k: number): number[][] {
  const frequencies = sinusoidFrequencies(spec);
  const columns = Array.from({ length: spec.dim }, (_, c) => sinusoidColumn(spec, c));
  const matrix = columns.map(() => new Array<number>(spec.dim).fill(0));
  const set = (row: number, column: number, value: number) => {
    const target = matrix[row];
    if (target !== undefined) target[column] = value;
  };
  columns.forEach(({ wave, pair }, c) => {
    if (wave === "zero") {
      set(c, c, 1);
      return;
    }
    const angle = k * (frequencies[pair] ?? 0);
    const partner = columns.findIndex(
      (other) => other.pair === pair && other.wave === (wave === "sin" ? "cos" : "sin"),
    );
    if (partner < 0) throw new ParamError({ param: "hidden_size", value: spec.dim, rule: l10n.t("must be even") });
    set(c, c, Math.cos(angle));
    set(c, partner, wave === "sin" ? Math.sin(angle) : -Math.sin(angle));
  });
  return matrix;
}

import { t } from "@vscode/l10n";
import type { Factor } from "../../terms/term.ts";
import { ParamError } from "../../util/errors.ts";

/** Fixed sinusoids of absolute positions, in float64. */

export interface Sinusoid {
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

interface Column {
  readonly wave: Wave;
  readonly pair: number;
}

/** What column c holds. Odd d: one sine more than cosines; tensor2tensor appends a zero column instead. */
function columnAt(spec: Sinusoid, c: number): Column {
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
export function sinusoidFrequencies(spec: Pick<Sinusoid, "dim" | "base" | "frequency">): number[] {
  const { dim, base } = spec;
  const half = Math.floor(dim / 2);
  if (spec.frequency === "paper") {
    return Array.from({ length: Math.ceil(dim / 2) }, (_, k) => 1 / base ** ((2 * k) / dim));
  }
  return Array.from({ length: half }, (_, k) => Math.exp((-k * Math.log(base)) / (half - 1)));
}

/** Rows PE(p) by position p ≥ 0, [dim]. */
export function sinusoidFactor(spec: Sinusoid): Factor {
  const frequencies = sinusoidFrequencies(spec);
  const columns = Array.from({ length: spec.dim }, (_, c) => columnAt(spec, c));
  return {
    dim: spec.dim,
    write: (position, out, offset) => {
      columns.forEach(({ wave, pair }, c) => {
        const angle = position * (frequencies[pair] ?? 0);
        const silent = wave === "zero" || position === spec.paddingIdx;
        out[offset + c] = silent ? 0 : wave === "sin" ? Math.sin(angle) : Math.cos(angle);
      });
    },
  };
}

/** "sin ω0", "cos ω3", "0". */
export function sinusoidColumnName(spec: Sinusoid, c: number): string {
  const { wave, pair } = columnAt(spec, c);
  return wave === "zero" ? "0" : `${wave} ω${pair}`;
}

/**
 * ⟨PE(p), PE(q)⟩ over the columns from … from + dim − 1 as a function of p − q: Σ cos((p − q) ω_k).
 * Undefined where a slice holds a sine without its cosine; then the product depends on p and q themselves.
 */
export function sinusoidProfile(spec: Sinusoid, from: number, dim: number): ((delta: number) => number) | undefined {
  const balance = new Map<number, number>();
  for (let c = from; c < from + dim; c++) {
    const { wave, pair } = columnAt(spec, c);
    if (wave !== "zero") balance.set(pair, (balance.get(pair) ?? 0) + (wave === "sin" ? 1 : -1));
  }
  if ([...balance.values()].some((count) => count !== 0)) return undefined;
  const frequencies = sinusoidFrequencies(spec);
  const own = [...balance.keys()].map((pair) => frequencies[pair] ?? 0);
  return (delta) => own.reduce((sum, frequency) => sum + Math.cos(delta * frequency), 0);
}

/**
 * The linear map M with PE(p + k) = M PE(p), [dim][dim]: a rotation in each pair's plane.
 * @throws ParamError where a sine has no cosine (odd dim in the paper's form)
 */
export function shiftMatrix(spec: Sinusoid, k: number): number[][] {
  const frequencies = sinusoidFrequencies(spec);
  const columns = Array.from({ length: spec.dim }, (_, c) => columnAt(spec, c));
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
    if (partner < 0) throw new ParamError({ param: "hidden_size", value: spec.dim, rule: t("must be even") });
    set(c, c, Math.cos(angle));
    set(c, partner, wave === "sin" ? Math.sin(angle) : -Math.sin(angle));
  });
  return matrix;
}

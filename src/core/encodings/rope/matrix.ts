import type { Layout } from "../../spec.ts";
import { turnsOf } from "./cosSinTable.ts";
import { pairsOf } from "./rotation.ts";

/**
 * The three equal forms of a rotation by position m: block-diagonal matrix, element-wise with the swapped and
 * signed vector, and complex numbers (RoFormer sections 3.2.1, 3.2.2, 3.4.2).
 */

interface Turned {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

function turnsAt(frequencies: readonly number[], position: number): Turned {
  const cos = new Float64Array(frequencies.length);
  const sin = new Float64Array(frequencies.length);
  turnsOf(frequencies).write(position, cos, sin);
  return { cos, sin };
}

/** R_m for column vectors, q' = R_m q: blocks [[cos, −sin], [sin, cos]] at the pairs. [2·pairs][2·pairs] */
export function rotationMatrix(frequencies: readonly number[], position: number, layout: Layout): number[][] {
  const dim = 2 * frequencies.length;
  const matrix = Array.from({ length: dim }, () => new Array<number>(dim).fill(0));
  const { first, second } = pairsOf(layout, frequencies.length);
  const { cos, sin } = turnsAt(frequencies, position);
  frequencies.forEach((_, k) => {
    const a = first[k] ?? 0;
    const b = second[k] ?? 0;
    const rowA = matrix[a] ?? [];
    const rowB = matrix[b] ?? [];
    rowA[a] = cos[k] ?? 0;
    rowA[b] = -(sin[k] ?? 0);
    rowB[a] = sin[k] ?? 0;
    rowB[b] = cos[k] ?? 0;
  });
  return matrix;
}

/** Half-layout index of each interleaved index: R_half[perm][:, perm] = R_interleaved. */
export function layoutPermutation(pairs: number): number[] {
  return Array.from({ length: 2 * pairs }, (_, c) => (c % 2 === 0 ? c / 2 : pairs + (c - 1) / 2));
}

export function multiply(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, value, c) => sum + value * (vector[c] ?? 0), 0));
}

/** The swapped, signed vector: (−x₂, x₁) of every pair. */
export function swapSigned(vector: readonly number[], layout: Layout): number[] {
  const swapped = [...vector];
  const { first, second } = pairsOf(layout, vector.length / 2);
  first.forEach((a, k) => {
    const b = second[k] ?? 0;
    swapped[a] = -(vector[b] ?? 0);
    swapped[b] = vector[a] ?? 0;
  });
  return swapped;
}

/** q ⊙ cos + swap(q) ⊙ sin: what code computes, 2d products in place of d². */
export function rotateElementwise(
  vector: readonly number[],
  frequencies: readonly number[],
  position: number,
  layout: Layout,
): number[] {
  const { first, second } = pairsOf(layout, frequencies.length);
  const { cos, sin } = turnsAt(frequencies, position);
  const pairOf = new Map<number, number>();
  first.forEach((a, k) => {
    pairOf.set(a, k).set(second[k] ?? 0, k);
  });
  const swapped = swapSigned(vector, layout);
  return vector.map((value, c) => {
    const k = pairOf.get(c) ?? 0;
    return value * (cos[k] ?? 0) + (swapped[c] ?? 0) * (sin[k] ?? 0);
  });
}

/** A complex number as [real, imaginary]. */
export type Complex = readonly [re: number, im: number];

/** One step of the two-dimensional proof: its name, and the number that it gives. */
export interface ProofStep {
  readonly id: "rotated_product" | "complex_product" | "relative";
  readonly tex: string;
  readonly text: string;
  readonly value: number;
}

function times(a: Complex, b: Complex): Complex {
  return [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
}

function turn(z: Complex, angle: number): Complex {
  return times(z, [Math.cos(angle), Math.sin(angle)]);
}

/**
 * The proof in two dimensions, evaluated: with q, k read as complex numbers, ⟨q e^{imω}, k e^{inω}⟩ as a product of
 * vectors, as Re[(q e^{imω})(k e^{inω})*], and as Re[q k* e^{i(m−n)ω}], where only m − n is left.
 */
export function complexProof(q: Complex, k: Complex, omega: number, m: number, n: number): readonly ProofStep[] {
  const a = turn(q, m * omega);
  const b = turn(k, n * omega);
  const relative = turn(times(q, [k[0], -k[1]]), (m - n) * omega);
  return [
    {
      id: "rotated_product",
      tex: "\\langle q\\,e^{im\\omega},\\; k\\,e^{in\\omega}\\rangle",
      text: "⟨q·e^(imω), k·e^(inω)⟩",
      value: a[0] * b[0] + a[1] * b[1],
    },
    {
      id: "complex_product",
      tex: "\\mathrm{Re}\\left[(q\\,e^{im\\omega})\\,(k\\,e^{in\\omega})^{*}\\right]",
      text: "Re[(q·e^(imω)) · (k·e^(inω))*]",
      value: times(a, [b[0], -b[1]])[0],
    },
    {
      id: "relative",
      tex: "\\mathrm{Re}\\left[q\\,k^{*}\\,e^{i(m-n)\\omega}\\right]",
      text: "Re[q·k*·e^(i(m−n)ω)]",
      value: relative[0],
    },
  ];
}

/** The score of q at m and k at n in each of the equal forms, and with the matrix of n − m alone. */
export interface RotationForms {
  /** (R_m q)·(R_n k) by block-diagonal matrices. */
  readonly matrix: number;
  /** The same element by element. */
  readonly elementwise: number;
  /** q·(R_(n−m) k): R_mᵀ R_n = R_(n−m). */
  readonly relative: number;
  /** Σ over pairs of Re[q k* e^{i(m−n)ω}]. */
  readonly complex: number;
}

export function rotationForms(
  q: readonly number[],
  k: readonly number[],
  frequencies: readonly number[],
  m: number,
  n: number,
  layout: Layout,
): RotationForms {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, c) => sum + x * (b[c] ?? 0), 0);
  const { first, second } = pairsOf(layout, frequencies.length);
  const complexOf = (x: readonly number[], p: number): Complex => [x[first[p] ?? 0] ?? 0, x[second[p] ?? 0] ?? 0];
  return {
    matrix: dot(
      multiply(rotationMatrix(frequencies, m, layout), q),
      multiply(rotationMatrix(frequencies, n, layout), k),
    ),
    elementwise: dot(rotateElementwise(q, frequencies, m, layout), rotateElementwise(k, frequencies, n, layout)),
    relative: dot(q, multiply(rotationMatrix(frequencies, n - m, layout), k)),
    complex: frequencies.reduce(
      (sum, omega, p) => sum + (complexProof(complexOf(q, p), complexOf(k, p), omega, m, n)[2]?.value ?? 0),
      0,
    ),
  };
}

/** GPT-J's `embed_positions`: rows [sin of all pairs | cos of all pairs]. [length][2·pairs] */
export function gptjEmbedPositions(frequencies: readonly number[], length: number): number[][] {
  return Array.from({ length }, (_, position) => {
    const { cos, sin } = turnsAt(frequencies, position);
    return [...sin, ...cos];
  });
}

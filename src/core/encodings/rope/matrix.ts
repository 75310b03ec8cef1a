import type { PairLayout } from "../../spec.ts";
import { cosSinTable } from "./cosSinTable.ts";
import { pairIndices } from "./rotation.ts";

/**
 * Three equivalent forms of a rotation by position m: block-diagonal matrix, element-wise with the swapped and signed
 * vector, and complex numbers (RoFormer sections 3.2.1, 3.2.2, 3.4.2).
 */

interface CosSinPair {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

function computeCosSin(frequencies: readonly number[], position: number): CosSinPair {
  const cos = new Float64Array(frequencies.length);
  const sin = new Float64Array(frequencies.length);
  cosSinTable(frequencies).write(position, cos, sin);
  return { cos, sin };
}

/** R_m for column vectors, q' = R_m q: blocks [[cos, −sin], [sin, cos]] for each pair. [2·pairs][2·pairs] */
export function rotationMatrix(frequencies: readonly number[], position: number, layout: PairLayout): number[][] {
  const dim = 2 * frequencies.length;
  const matrix = Array.from({ length: dim }, () => new Array<number>(dim).fill(0));
  const { first, second } = pairIndices(layout, frequencies.length);
  const { cos, sin } = computeCosSin(frequencies, position);
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

/** Index in the half layout of each index in the interleaved layout: R_half[perm][:, perm] = R_interleaved. */
export function layoutPermutation(pairs: number): number[] {
  return Array.from({ length: 2 * pairs }, (_, c) => (c % 2 === 0 ? c / 2 : pairs + (c - 1) / 2));
}

export function multiplyMatrix(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, value, c) => sum + value * (vector[c] ?? 0), 0));
}

/** The swapped, signed vector: (−x₂, x₁) for every pair. */
export function swapSigned(vector: readonly number[], layout: PairLayout): number[] {
  const swapped = [...vector];
  const { first, second } = pairIndices(layout, vector.length / 2);
  first.forEach((a, k) => {
    const b = second[k] ?? 0;
    swapped[a] = -(vector[b] ?? 0);
    swapped[b] = vector[a] ?? 0;
  });
  return swapped;
}

/** q ⊙ cos + swap(q) ⊙ sin, as models compute it: 2d products instead of d². */
export function rotateElementwise(
  vector: readonly number[],
  frequencies: readonly number[],
  position: number,
  layout: PairLayout,
): number[] {
  const { first, second } = pairIndices(layout, frequencies.length);
  const { cos, sin } = computeCosSin(frequencies, position);
  const pairByDimension = new Map<number, number>();
  first.forEach((a, k) => {
    pairByDimension.set(a, k).set(second[k] ?? 0, k);
  });
  const swapped = swapSigned(vector, layout);
  return vector.map((value, c) => {
    const k = pairByDimension.get(c) ?? 0;
    return value * (cos[k] ?? 0) + (swapped[c] ?? 0) * (sin[k] ?? 0);
  });
}

/** A complex number as [real, imaginary]. */
export type Complex = readonly [re: number, im: number];

/** One step of the two-dimensional proof with its value. */
export interface ProofStep {
  readonly id: "rotated_product" | "complex_product" | "relative";
  readonly tex: string;
  readonly text: string;
  readonly value: number;
}

function multiplyComplex(a: Complex, b: Complex): Complex {
  return [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
}

function rotateComplex(z: Complex, angle: number): Complex {
  return multiplyComplex(z, [Math.cos(angle), Math.sin(angle)]);
}

/**
 * The proof in two dimensions, evaluated. With q, k as complex numbers: ⟨q e^{imω}, k e^{inω}⟩ as a product of vectors,
 * as Re[(q e^{imω})(k e^{inω})*], and as Re[q k* e^{i(m−n)ω}], which depends on m − n only.
 */
export function evaluateComplexProof(
  q: Complex,
  k: Complex,
  omega: number,
  m: number,
  n: number,
): readonly ProofStep[] {
  const a = rotateComplex(q, m * omega);
  const b = rotateComplex(k, n * omega);
  const relative = rotateComplex(multiplyComplex(q, [k[0], -k[1]]), (m - n) * omega);
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
      value: multiplyComplex(a, [b[0], -b[1]])[0],
    },
    {
      id: "relative",
      tex: "\\mathrm{Re}\\left[q\\,k^{*}\\,e^{i(m-n)\\omega}\\right]",
      text: "Re[q·k*·e^(i(m−n)ω)]",
      value: relative[0],
    },
  ];
}

/** The score of q at m and k at n, computed in each of the equivalent forms. */
export interface RotationForms {
  /** (R_m q)·(R_n k) by block-diagonal matrices. */
  readonly matrix: number;
  /** The same, element-wise. */
  readonly elementwise: number;
  /** q·(R_(n−m) k): R_mᵀ R_n = R_(n−m). */
  readonly relative: number;
  /** Σ over pairs of Re[q k* e^{i(m−n)ω}]. */
  readonly complex: number;
}

export function evaluateRotationForms(
  q: readonly number[],
  k: readonly number[],
  frequencies: readonly number[],
  m: number,
  n: number,
  layout: PairLayout,
): RotationForms {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, c) => sum + x * (b[c] ?? 0), 0);
  const { first, second } = pairIndices(layout, frequencies.length);
  const complexOf = (x: readonly number[], p: number): Complex => [x[first[p] ?? 0] ?? 0, x[second[p] ?? 0] ?? 0];
  return {
    matrix: dot(
      multiplyMatrix(rotationMatrix(frequencies, m, layout), q),
      multiplyMatrix(rotationMatrix(frequencies, n, layout), k),
    ),
    elementwise: dot(rotateElementwise(q, frequencies, m, layout), rotateElementwise(k, frequencies, n, layout)),
    relative: dot(q, multiplyMatrix(rotationMatrix(frequencies, n - m, layout), k)),
    complex: frequencies.reduce(
      (sum, omega, p) => sum + (evaluateComplexProof(complexOf(q, p), complexOf(k, p), omega, m, n)[2]?.value ?? 0),
      0,
    ),
  };
}

/** GPT-J's `embed_positions`: rows [sin of all pairs | cos of all pairs]. [length][2·pairs] */
export function gptjEmbedPositions(frequencies: readonly number[], length: number): number[][] {
  return Array.from({ length }, (_, position) => {
    const { cos, sin } = computeCosSin(frequencies, position);
    return [...sin, ...cos];
  });
}

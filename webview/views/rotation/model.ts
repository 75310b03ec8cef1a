import type { Scene } from "../../../src/core/encodings/encoding.ts";
import { layoutOf } from "../../../src/core/encodings/rope/attention.ts";
import {
  type Complex,
  complexProof,
  multiply,
  type ProofStep,
  type RotationForms,
  rotateElementwise,
  rotationForms,
  rotationMatrix,
  swapSigned,
} from "../../../src/core/encodings/rope/matrix.ts";
import { pairsOf } from "../../../src/core/encodings/rope/rotation.ts";
import { pairSet } from "../../../src/core/measure/pairs.ts";
import type { Layout } from "../../../src/core/spec.ts";
import { isRenumbered, positionId } from "../../../src/core/terms/numbering.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import type { Cell } from "../../state/viewport.ts";

/** Pairs of the miniature head whose matrix can be written down. */
const SHOWN_PAIRS = 4;

/** Two tokens and a pair of numbers, with what rotation makes of them. */
export interface RotationModel {
  /** Position ids of query and key: the tokens' places unless the Positions view numbers them otherwise. */
  readonly m: number;
  readonly n: number;
  /** The tokens' places in the sequence. */
  readonly queryPlace: number;
  readonly keyPlace: number;
  readonly pair: number;
  readonly pairCount: number;
  readonly layout: Layout;
  readonly omega: number;
  /** Of every pair. */
  readonly omegas: readonly number[];
  /** The pair's numbers before rotation. */
  readonly q: Complex;
  readonly k: Complex;
  readonly proof: readonly ProofStep[];
  /** The score of the whole head in each form. */
  readonly forms: RotationForms;
  readonly small: SmallHead;
}

/** A head of at most four pairs, taken from the real one: small enough for its matrix. */
export interface SmallHead {
  readonly pairs: readonly number[];
  readonly q: readonly number[];
  readonly matrix: readonly (readonly number[])[];
  readonly byMatrix: readonly number[];
  readonly cos: readonly number[];
  readonly sin: readonly number[];
  readonly swapped: readonly number[];
  readonly byElements: readonly number[];
}

const FAMILY: readonly string[] = ["rope", "xpos", "mrope", "rerope", "self_extend"];

/** Encodings whose pairs all turn by one position along a line. */
export function rotates({ encoding, params }: Drawable): boolean {
  return FAMILY.includes(encoding.id) && params["rope_type"] !== "axial";
}

/** The numbers of a head that rotate, as pairs. */
function turningRow(drawable: Drawable, which: "q" | "k", index: number, count: number): number[] {
  const dim = drawable.params["head_dim"];
  const rows = drawable.scene.content.rows(which, drawable.scene.head, typeof dim === "number" ? dim : 2 * count);
  const row = new Float64Array(rows.dim);
  rows.write(index, row, 0);
  return Array.from(row.subarray(0, 2 * count));
}

function complexAt(row: readonly number[], layout: Layout, pair: number): Complex {
  const { first, second } = pairsOf(layout, row.length / 2);
  return [row[first[pair] ?? 0] ?? 0, row[second[pair] ?? 0] ?? 0];
}

function idOf({ numbering, shift }: Scene, index: number): number {
  return (isRenumbered(numbering) ? positionId(numbering, index) : index) + shift;
}

/** Everything that the view shows for query `cell.row`, key `cell.column` and a pair. */
export function rotationModel(drawable: Drawable, cell: Cell, wanted: number): RotationModel | null {
  const { encoding, params, scene } = drawable;
  const set = rotates(drawable) ? pairSet(encoding, params, scene.keyLength + scene.shift) : null;
  if (set === null) return null;
  const omegas = set.pairs.map(({ omega }) => omega);
  const pair = Math.min(wanted, omegas.length - 1);
  const layout = layoutOf(params);
  const queryIndex = cell.row + scene.keyLength - scene.queryLength;
  const [m, n] = [queryIndex, cell.column].map((index) => idOf(scene, index));
  if (m === undefined || n === undefined) return null;
  const q = turningRow(drawable, "q", cell.row, omegas.length);
  const k = turningRow(drawable, "k", cell.column, omegas.length);
  const omega = omegas[pair] ?? 0;
  const pairQ = complexAt(q, layout, pair);
  const pairK = complexAt(k, layout, pair);
  return {
    m,
    n,
    queryPlace: queryIndex + scene.shift,
    keyPlace: cell.column + scene.shift,
    pair,
    pairCount: omegas.length,
    layout,
    omega,
    omegas,
    q: pairQ,
    k: pairK,
    proof: complexProof(pairQ, pairK, omega, m, n),
    forms: rotationForms(q, k, omegas, m, n, layout),
    small: smallHead(q, omegas, { m, pair, layout }),
  };
}

interface Place {
  readonly m: number;
  readonly pair: number;
  readonly layout: Layout;
}

function smallHead(q: readonly number[], omegas: readonly number[], { m, pair, layout }: Place): SmallHead {
  const count = Math.min(SHOWN_PAIRS, omegas.length);
  const first = Math.min(pair, omegas.length - count);
  const pairs = Array.from({ length: count }, (_, p) => first + p);
  const own = pairs.map((p) => complexAt(q, layout, p));
  const places = pairsOf(layout, count);
  const vector = new Array<number>(2 * count).fill(0);
  const cos = new Array<number>(2 * count).fill(1);
  const sin = new Array<number>(2 * count).fill(0);
  const frequencies = pairs.map((p) => omegas[p] ?? 0);
  const matrix = rotationMatrix(frequencies, m, layout);
  own.forEach(([re, im], p) => {
    const a = places.first[p] ?? 0;
    const b = places.second[p] ?? 0;
    vector[a] = re;
    vector[b] = im;
    cos[a] = cos[b] = matrix[a]?.[a] ?? 1;
    sin[a] = sin[b] = matrix[b]?.[a] ?? 0;
  });
  return {
    pairs,
    q: vector,
    matrix,
    byMatrix: multiply(matrix, vector),
    cos,
    sin,
    swapped: swapSigned(vector, layout),
    byElements: rotateElementwise(vector, frequencies, m, layout),
  };
}

/** Largest difference between numbers that the theory says are equal. */
export function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

/** An angle as a share of a turn, 0 … 1. */
export function turnShare(angle: number): number {
  const share = (angle / (2 * Math.PI)) % 1;
  return share < 0 ? share + 1 : share;
}

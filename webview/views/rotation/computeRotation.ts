import { readPairLayout } from "../../../src/core/encodings/rope/attention.ts";
import {
  type Complex,
  evaluateComplexProof,
  evaluateRotationForms,
  multiplyMatrix,
  type ProofStep,
  type RotationForms,
  rotateElementwise,
  rotationMatrix,
  swapSigned,
} from "../../../src/core/encodings/rope/matrix.ts";
import { pairIndices } from "../../../src/core/encodings/rope/rotation.ts";
import { computePairSet } from "../../../src/core/measure/pairs.ts";
import type { PairLayout } from "../../../src/core/spec.ts";
import { isRenumbered, positionId } from "../../../src/core/terms/numbering.ts";
import type { Scene } from "../../../src/core/terms/scene.ts";
import type { MatrixCell } from "../../matrix/viewport.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";

/** Largest number of pairs whose rotation matrix is written out. */
const MAX_SMALL_HEAD_PAIRS = 4;

/** The rotation of one pair for two tokens. */
export interface RotationData {
  /** Position ids of query and key: their indices, unless the Positions view numbers them otherwise. */
  readonly m: number;
  readonly n: number;
  /** Positions of the tokens in the sequence. */
  readonly queryPlace: number;
  readonly keyPlace: number;
  readonly pair: number;
  readonly pairCount: number;
  readonly layout: PairLayout;
  readonly omega: number;
  /** Inverse frequencies of all pairs. */
  readonly omegas: readonly number[];
  /** The pair's numbers before rotation. */
  readonly q: Complex;
  readonly k: Complex;
  readonly proof: readonly ProofStep[];
  /** The score of the whole head in each form. */
  readonly forms: RotationForms;
  readonly small: SmallHead;
}

/** At most four pairs of the head, few enough to write out the matrix. */
export interface SmallHead {
  readonly pairs: readonly number[];
  readonly q: readonly number[];
  readonly matrix: readonly (readonly number[])[];
  /** The matrix with the two dimensions of each pair as neighbours: Π R_m Πᵀ. */
  readonly permuted: readonly (readonly number[])[];
  readonly byMatrix: readonly number[];
  readonly cos: readonly number[];
  readonly sin: readonly number[];
  readonly swapped: readonly number[];
  readonly byElements: readonly number[];
}

/** Encodings whose pairs all rotate by one position. */
export function rotatesByPosition({ encoding, params }: ResolvedEncoding): boolean {
  return encoding.rotation?.by(params) === "position";
}

/** The dimensions of a head that rotate. */
function rotatingRow(resolved: ResolvedEncoding, which: "q" | "k", index: number, count: number): number[] {
  const dim = resolved.params["head_dim"];
  const rows = resolved.scene.content.rows(which, resolved.scene.head, typeof dim === "number" ? dim : 2 * count);
  const row = new Float64Array(rows.dim);
  rows.write(index, row, 0);
  return Array.from(row.subarray(0, 2 * count));
}

function complexAt(row: readonly number[], layout: PairLayout, pair: number): Complex {
  const { first, second } = pairIndices(layout, row.length / 2);
  return [row[first[pair] ?? 0] ?? 0, row[second[pair] ?? 0] ?? 0];
}

function tokenPositionId({ numbering, shift }: Scene, index: number): number {
  return (isRenumbered(numbering) ? positionId(numbering, index) : index) + shift;
}

/** Computes everything the view shows for query `cell.row`, key `cell.column` and a pair. */
export function computeRotation(
  resolved: ResolvedEncoding,
  cell: MatrixCell,
  requestedPair: number,
): RotationData | null {
  const { encoding, params, scene } = resolved;
  const set = rotatesByPosition(resolved) ? computePairSet(encoding, params, scene.keyLength + scene.shift) : null;
  if (set === null) return null;
  const omegas = set.pairs.map(({ omega }) => omega);
  const pair = Math.min(requestedPair, omegas.length - 1);
  const layout = readPairLayout(params);
  const queryIndex = cell.row + scene.keyLength - scene.queryLength;
  const [m, n] = [queryIndex, cell.column].map((index) => tokenPositionId(scene, index));
  if (m === undefined || n === undefined) return null;
  const q = rotatingRow(resolved, "q", cell.row, omegas.length);
  const k = rotatingRow(resolved, "k", cell.column, omegas.length);
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
    proof: evaluateComplexProof(pairQ, pairK, omega, m, n),
    forms: evaluateRotationForms(q, k, omegas, m, n, layout),
    small: buildSmallHead(q, omegas, { m, pair, layout }),
  };
}

interface SmallHeadOptions {
  readonly m: number;
  readonly pair: number;
  readonly layout: PairLayout;
}

function buildSmallHead(
  q: readonly number[],
  omegas: readonly number[],
  { m, pair, layout }: SmallHeadOptions,
): SmallHead {
  const count = Math.min(MAX_SMALL_HEAD_PAIRS, omegas.length);
  const first = Math.min(pair, omegas.length - count);
  const pairs = Array.from({ length: count }, (_, p) => first + p);
  const complexPairs = pairs.map((p) => complexAt(q, layout, p));
  const places = pairIndices(layout, count);
  const vector = new Array<number>(2 * count).fill(0);
  const cos = new Array<number>(2 * count).fill(1);
  const sin = new Array<number>(2 * count).fill(0);
  const frequencies = pairs.map((p) => omegas[p] ?? 0);
  const matrix = rotationMatrix(frequencies, m, layout);
  complexPairs.forEach(([re, im], p) => {
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
    permuted: permuteToNeighbours(matrix, places),
    byMatrix: multiplyMatrix(matrix, vector),
    cos,
    sin,
    swapped: swapSigned(vector, layout),
    byElements: rotateElementwise(vector, frequencies, m, layout),
  };
}

/** Sorts rows and columns so that the dimensions of a pair are neighbours. */
function permuteToNeighbours(
  matrix: readonly (readonly number[])[],
  { first, second }: ReturnType<typeof pairIndices>,
): number[][] {
  const order = first.flatMap((index, pair) => [index, second[pair] ?? 0]);
  return order.map((row) => order.map((column) => matrix[row]?.[column] ?? 0));
}

/** Largest difference between numbers that should be equal. */
export function largestDifference(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

/** An angle as a fraction of a full rotation, 0 … 1. */
export function rotationFraction(angle: number): number {
  const share = (angle / (2 * Math.PI)) % 1;
  return share < 0 ? share + 1 : share;
}

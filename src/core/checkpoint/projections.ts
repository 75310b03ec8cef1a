import * as l10n from "@vscode/l10n";
import { linear } from "../terms/linear.ts";
import { type FirstRow, firstRowByKeyHead, firstRowInBlocks } from "./fusedLayouts.ts";
import { applyNorm, type Norm } from "./norms.ts";
import { CheckpointError, type RangeReader, type TensorInfo } from "./rangeReader.ts";
import { readTensorRows, readTensorValues } from "./tensorValues.ts";

/** A tensor and the file that contains it. */
export interface StoredTensor {
  readonly info: TensorInfo;
  readonly reader: RangeReader;
}

/** Opens the file that contains a tensor; undefined if the checkpoint has no tensor of this name. */
export type FindTensor = (name: string) => Promise<StoredTensor | undefined>;

/** One query head, and the key head that it uses. */
export interface AttentionHead {
  readonly head: number;
  readonly headDim: number;
}

/** The tensors of W_Q and W_K: two, or one fused QKV tensor. */
export type QueryKeyMatrices =
  | { readonly fused: false; readonly query: string; readonly key: string }
  | { readonly fused: true; readonly name: string; readonly firstRow: FirstRow };

/** Rows from … to − 1 of a matrix. */
interface MatrixRows {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The tensor is stored as [in][out]: a row of the matrix is a column of the tensor. */
  readonly transposed: boolean;
}

export async function requireTensor(find: FindTensor, name: string): Promise<StoredTensor> {
  const stored = await find(name);
  if (stored === undefined) throw new CheckpointError(l10n.t("{0} not found in the checkpoint", name), 0);
  return stored;
}

export async function readOptionalVector(find: FindTensor, name: string): Promise<number[] | undefined> {
  const stored = await find(name);
  return stored === undefined ? undefined : Array.from(await readTensorValues(stored.reader, stored.info));
}

function toRows(values: Float64Array, columns: number): number[][] {
  return Array.from({ length: values.length / columns }, (_, row) =>
    Array.from(values.subarray(row * columns, (row + 1) * columns)),
  );
}

/** W x + b for some rows of W. */
async function projectRows(find: FindTensor, { name, from, to, transposed }: MatrixRows, x: readonly number[][]) {
  const { info, reader } = await requireTensor(find, name);
  const [, width = 0] = info.shape;
  const bias = (await readOptionalVector(find, name.replace(/weight$/, "bias")))?.slice(from, to);
  const matrix = transposed ? toRows(await readTensorValues(reader, info), width) : [];
  const weight = transposed
    ? Array.from({ length: to - from }, (_, n) => matrix.map((row) => row[from + n] ?? 0))
    : toRows(await readTensorRows(reader, info, from, to), width);
  return x.map((row) => linear(weight, bias, row));
}

function failMissingHead({ head, headDim }: AttentionHead, name: string): never {
  throw new CheckpointError(l10n.t("{2} does not contain head {0} (head_dim {1})", head, headDim, name), 0);
}

/**
 * Finds the rows of a head in a fused QKV matrix.
 * @throws CheckpointError if the matrix has no such head
 */
async function findFusedRows(
  find: FindTensor,
  which: "q" | "k",
  { name, firstRow }: Extract<QueryKeyMatrices, { fused: true }>,
  selected: AttentionHead,
  hidden: number,
): Promise<MatrixRows> {
  const { head, headDim } = selected;
  const [rows = 0, width = 0] = (await requireTensor(find, name)).info.shape;
  // GPT-2's Conv1D stores [in][out].
  const transposed = /c_attn/.test(name) && rows === hidden && width === 3 * hidden;
  const heads = hidden / headDim;
  const keyHeads = ((transposed ? width : rows) - hidden) / (2 * headDim);
  const fits = [heads, keyHeads, heads / keyHeads].every((count) => Number.isInteger(count) && count >= 1);
  if (!fits || head >= heads) return failMissingHead(selected, name);
  const from = firstRow(which, head, { heads, keyHeads, headDim });
  return { name, from, to: from + headDim, transposed };
}

async function countQueriesPerKeyHead(
  find: FindTensor,
  { query, key }: Extract<QueryKeyMatrices, { fused: false }>,
): Promise<number> {
  const [queries = 0] = (await requireTensor(find, query)).info.shape;
  const [keys = 0] = (await requireTensor(find, key)).info.shape;
  return Math.max(1, Math.round(queries / Math.max(1, keys)));
}

/** GPT-BigCode with one key per head stores q, k and v by head; Qwen 1, which has RMSNorms, stores them in blocks. */
export function chooseCAttnLayout(shape: readonly number[], normHasBias: boolean): FirstRow {
  const [rows = 0, width = 0] = shape;
  return rows === 3 * width && normHasBias ? firstRowByKeyHead : firstRowInBlocks;
}

/**
 * Queries or keys of one head for each row of x.
 * @param norm of the projected vectors, per head or over all heads together (OLMo 2)
 * @throws CheckpointError if the checkpoint has no such head, or the norm has another size
 */
export async function projectHead(
  find: FindTensor,
  which: "q" | "k",
  matrices: QueryKeyMatrices,
  selected: AttentionHead,
  x: readonly number[][],
  norm: Norm | undefined,
): Promise<number[][]> {
  const { headDim } = selected;
  if (matrices.fused) {
    const rows = await findFusedRows(find, which, matrices, selected, x[0]?.length ?? 0);
    return applyNorm(await projectRows(find, rows, x), norm);
  }
  const name = which === "q" ? matrices.query : matrices.key;
  const [all = 0] = (await requireTensor(find, name)).info.shape;
  const own =
    which === "q" ? selected.head : Math.floor(selected.head / (await countQueriesPerKeyHead(find, matrices)));
  const from = own * headDim;
  if (from + headDim > all) return failMissingHead(selected, name);
  const size = norm?.weight.length;
  if (size === undefined || size === headDim)
    return applyNorm(await projectRows(find, { name, from, to: from + headDim, transposed: false }, x), norm);
  if (size !== all) throw new CheckpointError(l10n.t("unsupported norm ({0})", name), 0);
  const whole = applyNorm(await projectRows(find, { name, from: 0, to: all, transposed: false }, x), norm);
  return whole.map((row) => row.slice(from, from + headDim));
}

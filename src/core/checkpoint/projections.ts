import { t } from "@vscode/l10n";
import { linear } from "../terms/linear.ts";
import { byKeyHead, type FirstRow, inBlocks } from "./fusedLayouts.ts";
import { type Norm, normalised } from "./norms.ts";
import { CheckpointError, type RangeReader, type TensorInfo } from "./rangeReader.ts";
import { tensorRows, tensorValues } from "./tensorValues.ts";

/** A tensor with the file that it stands in. */
export interface Stored {
  readonly info: TensorInfo;
  readonly reader: RangeReader;
}

/** Opens the file of a tensor; undefined for names that the checkpoint does not have. */
export type FindTensor = (name: string) => Promise<Stored | undefined>;

/** One head of queries, or of the keys that it uses. */
export interface WantedHead {
  readonly head: number;
  readonly headDim: number;
}

/** The matrices that make queries and keys: two of them, or one with both in it. */
export type Matrices =
  | { readonly fused: false; readonly query: string; readonly key: string }
  | { readonly fused: true; readonly name: string; readonly firstRow: FirstRow };

/** A matrix's rows from … to − 1, with their bias. */
interface Rows {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The matrix has a column for each row that is wanted. */
  readonly columns: boolean;
}

export async function required(find: FindTensor, name: string): Promise<Stored> {
  const stored = await find(name);
  if (stored === undefined) throw new CheckpointError(t("{0} not found in the checkpoint", name), 0);
  return stored;
}

export async function optionalVector(find: FindTensor, name: string): Promise<number[] | undefined> {
  const stored = await find(name);
  return stored === undefined ? undefined : Array.from(await tensorValues(stored.reader, stored.info));
}

function nested(values: Float64Array, columns: number): number[][] {
  return Array.from({ length: values.length / columns }, (_, row) =>
    Array.from(values.subarray(row * columns, (row + 1) * columns)),
  );
}

/** W x + b for some rows of W. */
async function project(find: FindTensor, { name, from, to, columns }: Rows, x: readonly number[][]) {
  const { info, reader } = await required(find, name);
  const [, width = 0] = info.shape;
  const bias = (await optionalVector(find, name.replace(/weight$/, "bias")))?.slice(from, to);
  const whole = columns ? nested(await tensorValues(reader, info), width) : [];
  const weight = columns
    ? Array.from({ length: to - from }, (_, n) => whole.map((row) => row[from + n] ?? 0))
    : nested(await tensorRows(reader, info, from, to), width);
  return x.map((row) => linear(weight, bias, row));
}

function missingHead({ head, headDim }: WantedHead, name: string): never {
  throw new CheckpointError(t("{2} does not contain head {0} (head_dim {1})", head, headDim, name), 0);
}

/** The rows of a head in a matrix of queries, keys and values. */
async function fusedRows(
  find: FindTensor,
  which: "q" | "k",
  { name, firstRow }: Extract<Matrices, { fused: true }>,
  wanted: WantedHead,
  hidden: number,
): Promise<Rows> {
  const { head, headDim } = wanted;
  const [rows = 0, width = 0] = (await required(find, name)).info.shape;
  // GPT-2's Conv1D keeps [in][out].
  const columns = /c_attn/.test(name) && rows === hidden && width === 3 * hidden;
  const heads = hidden / headDim;
  const keyHeads = ((columns ? width : rows) - hidden) / (2 * headDim);
  const fits = [heads, keyHeads, heads / keyHeads].every((count) => Number.isInteger(count) && count >= 1);
  if (!fits || head >= heads) return missingHead(wanted, name);
  const from = firstRow(which, head, { heads, keyHeads, headDim });
  return { name, from, to: from + headDim, columns };
}

async function sharedBy(find: FindTensor, { query, key }: Extract<Matrices, { fused: false }>): Promise<number> {
  const [queries = 0] = (await required(find, query)).info.shape;
  const [keys = 0] = (await required(find, key)).info.shape;
  return Math.max(1, Math.round(queries / Math.max(1, keys)));
}

/** GPT-BigCode with a key for each head keeps q, k and v by head; Qwen 1, which has RMSNorms, in blocks. */
export function cAttnLayout(shape: readonly number[], normHasBias: boolean): FirstRow {
  const [rows = 0, width = 0] = shape;
  return rows === 3 * width && normHasBias ? byKeyHead : inBlocks;
}

/**
 * Queries, or keys, of one head for each row of x.
 * @param norm of the projected vectors: of the head, or of all heads side by side (OLMo 2)
 */
export async function projected(
  find: FindTensor,
  which: "q" | "k",
  matrices: Matrices,
  wanted: WantedHead,
  x: readonly number[][],
  norm: Norm | undefined,
): Promise<number[][]> {
  const { headDim } = wanted;
  if (matrices.fused) {
    const rows = await fusedRows(find, which, matrices, wanted, x[0]?.length ?? 0);
    return normalised(await project(find, rows, x), norm);
  }
  const name = which === "q" ? matrices.query : matrices.key;
  const [all = 0] = (await required(find, name)).info.shape;
  const own = which === "q" ? wanted.head : Math.floor(wanted.head / (await sharedBy(find, matrices)));
  const from = own * headDim;
  if (from + headDim > all) return missingHead(wanted, name);
  const size = norm?.weight.length;
  if (size === undefined || size === headDim)
    return normalised(await project(find, { name, from, to: from + headDim, columns: false }, x), norm);
  if (size !== all) throw new CheckpointError(t("unsupported norm ({0})", name), 0);
  const whole = normalised(await project(find, { name, from: 0, to: all, columns: false }, x), norm);
  return whole.map((row) => row.slice(from, from + headDim));
}

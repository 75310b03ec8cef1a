import { t } from "@vscode/l10n";
import { layerNorm, linear } from "../terms/linear.ts";
import { CheckpointError, type RangeReader, type TensorInfo } from "./rangeReader.ts";
import { tensorRows, tensorValues } from "./tensorValues.ts";

/**
 * Queries and keys of a model's first layer for given tokens: its own embedding through its own norm, W_Q and W_K.
 * Only the first layer's input is the embedding itself; later ones see what the layers before made of it.
 */

/** A tensor with the file that it stands in. */
export interface Stored {
  readonly info: TensorInfo;
  readonly reader: RangeReader;
}

/** Opens the file of a tensor; undefined for names that the checkpoint does not have. */
export type FindTensor = (name: string) => Promise<Stored | undefined>;

export interface ContentRequest {
  readonly ids: readonly number[];
  readonly head: number;
  readonly headDim: number;
}

/** [ids.length][headDim] each, row-major. */
export interface ContentRows {
  readonly q: Float64Array<ArrayBuffer>;
  readonly k: Float64Array<ArrayBuffer>;
}

const EMBEDDING = /(?:^|\.)(?:embed_tokens|wte|word_embeddings|tok_embeddings|embed_in|shared)\.weight$/;
const FIRST_LAYER = /(?:^|\.)(?:layers|layer|h|block)\.0\./;
const QUERY = /(?:\.q_proj|\.query|SelfAttention\.q|\.wq|\.q_lin)\.weight$/;
const KEY = /(?:\.k_proj|\.key|SelfAttention\.k|\.wk|\.k_lin)\.weight$/;
/** GPT-2 keeps [hidden][q | k | v], Phi-3 and others [q | k | v][hidden]. */
const GPT2 = /\.attn\.c_attn\.weight$/;
const FUSED = /\.qkv_proj\.weight$/;
const NORM = /(?:\.input_layernorm|\.ln_1|\.attention_norm|layer\.0\.layer_norm)\.weight$/;

const EPS = 1e-6;

/** Names of what queries and keys are made of. */
interface Parts {
  readonly embedding: string;
  readonly norm: string | undefined;
  readonly query: string;
  readonly key: string;
}

/** @throws CheckpointError where the names are of no model that is known here */
export function contentParts(names: readonly string[]): Parts {
  const first = names.filter((name) => FIRST_LAYER.test(name) && !/decoder|cross|vision|visual/.test(name));
  const find = (pattern: RegExp, among = first) => among.find((name) => pattern.test(name));
  const embedding = find(
    EMBEDDING,
    names.filter((name) => !/vision|visual/.test(name)),
  );
  const fused = find(GPT2) ?? find(FUSED);
  const query = find(QUERY) ?? fused;
  const key = find(KEY) ?? fused;
  if (embedding === undefined || query === undefined || key === undefined)
    throw new CheckpointError(t("this checkpoint has no embedding with W_Q and W_K that Posenc knows"), 0);
  return { embedding, norm: find(NORM), query, key };
}

async function required(find: FindTensor, name: string): Promise<Stored> {
  const stored = await find(name);
  if (stored === undefined) throw new CheckpointError(t("{0} is not in the checkpoint", name), 0);
  return stored;
}

/** The embedding of each token. */
async function embeddings({ info, reader }: Stored, ids: readonly number[]): Promise<number[][]> {
  const [rows = 0] = info.shape;
  const outside = ids.find((id) => id >= rows);
  if (outside !== undefined)
    throw new CheckpointError(t("token {0} does not exist: the vocabulary has {1}", outside, rows), 0);
  const vectors: number[][] = [];
  for (const id of ids) vectors.push(Array.from(await tensorRows(reader, info, id, id + 1)));
  return vectors;
}

async function optionalVector(find: FindTensor, name: string): Promise<number[] | undefined> {
  const stored = await find(name);
  return stored === undefined ? undefined : Array.from(await tensorValues(stored.reader, stored.info));
}

function rmsNorm(x: readonly number[], weight: readonly number[]): number[] {
  const mean = x.reduce((sum, value) => sum + value * value, 0) / x.length;
  const scale = 1 / Math.sqrt(mean + EPS);
  return x.map((value, c) => value * scale * (weight[c] ?? 1));
}

/** What the attention of the first layer reads: a LayerNorm has a bias, an RMSNorm none. */
async function normed(find: FindTensor, name: string | undefined, vectors: number[][]): Promise<number[][]> {
  if (name === undefined) return vectors;
  const weight = await optionalVector(find, name);
  if (weight === undefined) return vectors;
  const bias = await optionalVector(find, name.replace(/weight$/, "bias"));
  return vectors.map((x) => (bias === undefined ? rmsNorm(x, weight) : layerNorm(x, weight, bias, 1e-5)));
}

/** Rows of W for one head, [headDim][hidden], and their bias. */
interface Projection {
  readonly weight: readonly (readonly number[])[];
  readonly bias: readonly number[] | undefined;
}

function nested(values: Float64Array, columns: number): number[][] {
  return Array.from({ length: values.length / columns }, (_, row) =>
    Array.from(values.subarray(row * columns, (row + 1) * columns)),
  );
}

/** Which rows of q, k (or of q | k | v) a head has. Several heads of queries may share one of keys. */
function firstRow(
  which: "q" | "k",
  { head, headDim }: ContentRequest,
  sizes: { q: number; k: number },
  fused: boolean,
): number {
  const shared = Math.max(1, Math.round(sizes.q / Math.max(1, sizes.k)));
  return which === "q" ? head * headDim : (fused ? sizes.q : 0) + Math.floor(head / shared) * headDim;
}

async function projection(
  find: FindTensor,
  which: "q" | "k",
  parts: Parts,
  request: ContentRequest,
  hidden: number,
): Promise<Projection> {
  const name = which === "q" ? parts.query : parts.key;
  const { info, reader } = await required(find, name);
  const fused = parts.query === parts.key;
  const gpt2 = GPT2.test(name);
  const sizes = await sizesOf(find, parts, hidden);
  const from = firstRow(which, request, sizes, fused);
  const to = from + request.headDim;
  const available = which === "q" && !fused ? sizes.q : gpt2 ? (info.shape[1] ?? 0) : (info.shape[0] ?? 0);
  if (to > available)
    throw new CheckpointError(t("head {0} of {1} numbers is not in {2}", request.head, request.headDim, name), 0);
  const bias = (await optionalVector(find, name.replace(/weight$/, "bias")))?.slice(from, to);
  if (!gpt2) return { weight: nested(await tensorRows(reader, info, from, to), hidden), bias };
  const whole = nested(await tensorValues(reader, info), info.shape[1] ?? 1);
  return { weight: Array.from({ length: to - from }, (_, n) => whole.map((row) => row[from + n] ?? 0)), bias };
}

/** Numbers of all heads of queries and of keys. */
async function sizesOf(find: FindTensor, { query, key }: Parts, hidden: number): Promise<{ q: number; k: number }> {
  const shape = (await required(find, query)).info.shape;
  if (query !== key) return { q: shape[0] ?? 0, k: (await required(find, key)).info.shape[0] ?? 0 };
  if (GPT2.test(query)) return { q: hidden, k: hidden };
  // q has as many numbers as the model is wide; k and v share the rest.
  return { q: hidden, k: ((shape[0] ?? 0) - hidden) / 2 };
}

function flat(rows: readonly (readonly number[])[]): Float64Array<ArrayBuffer> {
  return Float64Array.from(rows.flat());
}

/**
 * @param names all tensors of the checkpoint
 * @throws CheckpointError for models of another build, tokens that do not exist and heads of another size
 */
export async function contentRows(
  names: readonly string[],
  find: FindTensor,
  request: ContentRequest,
): Promise<ContentRows> {
  const parts = contentParts(names);
  const embedding = await required(find, parts.embedding);
  const hidden = embedding.info.shape[1] ?? 0;
  const x = await normed(find, parts.norm, await embeddings(embedding, request.ids));
  const rowsOf = async (which: "q" | "k") => {
    const { weight, bias } = await projection(find, which, parts, request, hidden);
    return flat(x.map((row) => linear(weight, bias, row)));
  };
  return { q: await rowsOf("q"), k: await rowsOf("k") };
}

import * as l10n from "@vscode/l10n";
import { findModelType } from "../config/huggingface/modelTypes.ts";
import { isRecord } from "../util/isRecord.ts";
import { FUSED_LAYOUTS, isFused } from "./fusedLayouts.ts";
import { applyNorm, type Norm } from "./norms.ts";
import {
  type AttentionHead,
  chooseCAttnLayout,
  type FindTensor,
  projectHead,
  type QueryKeyMatrices,
  readOptionalVector,
  requireTensor,
  type StoredTensor,
} from "./projections.ts";
import { CheckpointError } from "./rangeReader.ts";
import { readTensorRows } from "./tensorValues.ts";

/**
 * Queries and keys of a model's first layer for given tokens: embedding, input norm, W_Q and W_K, and the norms of
 * queries and keys if the model has them. Only the first layer's input is the embedding itself; later layers see the
 * output of earlier ones.
 */

/** What a model's config says about its norms; absent where unknown. */
export interface NormSettings {
  /** How the checkpoint stores their weights. */
  readonly weights?: "as_used" | "minus_one" | "absent";
  /** `rms_norm_eps`, `layer_norm_eps`, … */
  readonly eps?: number;
}

const EPS_KEYS = [
  "rms_norm_eps",
  "layer_norm_eps",
  "layer_norm_epsilon",
  "layernorm_epsilon",
  "norm_epsilon",
  "norm_eps",
] as const;

/** @param config a parsed `config.json`, or any other value */
export function readNormSettings(config: unknown): NormSettings {
  if (!isRecord(config)) return {};
  const own = isRecord(config["text_config"]) ? config["text_config"] : config;
  const modelType = own["model_type"] ?? config["model_type"];
  const eps = EPS_KEYS.map((key) => own[key]).find((value) => typeof value === "number" && value > 0);
  return {
    ...(typeof modelType === "string" ? { weights: findModelType(modelType)?.normWeights ?? "as_used" } : {}),
    ...(typeof eps === "number" ? { eps } : {}),
  };
}

export interface ContentRequest extends AttentionHead {
  readonly ids: readonly number[];
  readonly norms?: NormSettings;
}

/** [ids.length][headDim] each, row-major. */
export interface ContentRows {
  readonly q: Float64Array<ArrayBuffer>;
  readonly k: Float64Array<ArrayBuffer>;
}

const EMBEDDING_WEIGHT = /(?:^|\.)(?:embed_tokens|wte|word_embeddings|tok_embeddings|embed_in|shared)\.weight$/;
/** BLOOM's norm between embedding and first layer. */
const EMBEDDING_NORM_WEIGHT = /(?:^|\.)word_embeddings_layernorm\.weight$/;
const FIRST_LAYER_TENSOR = /(?:^|\.)(?:layers|layer|h|block|blocks)\.0\./;
const QUERY_WEIGHT = /(?:\.q_proj|\.query|SelfAttention\.q|\.wq|\.q_lin)\.weight$/;
const KEY_WEIGHT = /(?:\.k_proj|\.key|SelfAttention\.k|\.wk|\.k_lin)\.weight$/;
const NORM_WEIGHT =
  /(?:\.input_layernorm|\.ln_1|\.ln_attn|\.norm_1|\.attention_norm|\.attention_layernorm|\.self_attn_layer_norm|layer\.0\.layer_norm)\.weight$/;
const QUERY_NORM_WEIGHT = /\.(?:q_norm|q_layernorm)\.weight$/;
const KEY_NORM_WEIGHT = /\.(?:k_norm|k_layernorm)\.weight$/;
/**
 * Norms of queries that are not applied before the rotation (HunYuan's come after it), so that they are not supported.
 */
const UNSUPPORTED_QUERY_NORM = /\.(?:query_layernorm|query_norm|q_ln)\.weight$/;

/** Names of the tensors that queries and keys are computed from. */
interface ContentTensorNames {
  readonly embedding: string;
  readonly embeddingNorm: string | undefined;
  readonly norm: string | undefined;
  readonly matrices: QueryKeyMatrices;
  readonly queryNorm: string | undefined;
  readonly keyNorm: string | undefined;
}

function findMatrices(first: readonly string[]): QueryKeyMatrices | undefined {
  const query = first.find((name) => QUERY_WEIGHT.test(name));
  const key = first.find((name) => KEY_WEIGHT.test(name));
  if (query !== undefined && key !== undefined) return { fused: false, query, key };
  const name = first.find((candidate) => isFused(candidate));
  if (name === undefined) return undefined;
  const layout = FUSED_LAYOUTS.find(({ pattern }) => pattern.test(name));
  if (layout === undefined)
    throw new CheckpointError(l10n.t("{0} is a fused QKV tensor with an unknown layout", name), 0);
  return { fused: true, name, firstRow: layout.firstRow };
}

/**
 * Finds the tensors by their names.
 * @throws CheckpointError if the names belong to no supported model
 */
export function findContentTensors(names: readonly string[]): ContentTensorNames {
  const own = names.filter((name) => !/vision|visual/.test(name));
  const first = own.filter((name) => FIRST_LAYER_TENSOR.test(name) && !/decoder\.(?!layers)|cross/.test(name));
  const find = (pattern: RegExp, among: readonly string[] = first) => among.find((name) => pattern.test(name));
  const embedding = find(EMBEDDING_WEIGHT, own);
  const matrices = findMatrices(first);
  if (embedding === undefined || matrices === undefined)
    throw new CheckpointError(l10n.t("no supported embedding with W_Q and W_K found in this checkpoint"), 0);
  const other = find(UNSUPPORTED_QUERY_NORM);
  if (other !== undefined) throw new CheckpointError(l10n.t("unsupported norm ({0})", other), 0);
  return {
    embedding,
    embeddingNorm: find(EMBEDDING_NORM_WEIGHT, own),
    norm: find(NORM_WEIGHT),
    matrices,
    queryNorm: find(QUERY_NORM_WEIGHT),
    keyNorm: find(KEY_NORM_WEIGHT),
  };
}

/**
 * Reads the embedding row of each token.
 * @throws CheckpointError for tokens beyond the vocabulary
 */
async function readEmbeddings({ info, reader }: StoredTensor, ids: readonly number[]): Promise<number[][]> {
  const [rows = 0] = info.shape;
  const outside = ids.find((id) => id >= rows);
  if (outside !== undefined)
    throw new CheckpointError(l10n.t("token {0} is out of range: the vocabulary has {1} tokens", outside, rows), 0);
  const vectors: number[][] = [];
  for (const id of ids) vectors.push(Array.from(await readTensorRows(reader, info, id, id + 1)));
  return vectors;
}

/**
 * Whether 1 is to be added to the stored weights of norms. Without a config, Gemma 2 and 3 are recognised by their
 * norms' names.
 */
function normWeightsAddOne(names: readonly string[], weights: NormSettings["weights"]): boolean {
  if (weights !== undefined) return weights === "minus_one";
  const own = (part: string) => names.some((name) => name.includes(part));
  return own("layers.0.pre_feedforward_layernorm") && own("layers.0.input_layernorm") && !own("laurel");
}

/** LayerNorms without a bias: MPT's `norm_1`, and Cohere's, whose attention and MLP share one norm. */
function normSubtractsMean(names: readonly string[], name: string): boolean {
  if (/\.norm_1\.weight$/.test(name)) return true;
  return (
    /\.input_layernorm\.weight$/.test(name) && !names.some((other) => /\.0\.post_\w*(?:norm|layernorm)\./.test(other))
  );
}

function createNormReader(names: readonly string[], find: FindTensor, { weights, eps }: NormSettings) {
  const addend = normWeightsAddOne(names, weights) ? 1 : 0;
  return async (name: string | undefined, of: "input" | "head"): Promise<Norm | undefined> => {
    const weight = name === undefined ? undefined : await readOptionalVector(find, name);
    if (name === undefined || weight === undefined) return undefined;
    const bias = await readOptionalVector(find, name.replace(/weight$/, "bias"));
    const centred = of === "input" && normSubtractsMean(names, name);
    const usual = bias === undefined && !centred ? 1e-6 : 1e-5;
    return { weight: weight.map((value) => value + addend), bias, subtractsMean: centred, eps: eps ?? usual };
  };
}

/** A LayerNorm without weights, which only the config reveals. */
const PLAIN_LAYER_NORM: Norm = { weight: [], bias: undefined, subtractsMean: true, eps: 1e-5 };

/** Tensors named c_attn have several layouts, which shape and norms tell apart. */
async function resolveFusedLayout(
  find: FindTensor,
  matrices: QueryKeyMatrices,
  norm: Norm | undefined,
): Promise<QueryKeyMatrices> {
  if (!matrices.fused || !/c_attn/.test(matrices.name)) return matrices;
  const { shape } = (await requireTensor(find, matrices.name)).info;
  return { ...matrices, firstRow: chooseCAttnLayout(shape, norm?.bias !== undefined) };
}

/**
 * Computes the queries and keys of one head for given tokens.
 * @param names all tensors of the checkpoint
 * @throws CheckpointError for unsupported models, tokens out of range and heads that do not exist
 */
export async function readContentRows(
  names: readonly string[],
  find: FindTensor,
  { ids, norms = {}, ...selected }: ContentRequest,
): Promise<ContentRows> {
  const parts = findContentTensors(names);
  const normOf = createNormReader(names, find, norms);
  const embedded = await readEmbeddings(await requireTensor(find, parts.embedding), ids);
  const norm = await normOf(parts.norm, "input");
  const plain = norm === undefined && norms.weights === "absent" ? PLAIN_LAYER_NORM : norm;
  const x = applyNorm(applyNorm(embedded, await normOf(parts.embeddingNorm, "input")), plain);
  const matrices = await resolveFusedLayout(find, parts.matrices, norm);
  const rowsOf = async (which: "q" | "k") => {
    const own = await normOf(which === "q" ? parts.queryNorm : parts.keyNorm, "head");
    return Float64Array.from((await projectHead(find, which, matrices, selected, x, own)).flat());
  };
  return { q: await rowsOf("q"), k: await rowsOf("k") };
}

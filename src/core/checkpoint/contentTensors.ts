import { t } from "@vscode/l10n";
import { isRecord } from "../util/isRecord.ts";
import { FUSED_LAYOUTS, isFused } from "./fusedLayouts.ts";
import { type Norm, normalised } from "./norms.ts";
import {
  cAttnLayout,
  type FindTensor,
  type Matrices,
  optionalVector,
  projected,
  required,
  type Stored,
  type WantedHead,
} from "./projections.ts";
import { CheckpointError } from "./rangeReader.ts";
import { tensorRows } from "./tensorValues.ts";

/**
 * Queries and keys of a model's first layer for given tokens: its own embedding through its own norm, W_Q and W_K, and
 * the norm of queries and keys where it has one. Only the first layer's input is the embedding itself; later ones see
 * what the layers before made of it.
 */

/** What the model's config says of its norms, as far as it is known. */
export interface NormsOfConfig {
  readonly modelType?: string;
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

/** @param config a parsed `config.json`, or anything else */
export function normsOfConfig(config: unknown): NormsOfConfig {
  if (!isRecord(config)) return {};
  const own = isRecord(config["text_config"]) ? config["text_config"] : config;
  const modelType = own["model_type"] ?? config["model_type"];
  const eps = EPS_KEYS.map((key) => own[key]).find((value) => typeof value === "number" && value > 0);
  return {
    ...(typeof modelType === "string" ? { modelType } : {}),
    ...(typeof eps === "number" ? { eps } : {}),
  };
}

export interface ContentRequest extends WantedHead {
  readonly ids: readonly number[];
  readonly norms?: NormsOfConfig;
}

/** [ids.length][headDim] each, row-major. */
export interface ContentRows {
  readonly q: Float64Array<ArrayBuffer>;
  readonly k: Float64Array<ArrayBuffer>;
}

const EMBEDDING = /(?:^|\.)(?:embed_tokens|wte|word_embeddings|tok_embeddings|embed_in|shared)\.weight$/;
/** BLOOM's, between the embedding and the first layer. */
const EMBEDDING_NORM = /(?:^|\.)word_embeddings_layernorm\.weight$/;
const FIRST_LAYER = /(?:^|\.)(?:layers|layer|h|block|blocks)\.0\./;
const QUERY = /(?:\.q_proj|\.query|SelfAttention\.q|\.wq|\.q_lin)\.weight$/;
const KEY = /(?:\.k_proj|\.key|SelfAttention\.k|\.wk|\.k_lin)\.weight$/;
const NORM =
  /(?:\.input_layernorm|\.ln_1|\.ln_attn|\.norm_1|\.attention_norm|\.attention_layernorm|\.self_attn_layer_norm|layer\.0\.layer_norm)\.weight$/;
const QUERY_NORM = /\.(?:q_norm|q_layernorm)\.weight$/;
const KEY_NORM = /\.(?:k_norm|k_layernorm)\.weight$/;
/** Norms of queries that are taken elsewhere: HunYuan's come after the rotation. */
const OTHER_NORM = /\.(?:query_layernorm|query_norm|q_ln)\.weight$/;

/** Names of what queries and keys are made of. */
interface Parts {
  readonly embedding: string;
  readonly embeddingNorm: string | undefined;
  readonly norm: string | undefined;
  readonly matrices: Matrices;
  readonly queryNorm: string | undefined;
  readonly keyNorm: string | undefined;
}

function matricesIn(first: readonly string[]): Matrices | undefined {
  const query = first.find((name) => QUERY.test(name));
  const key = first.find((name) => KEY.test(name));
  if (query !== undefined && key !== undefined) return { fused: false, query, key };
  const name = first.find((candidate) => isFused(candidate));
  if (name === undefined) return undefined;
  const layout = FUSED_LAYOUTS.find(({ pattern }) => pattern.test(name));
  if (layout === undefined) throw new CheckpointError(t("{0} is a fused QKV tensor with an unknown layout", name), 0);
  return { fused: true, name, firstRow: layout.firstRow };
}

/** @throws CheckpointError where the names are of no model that is known here */
export function contentParts(names: readonly string[]): Parts {
  const own = names.filter((name) => !/vision|visual/.test(name));
  const first = own.filter((name) => FIRST_LAYER.test(name) && !/decoder\.(?!layers)|cross/.test(name));
  const find = (pattern: RegExp, among: readonly string[] = first) => among.find((name) => pattern.test(name));
  const embedding = find(EMBEDDING, own);
  const matrices = matricesIn(first);
  if (embedding === undefined || matrices === undefined)
    throw new CheckpointError(t("no supported embedding with W_Q and W_K found in this checkpoint"), 0);
  const other = find(OTHER_NORM);
  if (other !== undefined) throw new CheckpointError(t("unsupported norm ({0})", other), 0);
  return {
    embedding,
    embeddingNorm: find(EMBEDDING_NORM, own),
    norm: find(NORM),
    matrices,
    queryNorm: find(QUERY_NORM),
    keyNorm: find(KEY_NORM),
  };
}

/** The embedding of each token. */
async function embeddings({ info, reader }: Stored, ids: readonly number[]): Promise<number[][]> {
  const [rows = 0] = info.shape;
  const outside = ids.find((id) => id >= rows);
  if (outside !== undefined)
    throw new CheckpointError(t("token {0} is out of range: the vocabulary has {1} tokens", outside, rows), 0);
  const vectors: number[][] = [];
  for (const id of ids) vectors.push(Array.from(await tensorRows(reader, info, id, id + 1)));
  return vectors;
}

/** Gemma 1 to 3 and Nemotron store what is added to one; of a checkpoint without its config, Gemma 2 and 3 are known by their norms. */
function addsOne(names: readonly string[], modelType: string | undefined): boolean {
  if (modelType !== undefined) return /^(?:gemma[23]?(?:_text)?|nemotron)$/.test(modelType);
  const own = (part: string) => names.some((name) => name.includes(part));
  return own("layers.0.pre_feedforward_layernorm") && own("layers.0.input_layernorm") && !own("laurel");
}

/** Cohere and MPT: LayerNorms without a bias, in blocks whose attention and MLP share a norm, or that are called so. */
function isCentred(names: readonly string[], name: string): boolean {
  if (/\.norm_1\.weight$/.test(name)) return true;
  return (
    /\.input_layernorm\.weight$/.test(name) && !names.some((other) => /\.0\.post_\w*(?:norm|layernorm)\./.test(other))
  );
}

function normReader(names: readonly string[], find: FindTensor, { modelType, eps }: NormsOfConfig) {
  const more = addsOne(names, modelType) ? 1 : 0;
  return async (name: string | undefined, of: "input" | "head"): Promise<Norm | undefined> => {
    const weight = name === undefined ? undefined : await optionalVector(find, name);
    if (name === undefined || weight === undefined) return undefined;
    const bias = await optionalVector(find, name.replace(/weight$/, "bias"));
    const centred = of === "input" && isCentred(names, name);
    const usual = bias === undefined && !centred ? 1e-6 : 1e-5;
    return { weight: weight.map((value) => value + more), bias, centred, eps: eps ?? usual };
  };
}

/** OLMo 1 has LayerNorms without any numbers: nothing but its config says so. */
const PLAIN_LAYER_NORM: Norm = { weight: [], bias: undefined, centred: true, eps: 1e-5 };

/** Of the matrices named c_attn, only their shape and the model's norms tell whose they are. */
async function settled(find: FindTensor, matrices: Matrices, norm: Norm | undefined): Promise<Matrices> {
  if (!matrices.fused || !/c_attn/.test(matrices.name)) return matrices;
  const { shape } = (await required(find, matrices.name)).info;
  return { ...matrices, firstRow: cAttnLayout(shape, norm?.bias !== undefined) };
}

/**
 * @param names all tensors of the checkpoint
 * @throws CheckpointError for models of another build, tokens that do not exist and heads of another size
 */
export async function contentRows(
  names: readonly string[],
  find: FindTensor,
  { ids, norms = {}, ...wanted }: ContentRequest,
): Promise<ContentRows> {
  const parts = contentParts(names);
  const normOf = normReader(names, find, norms);
  const embedded = await embeddings(await required(find, parts.embedding), ids);
  const norm = await normOf(parts.norm, "input");
  const plain = norm === undefined && norms.modelType === "olmo" ? PLAIN_LAYER_NORM : norm;
  const x = normalised(normalised(embedded, await normOf(parts.embeddingNorm, "input")), plain);
  const matrices = await settled(find, parts.matrices, norm);
  const rowsOf = async (which: "q" | "k") => {
    const own = await normOf(which === "q" ? parts.queryNorm : parts.keyNorm, "head");
    return Float64Array.from((await projected(find, which, matrices, wanted, x, own)).flat());
  };
  return { q: await rowsOf("q"), k: await rowsOf("k") };
}

/** Where a head's rows are in a matrix that holds queries, keys and values together. */

export interface FusedSizes {
  readonly heads: number;
  /** Heads of keys: several heads of queries may share one. */
  readonly keyHeads: number;
  readonly headDim: number;
}

/** First of the rows of a head of queries, or of the keys that it uses. */
export type FirstRow = (which: "q" | "k", head: number, sizes: FusedSizes) => number;

/** All queries, then all keys, then all values. */
export const inBlocks: FirstRow = (which, head, { heads, keyHeads, headDim }) =>
  which === "q" ? head * headDim : (heads + Math.floor((head * keyHeads) / heads)) * headDim;

/** For each head of keys: the queries that share it, its keys, its values. Of one query a key: q, k, v by head. */
export const byKeyHead: FirstRow = (which, head, { heads, keyHeads, headDim }) => {
  const shared = heads / keyHeads;
  const group = Math.floor(head / shared);
  return (group * (shared + 2) + (which === "q" ? head % shared : shared)) * headDim;
};

/** CodeGen was trained on four cores: each has its heads' queries, then values, then keys. */
export const onFourCores: FirstRow = (which, head, { heads, headDim }) => {
  const own = heads / 4;
  const core = Math.floor(head / own);
  return (core * 3 * own + (which === "q" ? 0 : 2 * own) + (head % own)) * headDim;
};

/** A matrix of the first layer, as the models' code in transformers reads it. */
interface FusedLayout {
  readonly pattern: RegExp;
  readonly firstRow: FirstRow;
}

export const FUSED_LAYOUTS: readonly FusedLayout[] = [
  // GPT-2 (columns in place of rows), ImageGPT, Qwen 1; GPT-BigCode with one key for all heads.
  { pattern: /(?:^|\.)h\.0\.attn\.c_attn\.weight$/, firstRow: inBlocks },
  // GPT-NeoX, Pythia, ChatGLM-6B.
  { pattern: /^(?:gpt_neox\.|transformer\.)?layers\.0\.attention\.query_key_value\.weight$/, firstRow: byKeyHead },
  // Persimmon, Fuyu.
  { pattern: /(?:^|\.)layers\.0\.self_attn\.query_key_value\.weight$/, firstRow: byKeyHead },
  // BLOOM, Falcon of every build.
  { pattern: /(?:^|\.)h\.0\.self_attention\.query_key_value\.weight$/, firstRow: byKeyHead },
  // ChatGLM2, ChatGLM3, GLM-4-9B.
  { pattern: /^transformer\.encoder\.layers\.0\.self_attention\.query_key_value\.weight$/, firstRow: inBlocks },
  // Phi-3.
  { pattern: /(?:^|\.)layers\.0\.self_attn\.qkv_proj\.weight$/, firstRow: inBlocks },
  // CodeGen.
  { pattern: /(?:^|\.)h\.0\.attn\.qkv_proj\.weight$/, firstRow: onFourCores },
  // InternLM2.
  { pattern: /(?:^|\.)layers\.0\.attention\.wqkv\.weight$/, firstRow: byKeyHead },
  // Baichuan.
  { pattern: /(?:^|\.)layers\.0\.self_attn\.W_pack\.weight$/, firstRow: inBlocks },
  // MPT.
  { pattern: /^(?:transformer\.)?blocks\.0\.attn\.Wqkv\.weight$/, firstRow: inBlocks },
];

/** Names that say that a matrix holds queries, keys and values, in whatever order. */
const ANY_FUSED =
  /\.(?:qkv|qkv_proj|query_key_value|c_attn|attn_qkv|wqkv|Wqkv|W_pack|in_proj|in_proj_weight)(?:\.weight)?$/;

export function isFused(name: string): boolean {
  return ANY_FUSED.test(name);
}

/** Where a head's rows are in a matrix that combines queries, keys and values (fused QKV). */

export interface FusedSizes {
  readonly heads: number;
  /** Key heads; several query heads may share one. */
  readonly keyHeads: number;
  readonly headDim: number;
}

/** First row of a query head, or of the key head that it uses. */
export type FirstRow = (which: "q" | "k", head: number, sizes: FusedSizes) => number;

/** All queries, then all keys, then all values. */
export const firstRowInBlocks: FirstRow = (which, head, { heads, keyHeads, headDim }) =>
  which === "q" ? head * headDim : (heads + Math.floor((head * keyHeads) / heads)) * headDim;

/** For each key head: the queries that share it, its key, its value. With one query per key: q, k, v of each head. */
export const firstRowByKeyHead: FirstRow = (which, head, { heads, keyHeads, headDim }) => {
  const shared = heads / keyHeads;
  const group = Math.floor(head / shared);
  return (group * (shared + 2) + (which === "q" ? head % shared : shared)) * headDim;
};

/** CodeGen was trained on four cores; each core's block has the queries of its heads, then values, then keys. */
export const firstRowOnFourCores: FirstRow = (which, head, { heads, headDim }) => {
  const own = heads / 4;
  const core = Math.floor(head / own);
  return (core * 3 * own + (which === "q" ? 0 : 2 * own) + (head % own)) * headDim;
};

/** A fused matrix of the first layer, as transformers' modelling code splits it. */
interface FusedLayout {
  readonly pattern: RegExp;
  readonly firstRow: FirstRow;
}

export const FUSED_LAYOUTS: readonly FusedLayout[] = [
  // GPT-2 (transposed), ImageGPT, Qwen 1; GPT-BigCode with one key head.
  { pattern: /(?:^|\.)h\.0\.attn\.c_attn\.weight$/, firstRow: firstRowInBlocks },
  // GPT-NeoX, Pythia, ChatGLM-6B.
  {
    pattern: /^(?:gpt_neox\.|transformer\.)?layers\.0\.attention\.query_key_value\.weight$/,
    firstRow: firstRowByKeyHead,
  },
  // Persimmon, Fuyu.
  { pattern: /(?:^|\.)layers\.0\.self_attn\.query_key_value\.weight$/, firstRow: firstRowByKeyHead },
  // BLOOM, all versions of Falcon.
  { pattern: /(?:^|\.)h\.0\.self_attention\.query_key_value\.weight$/, firstRow: firstRowByKeyHead },
  // ChatGLM2, ChatGLM3, GLM-4-9B.
  { pattern: /^transformer\.encoder\.layers\.0\.self_attention\.query_key_value\.weight$/, firstRow: firstRowInBlocks },
  // Phi-3.
  { pattern: /(?:^|\.)layers\.0\.self_attn\.qkv_proj\.weight$/, firstRow: firstRowInBlocks },
  // CodeGen.
  { pattern: /(?:^|\.)h\.0\.attn\.qkv_proj\.weight$/, firstRow: firstRowOnFourCores },
  // InternLM2.
  { pattern: /(?:^|\.)layers\.0\.attention\.wqkv\.weight$/, firstRow: firstRowByKeyHead },
  // Baichuan.
  { pattern: /(?:^|\.)layers\.0\.self_attn\.W_pack\.weight$/, firstRow: firstRowInBlocks },
  // MPT.
  { pattern: /^(?:transformer\.)?blocks\.0\.attn\.Wqkv\.weight$/, firstRow: firstRowInBlocks },
];

/** Names of fused QKV tensors, whatever their layout. */
const ANY_FUSED =
  /\.(?:qkv|qkv_proj|query_key_value|c_attn|attn_qkv|wqkv|Wqkv|W_pack|in_proj|in_proj_weight)(?:\.weight)?$/;

export function isFused(name: string): boolean {
  return ANY_FUSED.test(name);
}

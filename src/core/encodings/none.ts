import * as l10n from "@vscode/l10n";
import { buildContentTerm } from "../terms/contentTerm.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { headDim, numHeads } from "./support/parameters.ts";
import { getNumber } from "./support/schema.ts";
import { NO_POSITIONS_TO_ROUND } from "./support/viewNotes.ts";

/**
 * Which layers use RoPE in models that skip it in every interval-th layer (transformers SmolLM3, Llama 4).
 * @returns 1 where the layer USES RoPE, despite the name of the key `no_rope_layers`
 */
export function ropeLayerFlags(layers: number, interval: number): number[] {
  return Array.from({ length: layers }, (_, layer) => ((layer + 1) % interval === 0 ? 0 : 1));
}

/** Llama 4's factor on the queries of layers without RoPE: 1 + attn_scale · ln(1 + ⌊(p + 1) / floor_scale⌋). */
export function queryTemperature(position: number, floorScale: number, attnScale: number): number {
  return 1 + attnScale * Math.log1p(Math.floor((position + 1) / floorScale));
}

const formula: Formula = {
  id: "none",
  tex: "\\mathrm{logit}_{ij} = \\frac{q_i \\cdot k_j}{\\sqrt{d}}",
  text: "logit(i, j) = q_i · k_j / √d",
};

/** No position encoding: attention is permutation-equivariant. */
export const none: Encoding = {
  id: "none",
  name: { en: "NoPE", zh: "NoPE" },
  gloss: { en: "no position encoding", zh: "无位置编码" },
  aliases: ["NoPE", "no_rope_layers", "use_rope = False"],
  classification: {
    kind: "none",
    actsOn: "nowhere",
    trained: "fixed",
    trainedParameters: () => 0,
  },
  effect: {
    content_content: "kept",
    content_position: "dropped",
    position_content: "dropped",
    position_position: "dropped",
  },
  parameters: [numHeads, headDim],
  formulas: [formula],
  formula: () => formula,
  explanation: {
    summary: {
      en: "Scores depend only on the tokens: permuting the input merely permutes the output. Order enters only through the causal mask, if there is one.",
      zh: "分数只取决于词元本身：打乱词序，输出也只是跟着打乱。顺序至多通过因果掩码进入。",
    },
    extrapolation: {
      en: "No position is unseen. Decoders without position encoding still degrade beyond their training context, because attention spreads over more keys.",
      zh: "不存在“没见过的位置”；但无编码的解码器超过训练上下文后仍会变差，因为注意力被摊到更多的键上。",
    },
    strengths: {
      en: "Nothing to choose or extend; mixed with RoPE layers, it helps long-context retrieval.",
      zh: "无需选择也无需外推；与 RoPE 层混用有助于长距离检索。",
    },
    weaknesses: {
      en: "Without a causal mask, “I like apples” and “apples like I” are indistinguishable.",
      zh: "没有因果掩码时，“我喜欢苹果”与“苹果喜欢我”毫无区别。",
    },
    pitfalls: {
      en: "In SmolLM3 and Llama 4, 1 in no_rope_layers means that the layer USES RoPE; Megatron's no_rope_freq has the opposite convention.",
      zh: "SmolLM3 与 Llama 4 的 no_rope_layers 中，1 表示该层使用 RoPE；Megatron 的 no_rope_freq 含义相反。",
    },
    models: ["SmolLM3 (every 4th layer)", "Llama 4 (every 4th layer)", "Cohere Command A (global layers)", "Jamba"],
  },
  papers: [
    {
      title: "The Impact of Positional Encoding on Length Generalization in Transformers",
      arxiv: "2305.19466",
      year: 2023,
    },
  ],
  repositories: ["McGill-NLP/length-generalization"],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  summary: () => [l10n.t("no position encoding")],
  viewNotes: () => ({ precision: NO_POSITIONS_TO_ROUND }),
  learnedArrays: [],
  terms: (params, scene) => [buildContentTerm(scene, getNumber(params, "head_dim"))],
};

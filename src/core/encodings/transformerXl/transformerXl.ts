import type { Params } from "../../spec.ts";
import { buildContentTerm } from "../../terms/contentTerm.ts";
import {
  exampleValue,
  findInputArray,
  findInputVector,
  learnedTermName,
  readLearnedMatrix,
} from "../../terms/learned.ts";
import { cachedFunction, makeFactor, translatedFactor } from "../../terms/linear.ts";
import { readMatrixList } from "../../terms/read.ts";
import { buildRelativeKeyTerm, buildRelativeQueryTerm } from "../../terms/relative.ts";
import type { Scene } from "../../terms/scene.ts";
import type { BiasTerm, Term } from "../../terms/term.ts";
import type { Encoding } from "../encoding.ts";
import { headDim, numHeads, resolveHiddenSize, unusedParameter } from "../support/parameters.ts";
import { getNumber, getString } from "../support/schema.ts";
import { distanceFrequencies, distanceSinusoid, projectDistanceSinusoid } from "./distances.ts";
import { xlExplanation, xlFormulas, xlParameters } from "./text.ts";

type BiasName = "r_w_bias" | "r_r_bias" | "r_s_bias";

/** u, v or s of one head: trained vectors in place of the query's position. */
export function readBiasVector(params: Params, scene: Scene, name: BiasName): readonly number[] {
  const salt = { r_w_bias: 31, r_r_bias: 32, r_s_bias: 33 }[name];
  const example = (head: number, c: number) => exampleValue(salt, head, c, 0.3);
  const heads = getNumber(params, "num_heads");
  return readLearnedMatrix(scene.inputs, [name], heads, getNumber(params, "head_dim"), example)(scene.head);
}

/** In the causal forms, cells above the diagonal contain values of other rows and are undefined. */
function terms(params: Params, scene: Scene): readonly Term[] {
  const all = buildTerms(params, scene);
  if (getString(params, "attn_type") === "bi") return all;
  return all.map((term) => ({ ...term, region: { deltaFrom: 0 } }));
}

function buildTerms(params: Params, scene: Scene): readonly Term[] {
  const dim = getNumber(params, "head_dim");
  const content = buildContentTerm(scene, dim);
  const { scale } = content;
  const { constant } = scene.content;
  const distances = projectDistanceSinusoid(params, scene.inputs, scene.head);
  const byDistance = { of: "delta", at: (delta: number) => delta } as const;
  const u = readBiasVector(params, scene, "r_w_bias");
  const v = readBiasVector(params, scene, "r_r_bias");
  const name = (en: string, zh: string) => learnedTermName({ en, zh }, scene.inputs);
  const position = cachedFunction(distances.dotWith(v));
  const offset = scene.keyLength - scene.queryLength;
  const bias: BiasTerm = {
    kind: "bias",
    id: "position_position",
    role: "position_position",
    name: name("v · distance", "v · 距离"),
    scale,
    profile: position,
    value: (i, j) => position(i - j + offset),
  };
  return [
    content,
    buildRelativeQueryTerm({
      id: "content_position",
      role: "content_position",
      name: name("query · distance", "查询 · 距离"),
      scale,
      query: content.query,
      table: distances,
      index: byDistance,
      constant,
    }),
    buildRelativeKeyTerm({
      id: "position_content",
      role: "position_content",
      name: name("u · key", "u · 键"),
      scale,
      key: content.key,
      table: makeFactor(dim, () => u),
      index: { of: "delta", at: () => 0 },
      constant,
    }),
    bias,
    ...buildSegmentTerms(params, scene, scale),
  ];
}

/** XLNet's segments: (q_i + s) · seg[same segment ? 0 : 1], if the inputs contain `seg_embed` and `token_type_ids`. */
function buildSegmentTerms(params: Params, scene: Scene, scale: number): readonly Term[] {
  const given = findInputArray(scene.inputs, ["seg_embed"]);
  const types = findInputVector(scene.inputs, "token_type_ids");
  if (given === undefined || types === undefined) return [];
  const segments = readMatrixList(given.value, "seg_embed");
  const dim = getNumber(params, "head_dim");
  const offset = scene.keyLength - scene.queryLength;
  const query = translatedFactor(scene.content.rows("q", scene.head, dim), readBiasVector(params, scene, "r_s_bias"));
  return [
    buildRelativeQueryTerm({
      id: "segment",
      role: "content_content",
      name: { en: "query · segment", zh: "查询 · 句段" },
      scale,
      query,
      table: makeFactor(dim, (index) => segments[index]?.[scene.head] ?? []),
      index: { of: "cell", at: (i, j) => (types[i + offset] === types[j] ? 0 : 1) },
      constant: false,
    }),
  ];
}

/** Transformer-XL and XLNet: the full expansion with p_j → R_(i−j) and p_i → u, v. */
export const transformerXl: Encoding = {
  id: "transformer_xl",
  name: { en: "Transformer-XL / XLNet", zh: "Transformer-XL / XLNet" },
  gloss: { en: "relative sinusoidal encoding", zh: "相对正弦编码" },
  aliases: [
    "XLNet",
    "rel_shift",
    "relative_positional_encoding",
    "r_w_bias",
    "r_r_bias",
    "RelPartialLearnableMultiHeadAttn",
  ],
  classification: {
    kind: "relative",
    actsOn: "scores",
    trained: "trained",
    trainedParameters: (params) =>
      getNumber(params, "num_heads") * getNumber(params, "head_dim") * (resolveHiddenSize(params) + 2),
  },
  effect: {
    content_content: "kept",
    content_position: "changed",
    position_content: "changed",
    position_position: "changed",
  },
  expansion: {
    terms: {
      content_position: {
        id: "xl_term_xp",
        tex: "x_i W_Q\\,W_{K,R}^{\\top} \\mathbf{R}_{i-j}^{\\top}",
        text: "x_i W_Q · R(i − j) W_{K,R}",
      },
      position_content: { id: "xl_term_px", tex: "\\mathbf{u}\\,W_K^{\\top} x_j^{\\top}", text: "u · x_j W_K" },
      position_position: {
        id: "xl_term_pp",
        tex: "\\mathbf{v}\\,W_{K,R}^{\\top} \\mathbf{R}_{i-j}^{\\top}",
        text: "v · R(i − j) W_{K,R}",
      },
    },
    steps: {
      en: "pⱼ became R of the distance, a sinusoid with a projection of its own. The two pᵢ W_Q became trained vectors u and v, the same for every query (some texts write u W_Q and v W_Q). The values carry no position from here on.",
      zh: "pⱼ 换成距离的正弦向量 R，并有自己的投影；两处 pᵢ W_Q 换成训练得到的 u 与 v，对所有查询相同（有的文章写作 u W_Q、v W_Q）。从这里起，值里不再有位置。",
    },
  },
  parameters: [numHeads, { ...headDim, aliases: ["d_head", "d_kv"] }, ...xlParameters, unusedParameter("mem_len")],
  formulas: [xlFormulas.xl, xlFormulas.xlnet],
  formula: (params) => (getString(params, "attn_type") === "original" ? xlFormulas.xl : xlFormulas.xlnet),
  explanation: xlExplanation,
  papers: [
    {
      title: "Transformer-XL: Attentive Language Models Beyond a Fixed-Length Context",
      arxiv: "1901.02860",
      year: 2019,
    },
    {
      title: "XLNet: Generalized Autoregressive Pretraining for Language Understanding",
      arxiv: "1906.08237",
      year: 2019,
    },
  ],
  repositories: ["kimiyoung/transformer-xl", "zihangdai/xlnet"],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  learnedArrays: ["w_r", "r_w_bias", "r_r_bias"],
  terms,
  positionTable: (params) => ({
    rows: distanceSinusoid(params),
    column: (index) => {
      const half = Math.ceil(resolveHiddenSize(params) / 2);
      return index < half ? `sin ω${index}` : `cos ω${index - half}`;
    },
  }),
  frequencies: distanceFrequencies,
  derived: (params) => ({ frequencies: distanceFrequencies(params) }),
};

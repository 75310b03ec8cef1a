import * as l10n from "@vscode/l10n";
import type { Params } from "../spec.ts";
import { buildContentTerm } from "../terms/contentTerm.ts";
import { positionId } from "../terms/numbering.ts";
import { toBfloat16 } from "../terms/precision.ts";
import type { Scene } from "../terms/scene.ts";
import type { BiasTerm } from "../terms/term.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { ADDS_BIAS } from "./support/effects.ts";
import { headDim, numHeads } from "./support/parameters.ts";
import { getNumber, getString } from "./support/schema.ts";
import { countPart } from "./support/summary.ts";

/**
 * Slopes of all heads in the order of the paper's code (Press et al. 2022, ofirpress/attention_with_linear_biases).
 * For a power of two n: 2^(−bias_max·(h+1)/n). Otherwise the slopes of the next lower power c, followed by the 1st,
 * 3rd, … slope of 2c. MPT takes the slopes of 2c, odd indices first: the same list.
 * @returns [num_heads]
 */
export function alibiSlopes(heads: number, biasMax = 8): number[] {
  const lower = 2 ** Math.floor(Math.log2(heads));
  const slopesOfLower = geometricSlopes(lower, biasMax);
  const between = geometricSlopes(2 * lower, biasMax).filter((_, h) => h % 2 === 0);
  return [...slopesOfLower, ...between.slice(0, heads - lower)];
}

function geometricSlopes(count: number, biasMax: number): number[] {
  return Array.from({ length: count }, (_, h) => 2 ** ((-biasMax * (h + 1)) / count));
}

/** Slopes of all heads. */
export function modelSlopes(params: Params): number[] {
  return alibiSlopes(getNumber(params, "num_heads"), getNumber(params, "alibi_bias_max"));
}

/** Position of each key from a padding mask, as in Bloom: (cumsum(mask) − 1) · mask. */
export function positionsFromMask(mask: readonly number[]): number[] {
  let seen = 0;
  return mask.map((present) => {
    seen += present;
    return (seen - 1) * present;
  });
}

/**
 * Falcon's row of biases: slope and product are each rounded to bfloat16 (transformers models/falcon,
 * build_alibi_tensor).
 */
export function falconColumn(slope: number, keys: number): number[] {
  return Array.from({ length: keys }, (_, j) => toBfloat16(toBfloat16(slope) * j));
}

/** Position id of a key in Bloom and Falcon: from the attention mask if tokens are renumbered, else its index. */
function keyPositionId({ numbering }: Scene, j: number): number {
  return numbering === undefined ? j : positionId(numbering, j);
}

/** Bias of one head, before its scale. */
function buildBiasTerm(params: Params, scene: Scene, scale: number): BiasTerm {
  const slope = modelSlopes(params)[scene.head] ?? 0;
  const offset = scene.keyLength - scene.queryLength;
  const base = {
    kind: "bias",
    id: "bias",
    role: "position_position",
    name: { en: "distance penalty", zh: "距离惩罚" },
    scale,
  } as const;
  switch (getString(params, "variant")) {
    case "bloom":
      return { ...base, value: (_i, j) => slope * (keyPositionId(scene, j) + scene.shift) };
    case "falcon":
      return {
        ...base,
        value: (_i, j) => toBfloat16(toBfloat16(slope) * (keyPositionId(scene, j) + scene.shift)),
      };
    case "mpt":
      return { ...base, value: (_i, j) => slope * (j - (scene.keyLength - 1)) };
    case "symmetric": {
      const profile = (delta: number) => -slope * Math.abs(delta);
      return { ...base, profile, value: (i, j) => profile(i - j + offset) };
    }
    default: {
      const profile = (delta: number) => -slope * delta;
      return { ...base, profile, value: (i, j) => profile(i - j + offset) };
    }
  }
}

const formula: Formula = {
  id: "alibi",
  tex: "\\mathrm{logit}_{ij} = \\frac{q_i \\cdot k_j}{\\sqrt{d}} - m_h\\,(i-j), \\qquad m_h = 2^{-8h/n}",
  text: "logit(i, j) = q_i · k_j / √d − m_h · (i − j),  m_h = 2^(−8h/n)",
};

const slopeFormula: Formula = {
  id: "alibi_slopes",
  tex: "m_h = 2^{-8h/n}, \\qquad h = 1 \\dots n",
  text: "m_h = 2^(−8h/n),  h = 1 … n",
};

/** ALiBi: attention with linear biases. */
export const alibi: Encoding = {
  id: "alibi",
  name: { en: "ALiBi", zh: "ALiBi" },
  gloss: { en: "attention with linear biases", zh: "线性偏置注意力" },
  aliases: ["attention with linear biases", "get_slopes", "build_alibi_tensor"],
  classification: {
    kind: "relative",
    actsOn: "scores",
    trained: "fixed",
    trainedParameters: () => 0,
  },
  effect: ADDS_BIAS,
  expansion: {
    terms: {
      position_position: { id: "alibi_term_pp", tex: "-\\mathbf{m}_h\\,(i-j)", text: "−m_h (i − j)" },
    },
    steps: {
      en: "As in T5, both middle terms are dropped. The last became the distance itself, times a fixed slope of the head: nothing is trained.",
      zh: "与 T5 一样去掉中间两项；最后一项换成距离本身乘以该头的固定斜率，不需要训练。",
    },
  },
  parameters: [
    { ...numHeads, default: 8 },
    headDim,
    {
      name: "alibi_bias_max",
      kind: "number",
      default: 8,
      above: 0,
      max: 64,
      slider: { min: 1, max: 16, scale: "linear" },
      help: {
        en: "Exponent of the smallest slope: slopes go down to 2^−alibi_bias_max.",
        zh: "最小斜率的指数：斜率最小为 2^−alibi_bias_max。",
      },
    },
    {
      name: "variant",
      kind: "choice",
      default: "paper",
      choices: [
        {
          value: "paper",
          name: { en: "−slope · (i − j)", zh: "−斜率 · (i − j)" },
        },
        {
          value: "symmetric",
          name: {
            en: "−slope · |i − j| (encoders)",
            zh: "−斜率 · |i − j|（编码器）",
          },
        },
        {
          value: "bloom",
          name: {
            en: "slope · j (Bloom, Baichuan)",
            zh: "斜率 · j（Bloom、Baichuan）",
          },
        },
        {
          value: "mpt",
          name: {
            en: "slope · (j − last) (MPT)",
            zh: "斜率 ·（j − 末位）（MPT）",
          },
        },
        {
          value: "falcon",
          name: {
            en: "bfloat16, scaled after adding (Falcon)",
            zh: "bfloat16，相加后再缩放（Falcon）",
          },
        },
      ],
      help: {
        en: "Form of the bias. Under a causal mask, all forms but Falcon's give the same softmax, though not the same matrix.",
        zh: "偏置的写法。在因果掩码下，除 Falcon 外各种写法的 softmax 结果相同，矩阵本身并不相同。",
      },
    },
  ],
  formulas: [formula],
  formula: () => formula,
  partFormulas: { slopes: slopeFormula },
  explanation: {
    summary: {
      en: "A fixed penalty that grows linearly with distance, with a separate slope for each head. With RoPE, the mainstream of today's models.",
      zh: "随距离线性增长的固定惩罚，每个头有自己的斜率。与 RoPE 一起是当今模型的主流。",
    },
    extrapolation: {
      en: "There is no table and no unseen angle, so longer inputs work. Heads with steep slopes see only their neighbourhood, because the penalty keeps growing.",
      zh: "没有查表，也没有未见过的角度，因此可以直接用于更长的输入；但惩罚持续增长，斜率大的头只能看到邻近位置。",
    },
    strengths: {
      en: "No parameters or tables, cheap, and stable beyond the training context.",
      zh: "无参数、无表、开销小，超过训练上下文仍然稳定。",
    },
    weaknesses: {
      en: "Distant tokens are penalised regardless of content, which hurts long-distance retrieval.",
      zh: "无论内容如何，远处的词元总被压低：长距离检索受损。",
    },
    pitfalls: {
      en: "If the number of heads is not a power of two, the slopes are not one geometric sequence; Bloom and MPT compute them differently but get the same slopes in the same order. The column form slope · j equals the paper's only after a causal softmax. Some texts describe i − j = 1 as “the key is one position later”; it is one earlier.",
      zh: "头数不是 2 的幂时，斜率不再是同一个等比序列；Bloom 与 MPT 算法不同，但斜率的数值与顺序相同。列形式“斜率 · j”只在因果 softmax 之后才与论文一致。有的文章说 i − j = 1 表示键在后一位，其实是前一位。",
    },
    models: ["BLOOM", "Baichuan-13B", "MPT", "Falcon-RW", "Jina-BERT-v2"],
  },
  papers: [
    {
      title: "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation",
      arxiv: "2108.12409",
      year: 2021,
    },
  ],
  repositories: ["ofirpress/attention_with_linear_biases"],
  domain: () => ({ kind: "any" }),
  // Bloom and Falcon compute positions from the attention mask; the other forms use only distances.
  takesPositionIds: ({ variant }) => variant === "bloom" || variant === "falcon",
  cellsAreIndependent: true,
  learnedArrays: [],
  terms: (params, scene) => {
    const scale = 1 / Math.sqrt(getNumber(params, "head_dim"));
    const scalesBias = getString(params, "variant") === "falcon";
    return [
      buildContentTerm(scene, getNumber(params, "head_dim")),
      buildBiasTerm(params, scene, scalesBias ? scale : 1),
    ];
  },
  slopes: modelSlopes,
  summary: (params) => ["ALiBi", ...countPart(params, "num_heads", (heads) => l10n.t("{0} heads", heads))],
  derived: (params) => ({ alibi_slopes: modelSlopes(params) }),
};

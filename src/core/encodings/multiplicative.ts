import * as l10n from "@vscode/l10n";
import type { Params } from "../spec.ts";
import { indexRange } from "../terms/engine.ts";
import {
  examplePositionTable,
  exampleValue,
  findInputMatrix,
  findInputVector,
  learnedTermName,
  readLearnedMatrix,
  usesExampleValues,
} from "../terms/learned.ts";
import {
  cachedFactor,
  evaluateRow,
  makeFactor,
  projectedFactor,
  shiftedFactor,
  slicedFactor,
} from "../terms/linear.ts";
import type { Inputs, Scene } from "../terms/scene.ts";
import type { Factor, ProductTerm } from "../terms/term.ts";
import { ParamError } from "../util/errors.ts";
import type { Encoding, Formula, ViewNotes } from "./encoding.ts";
import { TRANSFORMS_CONTENT } from "./support/effects.ts";
import {
  checkHeadsDivide,
  hiddenSizeParameters,
  resolveHiddenSize,
  TOKENS_UNIT,
  unusedParameter,
} from "./support/parameters.ts";
import { getNumber, getString } from "./support/schema.ts";

export function isComplex(params: Params): boolean {
  return getString(params, "variant") === "complex_order";
}

/** p by position, [hidden_size]. Example values are close to one, so that words stay recognisable. */
function readMultiplierTable(params: Params, inputs: Inputs): Factor {
  const dim = resolveHiddenSize(params);
  const count = getNumber(params, "max_position_embeddings");
  const example = examplePositionTable(count, dim);
  const row = readLearnedMatrix(inputs, ["position_embeddings"], null, dim, (p, c) => 1 + example(p, c));
  return cachedFactor(dim, (p) => {
    if (p >= 0 && p < count) return row(p);
    throw new ParamError({
      param: "max_position_embeddings",
      value: count,
      rule: l10n.t("position {0} does not exist: the table has {1} rows", p, count),
    });
  });
}

/** x_i ⊗ p_i by token, [hidden_size]. */
export function multiplyByPositions(params: Params, scene: Scene): Factor {
  const dim = resolveHiddenSize(params);
  const wordVectors = scene.content.rows("x", scene.head, dim);
  const table = shiftedFactor(readMultiplierTable(params, scene.inputs), scene.shift);
  return makeFactor(dim, (token) => {
    const p = evaluateRow(table, token);
    return evaluateRow(wordVectors, token).map((value, c) => value * (p[c] ?? 0));
  });
}

/**
 * Complex word vectors r · e^{i(ω·pos + θ)} (Wang et al. 2020, equation 4), as [real | imaginary] by token. Amplitude,
 * frequency and phase belong to the word; positions start at 1.
 */
export function complexWordVectors(params: Params, scene: Scene): Factor {
  const dim = resolveHiddenSize(params);
  const { inputs } = scene;
  const wordVectors = scene.content.rows("x", scene.head, dim);
  const amplitude = usesExampleValues(inputs)
    ? (token: number): ArrayLike<number> => evaluateRow(wordVectors, token)
    : readLearnedMatrix(inputs, ["amplitude"], null, dim, () => 0);
  const frequency = readLearnedMatrix(inputs, ["frequency"], null, dim, (_token, c) =>
    Math.abs(exampleValue(112, 0, c, 0.3)),
  );
  const phase = readLearnedMatrix(inputs, ["phase"], null, dim, (_token, c) => exampleValue(113, 0, c));
  const givenPositions = findInputVector(inputs, "positions");
  return cachedFactor(2 * dim, (token) => {
    const position = (givenPositions?.[token] ?? token + 1) + scene.shift;
    const r = amplitude(token);
    const w = frequency(token);
    const initialPhase = phase(token);
    const angles = indexRange(0, dim).map((c) => (w[c] ?? 0) * position + (initialPhase[c] ?? 0));
    return [
      ...angles.map((angle, c) => (r[c] ?? 0) * Math.cos(angle)),
      ...angles.map((angle, c) => (r[c] ?? 0) * Math.sin(angle)),
    ];
  });
}

/** h W of one head by token. Without W, the head's slice of h (for complex words, of both parts). */
export function projectHidden(params: Params, scene: Scene, weight: "w_q" | "w_k" | "w_v"): Factor {
  const heads = getNumber(params, "num_heads");
  const hidden = isComplex(params) ? complexWordVectors(params, scene) : multiplyByPositions(params, scene);
  const dim = resolveHiddenSize(params) / heads;
  const from = scene.head * dim;
  if (isComplex(params)) {
    const headColumns = [
      ...indexRange(from, from + dim),
      ...indexRange(hidden.dim / 2 + from, hidden.dim / 2 + from + dim),
    ];
    return makeFactor(2 * dim, (token) => {
      const row = evaluateRow(hidden, token);
      return headColumns.map((c) => row[c] ?? 0);
    });
  }
  const matrix = findInputMatrix(scene.inputs, weight);
  return matrix === undefined ? slicedFactor(hidden, from, dim) : projectedFactor(hidden, matrix, from, dim);
}

function buildProductTerm(params: Params, scene: Scene): ProductTerm {
  const offset = scene.keyLength - scene.queryLength;
  return {
    kind: "product",
    id: "content",
    role: "content_content",
    name: learnedTermName({ en: "(x ⊗ p) · (x ⊗ p)", zh: "(x ⊗ p) · (x ⊗ p)" }, scene.inputs),
    scale: 1 / Math.sqrt(resolveHiddenSize(params) / getNumber(params, "num_heads")),
    query: shiftedFactor(projectHidden(params, scene, "w_q"), offset),
    key: projectHidden(params, scene, "w_k"),
  };
}

const formula: Formula = {
  id: "multiplicative",
  tex: "h_p = x_p \\otimes P_p, \\qquad \\mathrm{logit}_{ij} = \\frac{(x_i \\otimes P_i) W_Q \\cdot (x_j \\otimes P_j) W_K}{\\sqrt{d}}",
  text: "h(p) = x(p) ⊗ P[p] (element by element),  logit(i, j) = (x_i ⊗ P_i) W_Q · (x_j ⊗ P_j) W_K / √d",
};

const complexFormula: Formula = {
  id: "multiplicative_complex",
  tex: "\\begin{aligned}h_p &= r_w \\otimes e^{\\,\\mathrm{i}\\,(\\omega_w\\,p + \\theta_w)} \\\\ r_w &\\ \\text{amplitude}, \\quad \\omega_w\\ \\text{frequency}, \\quad \\theta_w\\ \\text{phase of the word}\\end{aligned}",
  text: "h(p) = r_w ⊗ e^(i·(ω_w·p + θ_w)),  amplitude r, frequency ω and phase θ of the word w",
};

/** Multiplies positions into the word vectors. */
export const multiplicative: Encoding = {
  id: "multiplicative",
  name: { en: "Multiplicative", zh: "乘性位置编码" },
  gloss: { en: "element-wise product x ⊗ p", zh: "逐元素乘积 x ⊗ p" },
  aliases: ["complex order", "multiplicative position-aware", "x * p"],
  classification: {
    kind: "absolute",
    actsOn: "input",
    trained: "trained",
    trainedParameters: (params) =>
      isComplex(params)
        ? 3 * resolveHiddenSize(params)
        : getNumber(params, "max_position_embeddings") * resolveHiddenSize(params),
  },
  effect: TRANSFORMS_CONTENT,
  expansion: {
    terms: {
      content_content: {
        id: "multiplicative_term_xx",
        tex: "(x_i \\otimes \\mathbf{p}_i)\\,W_Q W_K^{\\top} (x_j \\otimes \\mathbf{p}_j)^{\\top}",
        text: "(x_i ⊗ p_i) W_Q · (x_j ⊗ p_j) W_K",
      },
    },
    steps: {
      en: "Position multiplies the word, so nothing can be multiplied out: the first term is the only one.",
      zh: "位置与词相乘，无法展开：只有第一项。",
    },
  },
  parameters: [
    ...hiddenSizeParameters(1, 64),
    {
      name: "max_position_embeddings",
      unit: TOKENS_UNIT,
      kind: "integer",
      default: 512,
      min: 1,
      max: 10_000_000,
      slider: { min: 16, max: 4096, scale: "log" },
      help: { en: "Rows of the table.", zh: "位置表的行数。" },
      when: (params) => params.variant !== "complex_order",
    },
    {
      name: "variant",
      kind: "choice",
      default: "elementwise",
      choices: [
        { value: "elementwise", name: { en: "x ⊗ p, trained table", zh: "x ⊗ p，可学习的表" } },
        { value: "complex_order", name: { en: "complex word functions", zh: "复数词函数" } },
      ],
      help: { en: "Form of the product.", zh: "相乘的方式。" },
    },
    unusedParameter("vocab_size"),
  ],
  rules: (params) => checkHeadsDivide(params),
  formulas: [formula, complexFormula],
  formula: (params) => (isComplex(params) ? complexFormula : formula),
  explanation: {
    summary: {
      en: "The position scales the word vector element by element instead of being added to it; addition, multiplication and concatenation are all possible.",
      zh: "位置不是加到词向量上，而是逐元素地乘：相加、相乘、拼接其实都可以考虑。",
    },
    extrapolation: {
      en: "A trained table ends with its last row. The complex form is defined at every position: each word rotates at its own frequencies.",
      zh: "可学习的表到最后一行为止；复数形式对任意位置都有定义，每个词以自己的频率旋转。",
    },
    strengths: {
      en: "Word and position interact directly, in a single term; the complex form anticipates RoPE's rotation.",
      zh: "词与位置在同一项里直接作用；复数形式正是 RoPE“旋转”想法的前身。",
    },
    weaknesses: {
      en: "Still absolute: shifting a sentence changes every score. Rarely used in large models.",
      zh: "仍是绝对编码：句子平移后每个分数都会变。大模型中很少使用。",
    },
    pitfalls: {
      en: "There is no four-term expansion: the product does not split. RoPE is multiplicative too, but acts on queries and keys, not on the input.",
      zh: "这里没有四项展开：乘积无法拆开。RoPE 也是乘性的，但作用在查询和键上，而不是输入上。",
    },
    models: ["Complex-order Transformer (research)", "Multiplicative position-aware BERT (research)"],
  },
  papers: [
    { title: "Encoding word order in complex embeddings", arxiv: "1912.12333", year: 2019 },
    {
      title: "Multiplicative Position-aware Transformer Models for Language Understanding",
      arxiv: "2109.12788",
      year: 2021,
    },
  ],
  repositories: ["iwangbenyou/complex-order"],
  domain: (params) =>
    isComplex(params)
      ? { kind: "any" }
      : {
          kind: "table",
          size: getNumber(params, "max_position_embeddings"),
          reason: {
            en: "A learned table has one trained row per position and nothing after its last.",
            zh: "可学习的位置表每个位置只有一行训练好的向量，最后一行之后什么也没有。",
          },
        },
  cellsAreIndependent: true,
  // With ones, x ⊗ p is p itself, and the picture is that of a learned table.
  initialScene: { content: "tokens", tokens: 48 },
  viewNotes: ({ variant }): ViewNotes =>
    variant === "complex_order"
      ? {
          precision: {
            en: "Each word has its own trained frequencies, so the rounding error is unknown here.",
            zh: "每个词有自己的、训练得到的频率，因此这里无从知道舍入误差。",
          },
        }
      : {},
  learnedArrays: ["position_embeddings"],
  requiredArrays: (params) =>
    isComplex(params) ? [["amplitude"], ["frequency"], ["phase"]] : [["position_embeddings"]],
  terms: (params, scene) => [buildProductTerm(params, scene)],
  positionTable: (params, scene) => {
    if (!isComplex(params)) {
      return {
        rows: shiftedFactor(readMultiplierTable(params, scene.inputs), scene.shift),
        column: (index) => `P[·, ${index}]`,
      };
    }
    const dim = resolveHiddenSize(params);
    return {
      rows: complexWordVectors(params, scene),
      column: (index) => (index < dim ? `Re h${index}` : `Im h${index - dim}`),
    };
  },
};

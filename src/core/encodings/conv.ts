import * as l10n from "@vscode/l10n";
import type { Params } from "../spec.ts";
import { indexRange } from "../terms/engine.ts";
import {
  exampleValue,
  findInputArray,
  learnedTermName,
  readLearnedVector,
  usesExampleValues,
} from "../terms/learned.ts";
import { cachedFactor, evaluateRow, makeFactor, shiftedFactor, slicedFactor, sumFactors } from "../terms/linear.ts";
import { readMatrixList } from "../terms/read.ts";
import type { Inputs, Scene } from "../terms/scene.ts";
import type { Factor, ProductTerm } from "../terms/term.ts";
import { ParamError, type ParamProblem } from "../util/errors.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { TRANSFORMS_CONTENT } from "./support/effects.ts";
import { checkHeadsDivide, hiddenSizeParameters, resolveHiddenSize, TOKENS_UNIT } from "./support/parameters.ts";
import { getNumber } from "./support/schema.ts";
import { NO_POSITIONS_TO_ROUND } from "./support/viewNotes.ts";

/** Limit on the weights of one head's kernel: four times the widest published model. */
const MAX_KERNEL_WEIGHTS = 2 ** 23;

interface ConvShape {
  readonly channels: number;
  readonly taps: number;
  readonly groups: number;
}

function readConvShape(params: Params): ConvShape {
  return {
    channels: resolveHiddenSize(params),
    taps: getNumber(params, "num_conv_pos_embeddings"),
    groups: getNumber(params, "num_conv_pos_embedding_groups"),
  };
}

/**
 * Offsets of the first and last frame that a convolution covers. An even kernel reaches one frame further back than
 * ahead.
 */
export function receptiveField(taps: number): { readonly from: number; readonly to: number } {
  const padding = Math.floor(taps / 2);
  return { from: -padding, to: taps - 1 - padding };
}

/**
 * Kernel of `count` output channels from `first` on, row-major [count][hidden / groups][taps]. Reads `conv_weight`
 * [hidden][hidden / groups][taps]; the example values decay with the distance, with another wave in each channel.
 */
function readKernel(params: Params, inputs: Inputs, first: number, count: number): Float64Array {
  const { channels, taps, groups } = readConvShape(params);
  const width = channels / groups;
  const given = findInputArray(inputs, ["conv_weight"]);
  if (given !== undefined) {
    const values = readMatrixList(given.value, "conv_weight").flat(2);
    const size = width * taps;
    if (values.length === channels * size) return Float64Array.from(values.slice(first * size, (first + count) * size));
    throw new ParamError({
      param: "conv_weight",
      value: values.length,
      rule: l10n.t("must have {0} {1}", channels * width * taps, l10n.t("values")),
    });
  }
  if (!usesExampleValues(inputs)) readLearnedVector(inputs, ["conv_weight"], 0, () => 0);
  const kernel = new Float64Array(count * width * taps);
  for (let n = 0; n < count * width; n++) {
    const out = first + Math.floor(n / width);
    const phase = exampleValue(130, out, n % width);
    for (let tap = 0; tap < taps; tap++) kernel[n * taps + tap] = exampleWeight(out, phase, tap, taps, width);
  }
  return kernel;
}

function exampleWeight(out: number, phase: number, tap: number, taps: number, width: number): number {
  const offset = (tap - (taps - 1) / 2) / taps;
  const wave = Math.cos(2 * Math.PI * offset * (1 + (out % 8)) + phase);
  return (2 * wave * Math.exp(-24 * offset * offset)) / (width * Math.sqrt(taps));
}

/** GELU, x Φ(x), with the error function in float64 precision. */
export function gelu(x: number): number {
  return (x * (1 + erf(x / Math.SQRT2))) / 2;
}

/** 2/√π e^(−x²) Σ 2ⁿ x^(2n+1) / (2n+1)!!: all terms have the same sign, so nothing cancels. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 0; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 3);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/**
 * GELU(conv(x)) by frame for channels `first` … `first + count − 1`: a grouped 1-D convolution with zero padding
 * (transformers models/wav2vec2, Wav2Vec2PositionalConvEmbedding).
 */
export function convolveFrames(
  params: Params,
  scene: Scene,
  first = 0,
  count = readConvShape(params).channels,
): Factor {
  const { channels, taps, groups } = readConvShape(params);
  const { from, to } = receptiveField(taps);
  const kernel = readKernel(params, scene.inputs, first, count);
  const bias = usesExampleValues(scene.inputs) ? [] : readLearnedVector(scene.inputs, ["conv_bias"], channels, () => 0);
  const content = scene.content.rows("x", scene.head, channels);
  const inputRows = cachedFactor(channels, (at) => evaluateRow(content, at));
  const width = channels / groups;
  return makeFactor(count, (frame) => {
    const sums = Float64Array.from({ length: count }, (_, out) => bias[first + out] ?? 0);
    for (let source = Math.max(0, frame + from); source <= Math.min(scene.keyLength - 1, frame + to); source++) {
      const row = evaluateRow(inputRows, source);
      const tap = source - frame - from;
      for (let out = 0; out < count; out++) {
        const groupStart = Math.floor((first + out) / width) * width;
        const kernelStart = out * width * taps + tap;
        let sum = 0;
        for (let c = 0; c < width; c++) sum += (kernel[kernelStart + c * taps] ?? 0) * (row[groupStart + c] ?? 0);
        sums[out] = (sums[out] ?? 0) + sum;
      }
    }
    return sums.map(gelu);
  });
}

function buildConvTerm(params: Params, scene: Scene): ProductTerm {
  const { channels, taps } = readConvShape(params);
  const { from, to } = receptiveField(taps);
  const dim = channels / getNumber(params, "num_heads");
  const first = scene.head * dim;
  const headInput = slicedFactor(scene.content.rows("x", scene.head, channels), first, dim);
  const sum = sumFactors(headInput, convolveFrames(params, scene, first, dim));
  const cachedRows = cachedFactor(dim, (frame) => evaluateRow(sum, frame));
  // With constant content, all frames whose receptive field lies inside the sequence are equal, so one of them is
  // computed.
  const representative = (frame: number) =>
    scene.content.constant && frame + from > 0 && frame + to < scene.keyLength ? -from : frame;
  const frameRows: Factor = {
    dim,
    write: (frame, out, offset) => cachedRows.write(representative(frame), out, offset),
  };
  return {
    kind: "product",
    id: "content",
    role: "content_content",
    name: learnedTermName({ en: "(x + conv x) · (x + conv x)", zh: "(x + conv x) · (x + conv x)" }, scene.inputs),
    scale: 1 / Math.sqrt(dim),
    query: shiftedFactor(frameRows, scene.keyLength - scene.queryLength),
    key: frameRows,
  };
}

function rules(params: Params): readonly ParamProblem[] {
  const { channels, groups } = readConvShape(params);
  const groupsDivide = channels % groups === 0;
  const problem = {
    param: "num_conv_pos_embedding_groups",
    value: groups,
    rule: l10n.t("must divide hidden_size = {0}", channels),
  };
  const problems = [...checkHeadsDivide(params), ...(groupsDivide ? [] : [problem])];
  const weightCount = ((channels / getNumber(params, "num_heads")) * channels * readConvShape(params).taps) / groups;
  if (problems.length === 0 && weightCount > MAX_KERNEL_WEIGHTS) {
    problems.push({
      ...problem,
      rule: l10n.t("gives a kernel of {0} weights; the limit is {1}", weightCount, MAX_KERNEL_WEIGHTS),
    });
  }
  return problems;
}

const formula: Formula = {
  id: "conv",
  tex: "h_p = x_p + \\mathrm{GELU}\\Big(b + \\sum_{s=-\\lfloor k/2 \\rfloor}^{k-1-\\lfloor k/2 \\rfloor} K_s\\, x_{p+s}\\Big)",
  text: "h(p) = x(p) + GELU(b + Σ_(s = −⌊k/2⌋ … k−1−⌊k/2⌋) K[s] x(p + s))",
};

/** wav2vec 2.0: a convolution instead of position vectors. */
export const conv: Encoding = {
  id: "conv",
  name: { en: "Convolutional positions", zh: "卷积位置编码" },
  gloss: { en: "convolution over the input (wav2vec 2.0)", zh: "对输入做卷积（wav2vec 2.0）" },
  aliases: ["Wav2Vec2PositionalConvEmbedding", "pos_conv_embed", "num_conv_pos_embeddings"],
  classification: {
    kind: "relative",
    actsOn: "input",
    trained: "trained",
    trainedParameters: (params) => {
      const { channels, taps, groups } = readConvShape(params);
      // Weight normalisation adds one gain per tap.
      return (channels * channels * taps) / groups + taps + channels;
    },
  },
  effect: TRANSFORMS_CONTENT,
  parameters: [
    ...hiddenSizeParameters(1, 64, 1024, 16),
    {
      name: "num_conv_pos_embeddings",
      unit: TOKENS_UNIT,
      kind: "integer",
      default: 128,
      min: 1,
      max: 4096,
      slider: { min: 1, max: 256, scale: "linear" },
      help: { en: "Kernel size: the number of frames that it covers.", zh: "卷积核的长度，即能看到的帧数。" },
    },
    {
      name: "num_conv_pos_embedding_groups",
      kind: "integer",
      default: 16,
      min: 1,
      max: 4096,
      help: { en: "Number of independent channel groups.", zh: "互不相混的通道组数。" },
    },
  ],
  rules,
  formulas: [formula],
  formula: () => formula,
  explanation: {
    summary: {
      en: "Acts outside attention: the output of a wide convolution is added to each frame, which infers its position from its neighbours and from the zero padding at the ends.",
      zh: "不在注意力里：每一帧加上一个宽卷积在其周围看到的内容，从邻居以及两端之外的零填充中得知自己的位置。",
    },
    extrapolation: {
      en: "Works at any length and is the same everywhere, except within half a kernel of the ends.",
      zh: "适用于任意长度，帧在哪里都一样，只有距两端半个卷积核以内例外。",
    },
    strengths: {
      en: "Shift-invariant by construction; needs no table; suits speech, where neighbours matter most.",
      zh: "天然平移不变，无需位置表，适合邻近关系最重要的语音。",
    },
    weaknesses: {
      en: "Carries no information about distances beyond the kernel.",
      zh: "对超出卷积核范围的距离没有任何信息。",
    },
    pitfalls: {
      en: "An even kernel pads k/2 on both sides and drops the last frame, so it reaches one frame further back than ahead. Weights are normalised per tap (weight norm, dim 2). Data2Vec stacks several narrower convolutions instead.",
      zh: "偶数长度的核两侧各填充 k/2 并丢弃最后一帧，因此向前看比向后看少一帧。权重按抽头做归一化（weight norm，dim 2）。Data2Vec 改用几层较窄的卷积串联。",
    },
    models: ["wav2vec 2.0", "HuBERT", "WavLM (and a gated T5 bias)", "UniSpeech", "SEW", "Data2Vec-Audio"],
  },
  papers: [
    { title: "Transformers with convolutional context for ASR", arxiv: "1904.11660", year: 2019 },
    {
      title: "wav2vec 2.0: A Framework for Self-Supervised Learning of Speech Representations",
      arxiv: "2006.11477",
      year: 2020,
    },
  ],
  repositories: ["facebookresearch/fairseq"],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  viewNotes: () => ({ precision: NO_POSITIONS_TO_ROUND }),
  learnedArrays: ["conv_weight", "conv_bias"],
  terms: (params, scene) => [buildConvTerm(params, scene)],
  positionTable: (params, scene) => {
    const { channels, taps, groups } = readConvShape(params);
    const width = channels / groups;
    const kernel = readKernel(params, scene.inputs, 0, channels);
    const { from } = receptiveField(taps);
    return {
      // Row n is tap n of the kernel: the weights on the frame at offset `from + n`.
      rows: makeFactor(channels, (tap) =>
        indexRange(0, channels).map((out) => (tap < taps ? (kernel[out * width * taps + tap] ?? 0) : 0)),
      ),
      column: (index) => `K[·, ${index}] (${from} … ${from + taps - 1})`,
    };
  },
};

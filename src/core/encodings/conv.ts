import { t } from "@vscode/l10n";
import type { Params } from "../spec.ts";
import { indexRange } from "../terms/engine.ts";
import { exampleValue, givenArray, isExample, learnedName, learnedVector } from "../terms/learned.ts";
import { addedFactors, factorOf, keptFactor, rowOf, shiftedFactor, slicedFactor } from "../terms/linear.ts";
import { readTensor } from "../terms/read.ts";
import type { Factor, ProductTerm } from "../terms/term.ts";
import { ParamError, type ParamProblem } from "../util/errors.ts";
import type { Encoding, Formula, Inputs, Scene } from "./encoding.ts";
import { headsDivide, modelWidth, TOKENS, widthParameters } from "./support/parameters.ts";
import { numberOf } from "./support/schema.ts";

/** Numbers of one head's kernel: four times those of the widest published model. */
const LARGEST_KERNEL = 2 ** 23;

interface Shape {
  readonly channels: number;
  readonly taps: number;
  readonly groups: number;
}

function shapeOf(params: Params): Shape {
  return {
    channels: modelWidth(params),
    taps: numberOf(params, "num_conv_pos_embeddings"),
    groups: numberOf(params, "num_conv_pos_embedding_groups"),
  };
}

/** First and last offset from a frame that its convolution sees: an even kernel reaches one further back. */
export function receptiveField(taps: number): { readonly from: number; readonly to: number } {
  const padding = Math.floor(taps / 2);
  return { from: -padding, to: taps - 1 - padding };
}

/**
 * Kernel of `count` output channels from `first`, [count][hidden / groups][taps] in a row. Reads `conv_weight`
 * [hidden][hidden / groups][taps]; the example falls off with the distance, each channel in its own way.
 */
function kernelOf(params: Params, inputs: Inputs, first: number, count: number): Float64Array {
  const { channels, taps, groups } = shapeOf(params);
  const width = channels / groups;
  const given = givenArray(inputs, ["conv_weight"]);
  if (given !== undefined) {
    const values = readTensor(given.value, "conv_weight").flat(2);
    const size = width * taps;
    if (values.length === channels * size) return Float64Array.from(values.slice(first * size, (first + count) * size));
    throw new ParamError({
      param: "conv_weight",
      value: values.length,
      rule: t("must have {0} {1}", channels * width * taps, t("values")),
    });
  }
  if (!isExample(inputs)) learnedVector(inputs, ["conv_weight"], 0, () => 0);
  const kernel = new Float64Array(count * width * taps);
  for (let n = 0; n < count * width; n++) {
    const out = first + Math.floor(n / width);
    const phase = exampleValue(130, out, n % width);
    for (let tap = 0; tap < taps; tap++) kernel[n * taps + tap] = exampleTap(out, phase, tap, taps, width);
  }
  return kernel;
}

function exampleTap(out: number, phase: number, tap: number, taps: number, width: number): number {
  const away = (tap - (taps - 1) / 2) / taps;
  const wave = Math.cos(2 * Math.PI * away * (1 + (out % 8)) + phase);
  return (2 * wave * Math.exp(-24 * away * away)) / (width * Math.sqrt(taps));
}

/** GELU, x Φ(x), with the error function to float64's precision. */
export function gelu(x: number): number {
  return (x * (1 + erf(x / Math.SQRT2))) / 2;
}

/** 2/√π e^(−x²) Σ 2ⁿ x^(2n+1) / (2n+1)!!: all terms of one sign, so nothing cancels. */
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
 * GELU(conv(x)) by frame, channels `first` … first + count − 1: a grouped one-dimensional convolution, zero beyond the ends of the sequence
 * (transformers models/wav2vec2, Wav2Vec2PositionalConvEmbedding).
 */
export function convolved(params: Params, scene: Scene, first = 0, count = shapeOf(params).channels): Factor {
  const { channels, taps, groups } = shapeOf(params);
  const { from, to } = receptiveField(taps);
  const kernel = kernelOf(params, scene.inputs, first, count);
  const bias = isExample(scene.inputs) ? [] : learnedVector(scene.inputs, ["conv_bias"], channels, () => 0);
  const content = scene.content.rows("x", scene.head, channels);
  const words = keptFactor(channels, (at) => rowOf(content, at));
  const width = channels / groups;
  return factorOf(count, (frame) => {
    const sums = Float64Array.from({ length: count }, (_, out) => bias[first + out] ?? 0);
    for (let at = Math.max(0, frame + from); at <= Math.min(scene.keyLength - 1, frame + to); at++) {
      const row = rowOf(words, at);
      const tap = at - frame - from;
      for (let out = 0; out < count; out++) {
        const group = Math.floor((first + out) / width) * width;
        const own = out * width * taps + tap;
        let sum = 0;
        for (let c = 0; c < width; c++) sum += (kernel[own + c * taps] ?? 0) * (row[group + c] ?? 0);
        sums[out] = (sums[out] ?? 0) + sum;
      }
    }
    return sums.map(gelu);
  });
}

function term(params: Params, scene: Scene): ProductTerm {
  const { channels, taps } = shapeOf(params);
  const { from, to } = receptiveField(taps);
  const dim = channels / numberOf(params, "num_heads");
  const first = scene.head * dim;
  const words = slicedFactor(scene.content.rows("x", scene.head, channels), first, dim);
  const sum = addedFactors(words, convolved(params, scene, first, dim));
  const kept = keptFactor(dim, (frame) => rowOf(sum, frame));
  // Where every word is the same, so are the frames that see no end of the sequence: the first stands for all.
  const like = (frame: number) =>
    scene.content.constant && frame + from > 0 && frame + to < scene.keyLength ? -from : frame;
  const own: Factor = { dim, write: (frame, out, offset) => kept.write(like(frame), out, offset) };
  return {
    kind: "product",
    id: "content",
    role: "content_content",
    name: learnedName({ en: "(x + conv x) · (x + conv x)", zh: "(x + conv x) · (x + conv x)" }, scene.inputs),
    scale: 1 / Math.sqrt(dim),
    query: shiftedFactor(own, scene.keyLength - scene.queryLength),
    key: own,
  };
}

function rules(params: Params): readonly ParamProblem[] {
  const { channels, groups } = shapeOf(params);
  const divided = channels % groups === 0;
  const problem = {
    param: "num_conv_pos_embedding_groups",
    value: groups,
    rule: t("must divide hidden_size = {0}", channels),
  };
  const problems = [...headsDivide(params), ...(divided ? [] : [problem])];
  const taps = ((channels / numberOf(params, "num_heads")) * channels * shapeOf(params).taps) / groups;
  if (problems.length === 0 && taps > LARGEST_KERNEL) {
    problems.push({ ...problem, rule: t("gives a kernel of {0} weights; the limit is {1}", taps, LARGEST_KERNEL) });
  }
  return problems;
}

const formula: Formula = {
  id: "conv",
  tex: "h_p = x_p + \\mathrm{GELU}\\Big(b + \\sum_{s=-\\lfloor k/2 \\rfloor}^{k-1-\\lfloor k/2 \\rfloor} K_s\\, x_{p+s}\\Big)",
  text: "h(p) = x(p) + GELU(b + Σ_(s = −⌊k/2⌋ … k−1−⌊k/2⌋) K[s] x(p + s))",
};

/** wav2vec 2.0's convolution in the place of positions. */
export const conv: Encoding = {
  id: "conv",
  title: { en: "Convolutional positions (wav2vec 2.0)", zh: "卷积位置编码（wav2vec 2.0）" },
  aliases: ["Wav2Vec2PositionalConvEmbedding", "pos_conv_embed", "num_conv_pos_embeddings"],
  classification: {
    kind: "relative",
    acts: "input",
    trained: "trained",
    trainedParameters: (params) => {
      const { channels, taps, groups } = shapeOf(params);
      // Weight normalisation keeps one more gain per tap.
      return (channels * channels * taps) / groups + taps + channels;
    },
  },
  fate: {
    content_content: "changed",
    content_position: "dropped",
    position_content: "dropped",
    position_position: "dropped",
  },
  parameters: [
    ...widthParameters(1, 64, 1024, 16),
    {
      name: "num_conv_pos_embeddings",
      unit: TOKENS,
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
  local: true,
  learned: ["conv_weight", "conv_bias"],
  terms: (params, scene) => [term(params, scene)],
  table: (params, scene) => {
    const { channels, taps, groups } = shapeOf(params);
    const width = channels / groups;
    const kernel = kernelOf(params, scene.inputs, 0, channels);
    const { from } = receptiveField(taps);
    return {
      // Row n is tap n of the kernel: what a frame takes from the frame `from + n` away.
      rows: factorOf(channels, (tap) =>
        indexRange(0, channels).map((out) => (tap < taps ? (kernel[out * width * taps + tap] ?? 0) : 0)),
      ),
      column: (index) => `K[·, ${index}] (${from} … ${from + taps - 1})`,
    };
  },
};

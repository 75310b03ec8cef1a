import type { Params } from "../spec.ts";
import type { Scene } from "../terms/scene.ts";
import type { ProductTerm } from "../terms/term.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { readPairLayout } from "./rope/attention.ts";
import { rotaryPartFormulas } from "./rope/detailFormulas.ts";
import { geometricFrequencies } from "./rope/frequencies.ts";
import { checkRopeParams } from "./rope/parameterRules.ts";
import { pairLayoutParameter, ropeTheta, rotaryHeadDim } from "./rope/parameters.ts";
import { resolvePositions } from "./rope/positions.ts";
import { buildRotatedProfile } from "./rope/profile.ts";
import { lineRotation, pairIndices, type Rotation, rotatedFactor } from "./rope/rotation.ts";
import { buildRotationTable } from "./rope/table.ts";
import { buildRotatedTerm, inverseRootScale, readHeadRows } from "./rope/term.ts";
import { TRANSFORMS_CONTENT } from "./support/effects.ts";
import { ROTATED_TERM, ROTATION_STEPS } from "./support/expansion.ts";
import { numHeads, TOKENS_UNIT } from "./support/parameters.ts";
import { getNumber } from "./support/schema.ts";

/** ζ_k = (2k + 0.4d)/(1.4d): the factor on pair k per `scale_base` positions (arXiv 2212.10554, section 3). */
export function xposZeta(headDim: number): number[] {
  return Array.from({ length: headDim / 2 }, (_, k) => (2 * k + 0.4 * headDim) / (1.4 * headDim));
}

function xposFrequencies(params: Params): number[] {
  return geometricFrequencies(getNumber(params, "rope_theta"), getNumber(params, "head_dim"));
}

/** A rotation times ζ^(sign·(position − centre)/b). */
export function decayingRotation(
  params: Params,
  position: (index: number) => number,
  centre: number,
  sign: 1 | -1,
): Rotation {
  const zeta = xposZeta(getNumber(params, "head_dim"));
  const rotation = lineRotation(xposFrequencies(params), position);
  const base = getNumber(params, "scale_base");
  return {
    pairs: rotation.pairs,
    write: (index, cos, sin) => {
      rotation.write(index, cos, sin);
      const power = (sign * (position(index) - centre)) / base;
      for (let k = 0; k < zeta.length; k++) {
        const decay = (zeta[k] ?? 1) ** power;
        cos[k] = (cos[k] ?? 0) * decay;
        sin[k] = (sin[k] ?? 0) * decay;
      }
    },
  };
}

/**
 * content · content, rotated; queries are scaled down and keys up by position, so only ζ^((i−j)/b) remains in the
 * product.
 */
function buildXposTerm(params: Params, scene: Scene): ProductTerm {
  const positions = resolvePositions(scene);
  const { centre } = scene;
  const pairs = pairIndices(readPairLayout(params), getNumber(params, "head_dim") / 2);
  const query = readHeadRows(scene, params, "q");
  const key = readHeadRows(scene, params, "k");
  const frequencies = xposFrequencies(params);
  const logZeta = xposZeta(query.dim).map(Math.log);
  const base = getNumber(params, "scale_base");
  const decay = (k: number, delta: number) => Math.exp(((logZeta[k] ?? 0) * delta) / base);
  const deltaOnly = scene.content.constant && positions.consecutive;
  return buildRotatedTerm(
    rotatedFactor(query, pairs, decayingRotation(params, positions.query, centre, 1)),
    rotatedFactor(key, pairs, decayingRotation(params, positions.key, centre, -1)),
    inverseRootScale(getNumber(params, "head_dim")),
    deltaOnly ? buildRotatedProfile(query, key, pairs, frequencies, 1, decay) : undefined,
  );
}

const formula: Formula = {
  id: "xpos",
  tex: "\\begin{aligned}q_i' \\cdot k_j' &= \\sum_{k} \\zeta_k^{(i-j)/b}\\; \\mathrm{Re}\\left[ q_k\\, \\bar{k}_k\\, e^{\\,\\mathrm{i}\\,(i-j)\\,\\omega_k} \\right] \\\\ \\zeta_k &= \\frac{2k/d + 0.4}{1.4}\\end{aligned}",
  text: "q′(i) · k′(j) = Σ over pairs of ζ_k^((i−j)/b) · Re[q_k · k_k* · e^(i(i−j)ω_k)],  ζ_k = (2k/d + 0.4)/1.4",
};

/** xPos: RoPE whose pairs decay with the distance. */
export const xpos: Encoding = {
  id: "xpos",
  name: { en: "xPos", zh: "xPos" },
  gloss: { en: "rotation with exponential decay", zh: "带指数衰减的旋转" },
  aliases: ["XPOS", "length-extrapolatable", "xpos_rel_pos", "xpos_scale_base", "RetNet"],
  classification: { kind: "both", actsOn: "query_key", trained: "fixed", trainedParameters: () => 0 },
  effect: TRANSFORMS_CONTENT,
  expansion: { terms: { content_content: ROTATED_TERM }, steps: ROTATION_STEPS },
  parameters: [
    { ...rotaryHeadDim, default: 64 },
    ropeTheta,
    {
      name: "scale_base",
      aliases: ["xpos_scale_base"],
      kind: "number",
      default: 512,
      above: 0,
      max: 1e9,
      slider: { min: 16, max: 8192, scale: "log" },
      unit: TOKENS_UNIT,
      help: {
        en: "Distance b over which a pair decays by its ζ. Larger values mean slower decay.",
        zh: "衰减基数 b：每隔 b 个位置，该维度对乘以一次 ζ。越大衰减越弱。",
      },
    },
    {
      name: "offset",
      kind: "integer",
      default: 0,
      min: 0,
      max: 1e9,
      unit: TOKENS_UNIT,
      help: {
        en: "Tokens before this call (torchscale). Shifts queries and keys alike, so no score depends on it.",
        zh: "本次调用之前的词元数（torchscale）。它同时移动查询与键，因此不影响任何分数。",
      },
    },
    { ...pairLayoutParameter, default: "interleaved" },
    numHeads,
  ],
  rules: (params) => checkRopeParams({ ...params, rope_type: "default", partial_rotary_factor: 1 }),
  formulas: [formula],
  formula: () => formula,
  partFormulas: rotaryPartFormulas,
  explanation: {
    summary: {
      en: "RoPE with pairs that also decay with distance: queries are scaled by ζ^(i/b), keys by ζ^(−j/b).",
      zh: "在 RoPE 上加入随距离的指数衰减：查询乘 ζ^(i/b)，键乘 ζ^(−j/b)。",
    },
    extrapolation: {
      en: "The decay damps RoPE's long-range oscillation, so scores at untrained distances stay small; with blockwise causal attention, it works beyond the training context.",
      zh: "衰减压平了 RoPE 远端的振荡，未训练过的距离得分较小；配合分块因果注意力可以超出训练上下文。",
    },
    strengths: {
      en: "Still relative, still an element-wise product; smooth, nearly monotonic decay; the basis of RetNet's retention.",
      zh: "仍是相对位置，仍只需逐元素乘法；衰减平滑，近似单调；RetNet 的 retention 即由此而来。",
    },
    weaknesses: {
      en: "Causal only: for keys after the query, the same factor grows. At distant positions the two factors overflow unless they are re-centred, and a key cache must then be rescaled.",
      zh: "只能用于因果注意力：在查询之后该因子会增长。位置很大时两个因子会溢出，需要重新取中心，KV 缓存也要随之缩放。",
    },
    pitfalls: {
      en: "Keys take the inverse scale; without it, the product is scaled by ζ^((i+j)/b). The paper writes ζ per pair, torchscale raises it to (position + min_pos)/512; min_pos cancels in the product.",
      zh: "键要用倒数缩放，漏掉就变成 ζ^((i+j)/b)。论文按维度对写 ζ；torchscale 的指数是 (位置 + min_pos)/512，其中 min_pos 在点积中抵消。",
    },
    models: ["LeX Transformer", "RetNet", "Kosmos-1", "MPT (optional)"],
  },
  papers: [{ title: "A Length-Extrapolatable Transformer", arxiv: "2212.10554", year: 2022 }],
  repositories: ["microsoft/torchscale"],
  domain: () => ({ kind: "any" }),
  takesPositionIds: () => true,
  cellsAreIndependent: true,
  learnedArrays: [],
  terms: (params, scene) => [buildXposTerm(params, scene)],
  positionTable: (params, scene) =>
    buildRotationTable(lineRotation(xposFrequencies(params), resolvePositions(scene).key)),
  rotation: { by: () => "position", scalable: false, keepsLength: false },
  frequencies: xposFrequencies,
  viewNotes: () => ({
    rotation: {
      en: "xPos also multiplies each pair by ζ to the power (m − n)/b; only its rotation is shown here.",
      zh: "xPos 还把每对乘以 ζ 的 (m − n)/b 次方；这里只画旋转。",
    },
  }),
  derived: (params) => ({
    inv_freq: xposFrequencies(params),
    zeta: xposZeta(getNumber(params, "head_dim")),
    attention_scaling: 1,
  }),
};

import * as l10n from "@vscode/l10n";
import type { Params } from "../spec.ts";
import type { Scene } from "../terms/scene.ts";
import type { ProductTerm } from "../terms/term.ts";
import type { ParamProblem } from "../util/errors.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { rotaryPartFormulas } from "./rope/detailFormulas.ts";
import { unscaledFrequencies } from "./rope/frequencies.ts";
import { checkRopeParams } from "./rope/parameterRules.ts";
import { pairLayoutParameter, ropeTheta, rotaryHeadDim } from "./rope/parameters.ts";
import { resolvePositions } from "./rope/positions.ts";
import { buildWindowTerm, unchangedPositions, windowedViewNotes } from "./rope/windowed.ts";
import { TRANSFORMS_CONTENT } from "./support/effects.ts";
import { ROTATED_TERM, ROTATION_STEPS } from "./support/expansion.ts";
import { numHeads, TOKENS_UNIT } from "./support/parameters.ts";
import { getNumber } from "./support/schema.ts";

/** Positions of the grouped product: floors of ABSOLUTE positions, so their distance is not a function of i − j. */
interface GroupedPositions {
  query(position: number): number;
  key(position: number): number;
}

/** @param length largest position + 1; a call that ends within the window has no offset (LongLM's patch) */
export function groupPositions(params: Params, length: number): GroupedPositions {
  const group = getNumber(params, "group_size");
  const window = length - 1 < getNumber(params, "neighbor_window") ? 0 : getNumber(params, "neighbor_window");
  const key = (position: number) => Math.floor(position / group);
  return { key, query: (position) => key(position) + window - Math.floor(window / group) };
}

function terms(params: Params, scene: Scene): ProductTerm[] {
  const window = getNumber(params, "neighbor_window");
  const { query, key, length } = resolvePositions(scene);
  const far = groupPositions(params, length);
  return [
    buildWindowTerm(params, scene, {
      id: "near",
      region: { deltaFrom: 0, deltaTo: window },
      positions: unchangedPositions(scene),
    }),
    buildWindowTerm(params, scene, {
      id: "far",
      region: { deltaFrom: window },
      positions: { query: (i) => far.query(query(i)), key: (j) => far.key(key(j)) },
    }),
  ];
}

const formula: Formula = {
  id: "self_extend",
  tex: "\\mathrm{logit}_{ij} = \\frac{1}{\\sqrt{d}} \\begin{cases} q_i^{\\top} R_{j-i}\\, k_j & i - j < w \\\\ q_i^{\\top} R_{\\lfloor j/g \\rfloor - (\\lfloor i/g \\rfloor + w - \\lfloor w/g \\rfloor)}\\, k_j & i - j \\ge w \\end{cases}",
  text: "logit(i, j) = qᵢᵀ R(j − i) kⱼ / √d for i − j < w, else with positions ⌊j/g⌋ and ⌊i/g⌋ + w − ⌊w/g⌋",
};

function rules(params: Params): ParamProblem[] {
  const problems = checkRopeParams({ ...params, rope_type: "default", partial_rotary_factor: 1 });
  const group = getNumber(params, "group_size");
  const window = getNumber(params, "neighbor_window");
  if (group > window) {
    const rule = l10n.t("must be at most neighbor_window = {0}", window);
    return [...problems, { param: "group_size", value: group, rule }];
  }
  return problems;
}

/** Self-Extend: exact RoPE nearby, grouped positions farther away. */
export const selfExtend: Encoding = {
  id: "self_extend",
  name: { en: "Self-Extend", zh: "Self-Extend" },
  gloss: { en: "grouped positions", zh: "分组位置" },
  aliases: ["LongLM", "grouped attention", "self_extend_forward"],
  classification: { kind: "relative", actsOn: "query_key", trained: "fixed", trainedParameters: () => 0 },
  effect: TRANSFORMS_CONTENT,
  expansion: { terms: { content_content: ROTATED_TERM }, steps: ROTATION_STEPS },
  parameters: [
    { ...rotaryHeadDim, default: 64 },
    ropeTheta,
    {
      name: "group_size",
      aliases: ["group_size_1", "grp_attn_n"],
      kind: "integer",
      default: 8,
      min: 1,
      max: 1e6,
      slider: { min: 1, max: 64, scale: "log" },
      unit: TOKENS_UNIT,
      help: { en: "Number of distant positions that share an index.", zh: "远处多少个位置共用一个位置编号。" },
    },
    {
      name: "neighbor_window",
      aliases: ["group_size_2", "grp_attn_w", "neighbor_size"],
      kind: "integer",
      default: 512,
      min: 1,
      max: 1e9,
      slider: { min: 64, max: 8192, scale: "log" },
      unit: TOKENS_UNIT,
      help: { en: "Distances below this are exact.", zh: "小于此值的距离保持精确。" },
    },
    pairLayoutParameter,
    numHeads,
  ],
  rules,
  formulas: [formula],
  formula: () => formula,
  partFormulas: rotaryPartFormulas,
  explanation: {
    summary: {
      en: "RoPE with exact positions nearby and positions shared by groups farther away, so that no distance exceeds the training context.",
      zh: "近处用精确位置，远处按组共用位置的 RoPE，使距离不超出训练上下文。",
    },
    extrapolation: {
      en: "A context of length L needs distances only up to about L/g + w: with training context T, it reaches (T − w)·g + w tokens without training.",
      zh: "长度为 L 的上下文最大距离约为 L/g + w；训练上下文为 T 时，无需训练即可达到约 (T − w)·g + w 个词元。",
    },
    strengths: {
      en: "No fine-tuning; keeps the order of distant groups, unlike ReRoPE.",
      zh: "无需微调；保留了远处各组之间的次序，这是 ReRoPE 放弃的。",
    },
    weaknesses: {
      en: "Two score matrices; tokens of one distant group cannot be told apart; scores jump at group boundaries.",
      zh: "要算两个分数矩阵；同组词元无法区分；组的边界处分数有跳变。",
    },
    pitfalls: {
      en: "Absolute positions are floored, so the far distance is not a function of i − j alone: shifting both by one changes it, and only shifts by a multiple of the group size do not. Causal only.",
      zh: "向下取整作用在绝对位置上，因此远处的距离不只取决于 i − j：整体平移一位就会改变，除非平移量是组大小的整数倍。只能用于因果注意力。",
    },
    models: ["Llama 2 (at inference)", "Mistral 7B (at inference)", "Gemma (at inference)", "llama.cpp (--grp-attn-n)"],
  },
  papers: [
    { title: "LLM Maybe LongLM: Self-Extend LLM Context Window Without Tuning", arxiv: "2401.01325", year: 2024 },
  ],
  repositories: ["datamllab/LongLM"],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  learnedArrays: [],
  terms,
  rotation: { by: () => "position", scalable: false, keepsLength: true },
  frequencies: unscaledFrequencies,
  viewNotes: () => windowedViewNotes,
  derived: (params) => ({ inv_freq: unscaledFrequencies(params), attention_scaling: 1 }),
};

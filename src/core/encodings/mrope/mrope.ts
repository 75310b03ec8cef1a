import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Encoding, Formula, Parameter } from "../encoding.ts";
import { inverseFrequencies, rotaryDim } from "../rope/frequencies.ts";
import { checkRopeParams } from "../rope/parameterRules.ts";
import { ropeParameters } from "../rope/parameters.ts";
import { TRANSFORMS_CONTENT } from "../support/effects.ts";
import { ROTATED_TERM, ROTATION_STEPS } from "../support/expansion.ts";
import { PATCHES_UNIT, TOKENS_UNIT } from "../support/parameters.ts";
import { resolveMropePositionAxes } from "./positions.ts";
import { buildMropeTable, buildMropeTerm, deriveMropeValues, readMropeSection } from "./term.ts";

const formula: Formula = {
  id: "mrope",
  tex: "q_i' \\cdot k_j' = \\sum_{k} \\mathrm{Re}\\left[ q_k\\, \\bar{k}_k\\, e^{\\,\\mathrm{i}\\,(p^{a(k)}_i - p^{a(k)}_j)\\,\\omega_k} \\right], \\qquad a(k) \\in \\{t, h, w\\}",
  text: "q′(i) · k′(j) = Σ over pairs of Re[q_k · k_k* · e^(i(p_i − p_j)ω_k)], with p the token's time, row or column, by the section that pair k is in",
};

function rules(params: Params): ParamProblem[] {
  const problems = checkRopeParams(params);
  if (problems.length > 0) return problems;
  const section = readMropeSection(params);
  const pairs = rotaryDim(params) / 2;
  const sum = section.reduce((total, count) => total + count, 0);
  const wrong = (rule: string) => [{ param: "mrope_section", value: section, rule }];
  if (section.length !== 3) return wrong(l10n.t("must be three numbers: pairs for time, row and column"));
  if (section.some((count) => !Number.isInteger(count))) return wrong(l10n.t("must contain only integers"));
  if (sum !== pairs) return wrong(l10n.t("must sum to the number of pairs ({0}), not {1}", pairs, sum));
  return [];
}

/** Types used by vision-language models; p-RoPE and axial rotation are excluded. */
const ropeTypeParameter: Parameter[] = ropeParameters
  .filter((parameter) => parameter.name === "rope_type")
  .map((parameter) => ({
    ...parameter,
    choices: (parameter.choices ?? []).filter(({ value }) => value !== "proportional" && value !== "axial"),
  }));

/** The sections must sum to the number of pairs, so a slider for these would make nearly every step invalid. */
const PARAMETERS_WITHOUT_SLIDER: readonly string[] = ["head_dim", "partial_rotary_factor"];

function withoutSlider({ slider: _slider, ...parameter }: Parameter): Parameter {
  return parameter;
}

const otherRopeParameters = ropeParameters
  .filter(({ name }) => name !== "rope_type" && name !== "table_precision" && !name.startsWith("grid_"))
  .map((parameter) => (PARAMETERS_WITHOUT_SLIDER.includes(parameter.name) ? withoutSlider(parameter) : parameter));

function imageParameter(name: string, value: number, en: string, zh: string): Parameter {
  return {
    name,
    unit: name === "image_start" ? TOKENS_UNIT : PATCHES_UNIT,
    kind: "integer",
    default: value,
    min: 0,
    max: 65_536,
    slider: { min: 0, max: 64, scale: "linear" },
    help: { en, zh },
  };
}

/** M-RoPE: three positions for every token. */
export const mrope: Encoding = {
  id: "mrope",
  name: { en: "M-RoPE", zh: "M-RoPE" },
  gloss: { en: "multimodal RoPE: time, row, column", zh: "多模态 RoPE：时间、行、列" },
  aliases: [
    "multimodal rope",
    "mrope_section",
    "apply_multimodal_rotary_pos_emb",
    "get_rope_index",
    "多模态旋转位置编码",
  ],
  classification: { kind: "both", actsOn: "query_key", trained: "fixed", trainedParameters: () => 0 },
  effect: TRANSFORMS_CONTENT,
  expansion: { terms: { content_content: ROTATED_TERM }, steps: ROTATION_STEPS },
  parameters: [
    {
      name: "mrope_section",
      kind: "numbers",
      default: [16, 24, 24],
      min: 0,
      help: {
        en: "Number of pairs rotated by time, by row and by column; they sum to half of the rotary dimension.",
        zh: "分别按时间、行、列旋转的维度对数，总和为旋转维数的一半。",
      },
    },
    {
      name: "mrope_interleaved",
      kind: "boolean",
      default: false,
      help: {
        en: "Assign pairs to the axes in turn (Qwen3-VL), so that every axis gets high and low frequencies. Otherwise in sections (Qwen2-VL).",
        zh: "轮流分配（Qwen3-VL）：每个轴都有高频与低频；否则分段分配（Qwen2-VL）。",
      },
    },
    imageParameter("image_start", 32, "Number of text tokens before the image.", "图像之前的文本词元数。"),
    imageParameter(
      "image_height",
      12,
      "Rows of the image after merging; 0 for text only.",
      "合并后的图像行数；0 表示纯文本。",
    ),
    imageParameter("image_width", 16, "Columns of the image after merging.", "合并后的图像列数。"),
    ...ropeTypeParameter,
    ...otherRopeParameters,
  ],
  rules,
  formulas: [formula],
  formula: () => formula,
  explanation: {
    summary: {
      en: "RoPE with three positions per token: time, row and column rotate different pairs. For text, all three are equal.",
      zh: "每个词元有三个位置的 RoPE：时间、行、列各旋转一部分维度对；文本的三个位置相同。",
    },
    extrapolation: {
      en: "Text behaves as with plain RoPE. An image of H × W patches advances the position by only max(H, W), so long prompts with images use fewer positions than tokens.",
      zh: "文本部分与普通 RoPE 相同。H × W 的图像只让计数前进 max(H, W)，因此含图的长文本占用的位置少于词元数。",
    },
    strengths: {
      en: "One mechanism for text, images and video; identical to RoPE on text, so the weights of a language model can be reused.",
      zh: "同一机制处理文本、图像与视频；对文本等同于普通 RoPE，可直接沿用语言模型权重。",
    },
    weaknesses: {
      en: "In sections, time gets only the highest frequencies and columns only the lowest; interleaving fixes that. Where there is an image, scores are no longer a function of i − j alone.",
      zh: "分段分配时，时间只用最高频、列只用最低频，交错分配可以缓解。有图像处的分数不再只是 i − j 的函数。",
    },
    pitfalls: {
      en: 'In a config, rope_type "mrope" works only in classes that support it; other models fail to build. mrope_section counts pairs, not dimensions, and sums to half of the rotary dimension. The position after an image is start + max(H, W)/merge, not start + H·W.',
      zh: '配置里的 rope_type 写 "mrope" 只对认识它的模型类有效，其他类无法构建。mrope_section 数的是“对”，总和为旋转维数的一半。图像之后的位置是 start + max(H, W)/merge，而不是 start + H·W。',
    },
    models: ["Qwen2-VL", "Qwen2.5-VL", "Qwen3-VL", "GLM-4.1V", "PaddleOCR-VL", "Qwen2.5-Omni"],
  },
  papers: [
    {
      title: "Qwen2-VL: Enhancing Vision-Language Model's Perception of the World at Any Resolution",
      arxiv: "2409.12191",
      year: 2024,
    },
    { title: "Qwen3-VL Technical Report", arxiv: "2511.21631", year: 2025 },
  ],
  repositories: ["QwenLM/Qwen3-VL"],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  learnedArrays: [],
  terms: (params, scene) => [buildMropeTerm(params, scene)],
  positionTable: buildMropeTable,
  rotation: { by: () => "position", scalable: true, keepsLength: true },
  frequencies: (params) => inverseFrequencies({ ...params, seq_len: null }).inv_freq,
  positionAxes: resolveMropePositionAxes,
  viewNotes: () => ({
    rotation: {
      en: "For text, all three coordinates equal the position, as shown here; image patches have their own row and column.",
      zh: "文本的三个坐标都等于位置，如此处所示；图像块则各有自己的行和列。",
    },
  }),
  derived: deriveMropeValues,
};

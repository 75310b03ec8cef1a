import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { type AbsoluteInput, absoluteValueParts, buildAbsoluteTerms } from "../../terms/absolute.ts";
import { factorFromRows } from "../../terms/content.ts";
import { examplePositionTable, findInputArray, findInputVector, readLearnedMatrix } from "../../terms/learned.ts";
import { cachedFactor, shiftedFactor } from "../../terms/linear.ts";
import { readMatrix } from "../../terms/read.ts";
import type { Inputs } from "../../terms/scene.ts";
import type { Factor } from "../../terms/term.ts";
import { ParamError, type ParamProblem } from "../../util/errors.ts";
import type { Encoding, Formula } from "../encoding.ts";
import { ADDED_TO_INPUT } from "../support/effects.ts";
import {
  checkHeadsDivide,
  hiddenSizeParameters,
  resolveHiddenSize,
  TOKENS_UNIT,
  unusedParameter,
} from "../support/parameters.ts";
import { getNumber, optionalNumber } from "../support/schema.ts";
import { countPart } from "../support/summary.ts";
import { embedTokens, optTableRows, robertaTableRows } from "./positions.ts";

export const TABLE_ARRAY_NAMES = ["position_embeddings", "wpe", "table", "p"] as const;

/** Table row of the first token: OPT adds an offset, RoBERTa starts after the padding row. */
export function firstTokenRow(params: Params): number {
  const padding = optionalNumber(params, "padding_idx");
  return getNumber(params, "offset") + (padding === undefined ? 0 : padding + 1);
}

/** OPT has `offset` rows in addition to its positions; RoBERTa's padding rows are part of the count. */
function countTableRows(params: Params): number {
  return getNumber(params, "max_position_embeddings") + getNumber(params, "offset");
}

/** Number of positions that tokens can have. */
function countUsablePositions(params: Params): number {
  const rowsAfterPadding = countTableRows(params) - firstTokenRow(params);
  return Math.min(rowsAfterPadding, optionalNumber(params, "usable_positions") ?? rowsAfterPadding);
}

/**
 * Rows of the position table.
 * @throws ParamError for a row past the end
 */
function readPositionTable(params: Params, inputs: Inputs): Factor {
  const dim = resolveHiddenSize(params);
  const rows = countTableRows(params);
  const row = readLearnedMatrix(inputs, TABLE_ARRAY_NAMES, null, dim, examplePositionTable(rows, dim));
  const given = findInputArray(inputs, TABLE_ARRAY_NAMES);
  const count = given === undefined ? rows : readMatrix(given.value, given.name).length;
  return cachedFactor(dim, (index) => {
    if (index >= 0 && index < count) return row(index);
    throw new ParamError({
      param: "max_position_embeddings",
      value: count,
      rule: l10n.t("position {0} does not exist: the table has {1} rows", index - firstTokenRow(params), count),
    });
  });
}

/** Table row of each token, if the inputs define more than their order (position ids, mask or token ids). */
export function resolveTableRows(params: Params, inputs: Inputs): readonly number[] | undefined {
  const positions = findInputVector(inputs, "position_ids");
  if (positions !== undefined) return positions.map((p) => p + getNumber(params, "offset"));
  const mask = findInputVector(inputs, "attention_mask");
  if (mask !== undefined) return optTableRows(mask, getNumber(params, "offset"));
  const padding = optionalNumber(params, "padding_idx");
  const ids = findInputVector(inputs, "input_ids");
  return padding === undefined || ids === undefined ? undefined : robertaTableRows(ids, padding);
}

export function buildInput(params: Params, inputs: Inputs): AbsoluteInput {
  const table = readPositionTable(params, inputs);
  const rows = resolveTableRows(params, inputs);
  const vectors = embedTokens(inputs);
  return {
    hiddenSize: resolveHiddenSize(params),
    numHeads: getNumber(params, "num_heads"),
    position: {
      dim: table.dim,
      write: (token, out, offset) => table.write(rows?.[token] ?? token + firstTokenRow(params), out, offset),
    },
    learned: true,
    ...(vectors === undefined ? {} : { tokenVectors: factorFromRows(vectors) }),
  };
}

function rules(params: Params): readonly ParamProblem[] {
  const problems = [...checkHeadsDivide(params)];
  if (countUsablePositions(params) < 1) {
    problems.push({
      param: "max_position_embeddings",
      value: getNumber(params, "max_position_embeddings"),
      rule: l10n.t("must leave at least one position after padding_idx"),
    });
  }
  return problems;
}

const formula: Formula = {
  id: "learned_absolute",
  tex: "h_p = x_p + P_p, \\qquad P \\in \\mathbb{R}^{L \\times d}\\ \\text{trained}, \\quad 0 \\le p < L",
  text: "h(p) = x(p) + P[p],  P a trained table of L rows,  0 ≤ p < L",
};

/** A trained vector for each position, added to the input. */
export const learnedAbsolute: Encoding = {
  id: "learned_absolute",
  name: { en: "Learned table", zh: "可学习位置表" },
  gloss: { en: "one trained vector per position", zh: "每个位置一个训练得到的向量" },
  aliases: ["position_embeddings", "wpe", "nn.Embedding(max_position_embeddings)", "learned position embedding"],
  classification: {
    kind: "absolute",
    actsOn: "input",
    trained: "trained",
    trainedParameters: (params) => countTableRows(params) * resolveHiddenSize(params),
  },
  effect: ADDED_TO_INPUT,
  parameters: [
    ...hiddenSizeParameters(1, 64),
    {
      name: "max_position_embeddings",
      unit: TOKENS_UNIT,
      aliases: ["n_positions", "num_positions", "max_source_positions"],
      kind: "integer",
      default: 512,
      min: 1,
      max: 10_000_000,
      slider: { min: 16, max: 4096, scale: "log" },
      help: { en: "Rows of the table; positions beyond it do not exist.", zh: "位置表的行数：超出的位置不存在。" },
    },
    {
      name: "offset",
      kind: "integer",
      default: 0,
      min: 0,
      max: 1_000_000,
      help: {
        en: "Extra rows before position 0 (OPT: 2).",
        zh: "位置 0 之前另加的行数（OPT 为 2）。",
      },
    },
    {
      name: "padding_idx",
      kind: "integer",
      default: null,
      optional: true,
      min: 0,
      max: 1_000_000,
      help: {
        en: "RoBERTa: the first token is at padding_idx + 1, so 514 rows hold 512 positions.",
        zh: "RoBERTa：第一个词元位于 padding_idx + 1，因此 514 行只容纳 512 个位置。",
      },
    },
    {
      name: "usable_positions",
      unit: TOKENS_UNIT,
      kind: "integer",
      default: null,
      optional: true,
      min: 1,
      max: 10_000_000,
      help: {
        en: "Number of usable positions, if fewer than the rows.",
        zh: "实际可用的位置数（少于行数时）。",
      },
    },
    {
      name: "layer_norm_eps",
      kind: "number",
      default: 1e-12,
      min: 0,
      max: 1,
      help: { en: "ε of the LayerNorm after the sum (BERT).", zh: "求和之后 LayerNorm 的 ε（BERT）。" },
    },
    unusedParameter("vocab_size"),
    unusedParameter("type_vocab_size"),
  ],
  rules,
  formulas: [formula],
  formula: () => formula,
  explanation: {
    summary: {
      en: "Each position has a trained vector that is looked up and added to the word vector; equivalent to appending a one-hot position to the one-hot word before the embedding.",
      zh: "每个位置一个训练得到的向量，查表后加到词向量上；等价于在嵌入之前拼上位置的 one-hot。",
    },
    extrapolation: {
      en: "None. In a table of 512 rows, position 512 does not exist and the lookup fails. Rows near the end are trained least and are the worst.",
      zh: "没有外推能力。表只有 512 行时，位置 512 根本不存在，查表会出错；靠近末尾的行训练得最少，效果也最差。",
    },
    strengths: {
      en: "Trained with the model, so it fits the data; costs one lookup and one addition.",
      zh: "与模型一起训练，数据需要什么就学到什么；只需一次查表和一次加法。",
    },
    weaknesses: {
      en: "Fixed length, L·d parameters. Being absolute, it gives different scores when the same sentence is shifted. Positions also enter the values.",
      zh: "长度固定，占用 L·d 个参数；属于绝对编码，同一句话整体平移后分数就变了；值向量中也混入了位置。",
    },
    pitfalls: {
      en: "BERT normalises word + type + position before the first layer, so the four-term expansion is exact only for the sum itself. GPT-2 adds without scaling or normalisation, but its blocks begin with a LayerNorm. OPT's table has two more rows than its length. RoBERTa counts from padding_idx + 1, so max_position_embeddings = 514 means 512 tokens.",
      zh: "BERT 在第一层之前对“词 + 句段 + 位置”做 LayerNorm，四项展开只对求和本身严格成立；GPT-2 相加时既不缩放也不归一化，但每个块以 LayerNorm 开头。OPT 的表比其长度多两行；RoBERTa 从 padding_idx + 1 开始计数，max_position_embeddings = 514 只对应 512 个词元。",
    },
    models: ["BERT (512 × 768)", "GPT", "GPT-2", "GPT-3", "RoBERTa", "OPT", "BART", "ELECTRA", "ALBERT", "ViT", "CLIP"],
  },
  papers: [
    { title: "Convolutional Sequence to Sequence Learning", arxiv: "1705.03122", year: 2017 },
    {
      title: "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
      arxiv: "1810.04805",
      year: 2018,
    },
  ],
  repositories: ["google-research/bert", "openai/gpt-2", "facebookresearch/metaseq", "facebookresearch/fairseq"],
  domain: (params) => ({
    kind: "table",
    size: countUsablePositions(params),
    reason: {
      en: "A learned table has one trained row per position and nothing after its last.",
      zh: "可学习的位置表每个位置只有一行训练好的向量，最后一行之后什么也没有。",
    },
  }),
  takesPositionIds: () => true,
  cellsAreIndependent: true,
  summary: (params) => [
    l10n.t("learned"),
    ...countPart(params, "usable_positions", (end) => l10n.t("{0} positions", end)),
  ],
  learnedArrays: ["position_embeddings"],
  requiredArrays: () => [TABLE_ARRAY_NAMES],
  terms: (params, scene) => buildAbsoluteTerms(scene, buildInput(params, scene.inputs)),
  valueParts: (params, scene) => absoluteValueParts(scene, buildInput(params, scene.inputs)),
  positionTable: (params, scene) => ({
    rows: shiftedFactor(buildInput(params, scene.inputs).position, scene.shift),
    column: (index) => `P[·, ${index}]`,
  }),
};

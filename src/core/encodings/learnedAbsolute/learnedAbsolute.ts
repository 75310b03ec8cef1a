import { t } from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { type AbsoluteSetting, absoluteTerms, absoluteValues } from "../../terms/absolute.ts";
import { listFactor } from "../../terms/content.ts";
import { exampleTable, givenArray, learnedMatrix, optionalVector } from "../../terms/learned.ts";
import { keptFactor, shiftedFactor } from "../../terms/linear.ts";
import { readMatrix } from "../../terms/read.ts";
import type { Factor } from "../../terms/term.ts";
import { ParamError, type ParamProblem } from "../../util/errors.ts";
import type { Encoding, Formula, GoldenCase, Inputs, Scene } from "../encoding.ts";
import { attentionGolden, nestedRows, paramsOf, sceneOf } from "../support/golden.ts";
import { accepted, headsDivide, modelWidth, TOKENS, widthParameters } from "../support/parameters.ts";
import { numberOf, optionalNumber } from "../support/schema.ts";
import { embeddedTokens, optRows, robertaPositions, tokenVectors } from "./positions.ts";

const TABLES = ["position_embeddings", "wpe", "table", "p"] as const;

/** Row of the first token: OPT's offset, or behind RoBERTa's padding row. */
function firstRow(params: Params): number {
  const padding = optionalNumber(params, "padding_idx");
  return numberOf(params, "offset") + (padding === undefined ? 0 : padding + 1);
}

/** Rows of the table: OPT keeps `offset` rows beside its positions, RoBERTa counts its padding rows in. */
function tableRows(params: Params): number {
  return numberOf(params, "max_position_embeddings") + numberOf(params, "offset");
}

/** Positions that tokens can stand at. */
function usablePositions(params: Params): number {
  const behindPadding = tableRows(params) - firstRow(params);
  return Math.min(behindPadding, optionalNumber(params, "usable_positions") ?? behindPadding);
}

/** Rows of the table; a row past its end is an error that says so. */
function tableFactor(params: Params, inputs: Inputs): Factor {
  const dim = modelWidth(params);
  const rows = tableRows(params);
  const row = learnedMatrix(inputs, TABLES, null, dim, exampleTable(rows, dim));
  const given = givenArray(inputs, TABLES);
  const count = given === undefined ? rows : readMatrix(given.value, given.name).length;
  return keptFactor(dim, (index) => {
    if (index >= 0 && index < count) return row(index);
    throw new ParamError({
      param: "max_position_embeddings",
      value: count,
      rule: t("position {0} does not exist: the table has {1} rows", index - firstRow(params), count),
    });
  });
}

/** Row of the table for each given token, where the inputs say more than their order. */
function givenRows(params: Params, inputs: Inputs): readonly number[] | undefined {
  const positions = optionalVector(inputs, "position_ids");
  if (positions !== undefined) return positions.map((p) => p + numberOf(params, "offset"));
  const mask = optionalVector(inputs, "attention_mask");
  if (mask !== undefined) return optRows(mask, numberOf(params, "offset"));
  const padding = optionalNumber(params, "padding_idx");
  const ids = optionalVector(inputs, "input_ids");
  return padding === undefined || ids === undefined ? undefined : robertaPositions(ids, padding);
}

function settingOf(params: Params, inputs: Inputs): AbsoluteSetting {
  const table = tableFactor(params, inputs);
  const rows = givenRows(params, inputs);
  const vectors = tokenVectors(inputs);
  return {
    hiddenSize: modelWidth(params),
    numHeads: numberOf(params, "num_heads"),
    position: {
      dim: table.dim,
      write: (token, out, offset) => table.write(rows?.[token] ?? token + firstRow(params), out, offset),
    },
    learned: true,
    ...(vectors === undefined ? {} : { tokens: listFactor(vectors) }),
  };
}

function rules(params: Params): readonly ParamProblem[] {
  const problems = [...headsDivide(params)];
  if (usablePositions(params) < 1) {
    problems.push({
      param: "max_position_embeddings",
      value: numberOf(params, "max_position_embeddings"),
      rule: t("must leave at least one position after padding_idx"),
    });
  }
  return problems;
}

function goldenCase(golden: GoldenCase): Record<string, unknown> {
  const params = paramsOf(learnedAbsolute, golden);
  const { inputs } = golden;
  const rows = givenRows(params, inputs);
  const given = givenArray(inputs, TABLES);
  if (given === undefined) return { position_ids: rows };
  const table = readMatrix(given.value, given.name);
  if (inputs.x !== undefined) {
    const values = (scene: Scene) => absoluteValues(scene, settingOf(params, inputs));
    return { ...attentionGolden(learnedAbsolute, params, golden, values) };
  }
  const tokens = tokenVectors(inputs)?.length ?? rows?.length ?? sceneOf(golden, 0).keyLength;
  const own = rows ?? Array.from({ length: tokens }, (_, n) => n + firstRow(params));
  const eps = numberOf(params, "layer_norm_eps");
  return {
    position_ids: own,
    embedding: nestedRows(settingOf(params, inputs).position, tokens),
    ...embeddedTokens(inputs, table, own, eps),
  };
}

const formula: Formula = {
  id: "learned_absolute",
  tex: "h_p = x_p + P_p, \\qquad P \\in \\mathbb{R}^{L \\times d}\\ \\text{trained}, \\quad 0 \\le p < L",
  text: "h(p) = x(p) + P[p],  P a trained table of L rows,  0 ≤ p < L",
};

const normedFormula: Formula = {
  id: "learned_absolute_four_term",
  tex: "\\begin{aligned}\\sqrt{d}\\,\\mathrm{logit}_{ij} ={}& x_i W_Q W_K^{\\top} x_j^{\\top} + x_i W_Q W_K^{\\top} p_j^{\\top} \\\\ &+ p_i W_Q W_K^{\\top} x_j^{\\top} + p_i W_Q W_K^{\\top} p_j^{\\top}\\end{aligned}",
  text: "√d · logit(i, j) = x_i W_Q · x_j W_K + x_i W_Q · p_j W_K + p_i W_Q · x_j W_K + p_i W_Q · p_j W_K",
};

/** A trained vector for each position, added to the input. */
export const learnedAbsolute: Encoding = {
  id: "learned_absolute",
  title: { en: "Learned table — absolute", zh: "可学习位置表——绝对编码" },
  aliases: ["position_embeddings", "wpe", "nn.Embedding(max_position_embeddings)", "learned position embedding"],
  classification: {
    kind: "absolute",
    acts: "input",
    trained: "trained",
    trainedParameters: (params) => tableRows(params) * modelWidth(params),
  },
  fate: {
    content_content: "kept",
    content_position: "kept",
    position_content: "kept",
    position_position: "kept",
  },
  parameters: [
    ...widthParameters(1, 64),
    {
      name: "max_position_embeddings",
      unit: TOKENS,
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
      unit: TOKENS,
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
    accepted("vocab_size"),
    accepted("type_vocab_size"),
  ],
  rules,
  formulas: [formula, normedFormula],
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
    size: usablePositions(params),
    reason: {
      en: "A learned table has one trained row per position and nothing after its last.",
      zh: "可学习的位置表每个位置只有一行训练好的向量，最后一行之后什么也没有。",
    },
  }),
  takesIds: () => true,
  local: true,
  learned: ["position_embeddings"],
  learnedFor: () => [TABLES],
  terms: (params, scene) => absoluteTerms(scene, settingOf(params, scene.inputs)),
  table: (params, scene) => ({
    rows: shiftedFactor(settingOf(params, scene.inputs).position, scene.shift),
    column: (index) => `P[·, ${index}]`,
  }),
  golden: { files: ["learned_absolute"], compute: goldenCase },
};

import type { Params } from "../spec.ts";
import { buildContentTerm } from "../terms/contentTerm.ts";
import { indexRange } from "../terms/engine.ts";
import { exampleValue, learnedTermName, readLearnedMatrix } from "../terms/learned.ts";
import { dotProduct, evaluateRow } from "../terms/linear.ts";
import type { Inputs, Scene } from "../terms/scene.ts";
import type { GatedTerm, TermRegion } from "../terms/term.ts";
import type { Encoding, Formula } from "./encoding.ts";
import { QUERY_BY_DISTANCE } from "./support/effects.ts";
import { headDim, numHeads, TOKENS_UNIT } from "./support/parameters.ts";
import { getNumber } from "./support/schema.ts";
import { ACCUMULATED_POSITIONS } from "./support/viewNotes.ts";

/** σ(logit) for keys up to the query, 0 for later keys: CoPE masks before it gates. */
export function copeGates(logits: ArrayLike<number>, queryIndex: number): Float64Array {
  return Float64Array.from({ length: logits.length }, (_, j) =>
    j <= queryIndex ? 1 / (1 + Math.exp(-(logits[j] ?? 0))) : 0,
  );
}

/** p_ij = Σ_(t=j…i) gate_it, capped at npos_max − 1 (Golovneva et al. 2024, equation 4). */
export function copePositions(gates: ArrayLike<number>, maxPosition: number): Float64Array {
  const positions = new Float64Array(gates.length);
  let sum = 0;
  for (let j = gates.length - 1; j >= 0; j--) {
    sum += gates[j] ?? 0;
    positions[j] = Math.min(sum, maxPosition);
  }
  return positions;
}

/** e[n] for every integer position n, [npos_max][head_dim]; `pos_emb` is [head_dim][npos_max], shared by all heads. */
function readPositionColumns(params: Params, inputs: Inputs): number[][] {
  const dim = getNumber(params, "head_dim");
  const count = getNumber(params, "npos_max");
  const row = readLearnedMatrix(
    inputs,
    ["pos_emb"],
    dim,
    count,
    (c, n) => exampleValue(70, c, 0, 0.4) * Math.exp(-n / 6) + exampleValue(70, c, n + 1, 0.1),
  );
  const rows = indexRange(0, dim).map((c) => row(c));
  return indexRange(0, count).map((n) => rows.map((values) => values[n] ?? 0));
}

/** Interpolates linearly between the logits of two neighbouring integer positions. */
function interpolateLogit(logits: readonly number[], position: number): number {
  const floor = Math.floor(position);
  const fraction = position - floor;
  return (1 - fraction) * (logits[floor] ?? 0) + (fraction === 0 ? 0 : fraction * (logits[floor + 1] ?? 0));
}

/** Cells above the diagonal are undefined. */
const CAUSAL_REGION: TermRegion = { deltaFrom: 0 };

function buildGatedTerm(params: Params, scene: Scene): GatedTerm {
  const offset = scene.keyLength - scene.queryLength;
  const maxPosition = getNumber(params, "npos_max") - 1;
  const columns = readPositionColumns(params, scene.inputs);
  const queries = scene.content.rows("q", scene.head, getNumber(params, "head_dim"));
  return {
    kind: "gated",
    id: "bias",
    role: "content_position",
    name: learnedTermName({ en: "query · contextual position", zh: "查询 · 上下文位置" }, scene.inputs),
    scale: 1,
    region: CAUSAL_REGION,
    row: (i, logits) => {
      const positions = copePositions(copeGates(logits, i + offset), maxPosition);
      const query = evaluateRow(queries, i);
      const positionLogits = columns.map((column) => dotProduct(column, query));
      return positions.map((position) => interpolateLogit(positionLogits, position));
    },
  };
}

const formula: Formula = {
  id: "cope",
  tex: "\\begin{aligned}g_{ij} &= \\sigma\\Big(\\frac{q_i \\cdot k_j}{\\sqrt{d}}\\Big), \\qquad p_{ij} = \\sum_{t=j}^{i} g_{it} \\\\ \\mathrm{logit}_{ij} &= \\frac{q_i \\cdot k_j}{\\sqrt{d}} + q_i \\cdot e[p_{ij}]\\end{aligned}",
  text: "g(i, j) = σ(q_i · k_j / √d),  p(i, j) = Σ_(t=j…i) g(i, t),  logit(i, j) = q_i · k_j / √d + q_i · e[p(i, j)], e interpolated",
};

/** CoPE: positions are counted by gates that depend on the content. */
export const cope: Encoding = {
  id: "cope",
  name: { en: "CoPE", zh: "CoPE" },
  gloss: { en: "contextual position encoding", zh: "上下文位置编码" },
  aliases: ["contextual position encoding", "npos_max", "gates"],
  classification: {
    kind: "relative",
    actsOn: "scores",
    trained: "trained",
    trainedParameters: (params) => getNumber(params, "head_dim") * getNumber(params, "npos_max"),
  },
  effect: QUERY_BY_DISTANCE,
  expansion: {
    terms: {
      content_position: { id: "cope_term_xp", tex: "x_i W_Q\\,\\mathbf{e}[p_{ij}]^{\\top}", text: "x_i W_Q · e[p_ij]" },
    },
    steps: {
      en: "pᵢ is dropped. pⱼ became e at the counted position pᵢⱼ, which the gates of the row determine: the distance depends on the words.",
      zh: "去掉 pᵢ；pⱼ 换成计数位置 pᵢⱼ 处的 e，计数由该行的门决定：距离取决于词。",
    },
  },
  parameters: [
    { ...numHeads, default: 4 },
    headDim,
    {
      name: "npos_max",
      unit: TOKENS_UNIT,
      kind: "integer",
      default: 64,
      min: 1,
      max: 65_536,
      slider: { min: 2, max: 256, scale: "log" },
      help: {
        en: "Number of integer positions in the table; larger counts stay at the last one.",
        zh: "位置表中整数位置的个数；超过后不再增加。",
      },
    },
  ],
  formulas: [formula],
  formula: () => formula,
  explanation: {
    summary: {
      en: "The query decides which tokens count. Each key gets a gate, and its position is the sum of the gates from the key to the query. A position can thus mean the third sentence as well as the third word.",
      zh: "一个词元算不算数由查询决定：每个键有一个门，从该键到查询把门值累加，就是它的位置；它既可以表示第三个词，也可以表示第三句话。",
    },
    extrapolation: {
      en: "Counts grow more slowly than the number of tokens and stop at npos_max − 1, so longer texts need no new rows.",
      zh: "计数比词元数增长得慢，并止于 npos_max − 1，因此更长的文本不需要新的行。",
    },
    strengths: {
      en: "Can address tokens by sentence, noun or line break; solves counting and selective copying, where other encodings fail.",
      zh: "可以按句子、名词或换行来定位；能解决其他编码做不到的计数与选择性复制任务。",
    },
    weaknesses: {
      en: "Needs the logits of the whole row and their gates summed along it, so no cell can be computed alone and fused kernels do not apply.",
      zh: "必须先算出整行的 logit 再沿行累加，任何一格都不能单独求得，融合内核也用不上。",
    },
    pitfalls: {
      en: "The mask comes before the gates: keys after the query must have gate 0. The gates use the scaled logit, the position term the unscaled query. Causal only: nothing is defined above the diagonal.",
      zh: "掩码在门之前：后面的键门值必须为 0。门用缩放后的 logit，位置项用未缩放的查询。只适用于因果注意力：对角线以上没有定义。",
    },
    models: ["CoPE (research)"],
  },
  papers: [
    { title: "Contextual Position Encoding: Learning to Count What's Important", arxiv: "2405.18719", year: 2024 },
  ],
  repositories: ["facebookresearch/RAM"],
  domain: () => ({
    kind: "recursive",
    reason: {
      en: "A position is the sum of the gates from its key to the query: it cannot be computed without the keys in between.",
      zh: "位置是从该键到查询的门值之和：没有其间的键就无法求得。",
    },
  }),
  cellsAreIndependent: false,
  viewNotes: () => ({ precision: ACCUMULATED_POSITIONS }),
  learnedArrays: ["pos_emb"],
  terms: (params, scene) => [
    { ...buildContentTerm(scene, getNumber(params, "head_dim")), region: CAUSAL_REGION },
    buildGatedTerm(params, scene),
  ],
};

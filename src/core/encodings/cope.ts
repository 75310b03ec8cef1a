import type { Params } from "../spec.ts";
import { contentTerm } from "../terms/contentTerm.ts";
import { deltaAt, indexRange, logitMatrix } from "../terms/engine.ts";
import { exampleValue, learnedMatrix, learnedName } from "../terms/learned.ts";
import { dotOf, rowOf } from "../terms/linear.ts";
import type { GatedTerm, Region } from "../terms/term.ts";
import { attentionOf, type Encoding, type Formula, type GoldenCase, type Inputs, type Scene } from "./encoding.ts";
import { attentionGolden, paramsOf, sceneOf } from "./support/golden.ts";
import { headDim, numHeads, TOKENS } from "./support/parameters.ts";
import { numberOf } from "./support/schema.ts";

/** σ(logit) for the keys up to the query's own, 0 behind it: CoPE masks before it gates. */
export function copeGates(logits: ArrayLike<number>, own: number): Float64Array {
  return Float64Array.from({ length: logits.length }, (_, j) => (j <= own ? 1 / (1 + Math.exp(-(logits[j] ?? 0))) : 0));
}

/** p_ij = Σ_(t=j…i) gate_it, no more than npos_max − 1 (Golovneva et al. 2024, equation 4). */
export function copePositions(gates: ArrayLike<number>, most: number): Float64Array {
  const positions = new Float64Array(gates.length);
  let sum = 0;
  for (let j = gates.length - 1; j >= 0; j--) {
    sum += gates[j] ?? 0;
    positions[j] = Math.min(sum, most);
  }
  return positions;
}

/** e[n] for every whole position n, [npos_max][head_dim]; `pos_emb` is [head_dim][npos_max], one for all heads. */
function positionColumns(params: Params, inputs: Inputs): number[][] {
  const dim = numberOf(params, "head_dim");
  const count = numberOf(params, "npos_max");
  const row = learnedMatrix(
    inputs,
    ["pos_emb"],
    dim,
    count,
    (c, n) => exampleValue(70, c, 0, 0.4) * Math.exp(-n / 6) + exampleValue(70, c, n + 1, 0.1),
  );
  const rows = indexRange(0, dim).map((c) => row(c));
  return indexRange(0, count).map((n) => rows.map((values) => values[n] ?? 0));
}

/** Between two whole positions the logits are interpolated. */
function interpolated(logits: readonly number[], position: number): number {
  const floor = Math.floor(position);
  const part = position - floor;
  return (1 - part) * (logits[floor] ?? 0) + (part === 0 ? 0 : part * (logits[floor + 1] ?? 0));
}

/** Above the diagonal nothing is defined. */
const CAUSAL: Region = { deltaFrom: 0 };

function gatedTerm(params: Params, scene: Scene): GatedTerm {
  const offset = scene.keyLength - scene.queryLength;
  const most = numberOf(params, "npos_max") - 1;
  const columns = positionColumns(params, scene.inputs);
  const queries = scene.content.rows("q", scene.head, numberOf(params, "head_dim"));
  return {
    kind: "gated",
    id: "bias",
    role: "content_position",
    name: learnedName({ en: "query · contextual position", zh: "查询 · 上下文位置" }, scene.inputs),
    scale: 1,
    region: CAUSAL,
    row: (i, logits) => {
      const positions = copePositions(copeGates(logits, i + offset), most);
      const query = rowOf(queries, i);
      const own = columns.map((column) => dotOf(column, query));
      return positions.map((position) => interpolated(own, position));
    },
  };
}

/** Values of the cells on and below the diagonal; the others are undefined and written as 0. */
function causalCells(scene: Scene, values: (i: number) => ArrayLike<number>): number[][] {
  const offset = scene.keyLength - scene.queryLength;
  return indexRange(0, scene.queryLength).map((i) => {
    const row = values(i);
    return indexRange(0, scene.keyLength).map((j) => (j <= i + offset ? (row[j] ?? 0) : 0));
  });
}

function goldenCase(golden: GoldenCase): Record<string, unknown> {
  const params = paramsOf(cope, golden);
  const attention = attentionGolden(cope, params, golden);
  const scenes = indexRange(0, attention.scores.length).map((head) => sceneOf(golden, head));
  const most = numberOf(params, "npos_max") - 1;
  const gatesOf = (scene: Scene, i: number) => {
    const own = attentionOf(cope, params, scene, { causal: true });
    const logits = logitMatrix(own, [i], indexRange(0, scene.keyLength), ["bias"]);
    return copeGates(logits, deltaAt(own, i, 0));
  };
  return {
    ...attention,
    bias: attention.terms("bias"),
    gates: scenes.map((scene) => causalCells(scene, (i) => gatesOf(scene, i))),
    positions: scenes.map((scene) => causalCells(scene, (i) => copePositions(gatesOf(scene, i), most))),
  };
}

const formula: Formula = {
  id: "cope",
  tex: "\\begin{aligned}g_{ij} &= \\sigma\\Big(\\frac{q_i \\cdot k_j}{\\sqrt{d}}\\Big), \\qquad p_{ij} = \\sum_{t=j}^{i} g_{it} \\\\ \\mathrm{logit}_{ij} &= \\frac{q_i \\cdot k_j}{\\sqrt{d}} + q_i \\cdot e[p_{ij}]\\end{aligned}",
  text: "g(i, j) = σ(q_i · k_j / √d),  p(i, j) = Σ_(t=j…i) g(i, t),  logit(i, j) = q_i · k_j / √d + q_i · e[p(i, j)], e interpolated",
};

/** CoPE: positions counted by gates on the content. */
export const cope: Encoding = {
  id: "cope",
  title: { en: "CoPE — contextual positions", zh: "CoPE——上下文位置编码" },
  aliases: ["contextual position encoding", "npos_max", "gates"],
  classification: {
    kind: "relative",
    acts: "scores",
    trained: "trained",
    trainedParameters: (params) => numberOf(params, "head_dim") * numberOf(params, "npos_max"),
  },
  fate: {
    content_content: "kept",
    content_position: "changed",
    position_content: "dropped",
    position_position: "dropped",
  },
  parameters: [
    { ...numHeads, default: 4 },
    headDim,
    {
      name: "npos_max",
      unit: TOKENS,
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
  local: false,
  learned: ["pos_emb"],
  terms: (params, scene) => [
    { ...contentTerm(scene, numberOf(params, "head_dim")), region: CAUSAL },
    gatedTerm(params, scene),
  ],
  golden: { files: ["cope"], compute: goldenCase },
};

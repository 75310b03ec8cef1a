import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { buildContentTerm } from "../../terms/contentTerm.ts";
import { exampleValue, learnedTermName, readLearnedMatrix } from "../../terms/learned.ts";
import type { Scene } from "../../terms/scene.ts";
import type { BiasTerm } from "../../terms/term.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Encoding, Formula } from "../encoding.ts";
import { ADDS_BIAS } from "../support/effects.ts";
import { headDim, numHeads, TOKENS_UNIT } from "../support/parameters.ts";
import { getNumber, optionalNumber } from "../support/schema.ts";
import { countPart } from "../support/summary.ts";
import { buildT5BucketRule, exactDistanceCount, findBucketStarts, type T5BucketSpec, t5Bucket } from "./buckets.ts";

export function readBucketSpec(params: Params): T5BucketSpec {
  return {
    numBuckets: getNumber(params, "num_buckets"),
    maxDistance: getNumber(params, "max_distance"),
    bidirectional: params.bidirectional === true,
  };
}

/** Resembles trained tables: each head decays across the buckets at its own rate. */
function exampleBucketBias(bucket: number, head: number, spec: T5BucketSpec): number {
  const side = spec.bidirectional ? Math.max(1, Math.floor(spec.numBuckets / 2)) : spec.numBuckets;
  const depth = (bucket % side) / side;
  return -5 * depth * 2 ** (-(head % 8) / 2) + exampleValue(10, bucket, head, 0.3);
}

/** Bias of one head by key position minus query position. */
function buildBucketBias(params: Params, scene: Scene): (relative: number) => number {
  const spec = readBucketSpec(params);
  const heads = getNumber(params, "num_heads");
  const row = readLearnedMatrix(scene.inputs, ["relative_attention_bias"], spec.numBuckets, heads, (bucket, head) =>
    exampleBucketBias(bucket, head, spec),
  );
  const column = Array.from({ length: spec.numBuckets }, (_, bucket) => row(bucket)[scene.head] ?? 0);
  return (relative) => column[t5Bucket(spec, relative)] ?? 0;
}

function buildBiasTerm(params: Params, scene: Scene): BiasTerm {
  const bias = buildBucketBias(params, scene);
  const offset = scene.keyLength - scene.queryLength;
  // A decoder's cache may contain more keys than those before the queries.
  const past = optionalNumber(params, "past_seen_tokens") ?? offset;
  return {
    kind: "bias",
    id: "bias",
    role: "position_position",
    name: learnedTermName({ en: "bucket bias", zh: "分桶偏置" }, scene.inputs),
    scale: 1,
    profile: (delta) => bias(-(delta - offset + past)),
    value: (i, j) => bias(j - i - past),
  };
}

function rules(params: Params): readonly ParamProblem[] {
  const { numBuckets, maxDistance, bidirectional } = readBucketSpec(params);
  const minimum = bidirectional ? 4 : 2;
  if (numBuckets < minimum)
    return [{ param: "num_buckets", value: numBuckets, rule: l10n.t("must be at least {0}", minimum) }];
  const exact = exactDistanceCount({ numBuckets, bidirectional });
  if (maxDistance > exact) return [];
  const rule = l10n.t("must be greater than {0}, the number of distances with their own bucket", exact);
  return [{ param: "max_distance", value: maxDistance, rule }];
}

/** Buckets of one direction, for `n` buckets and D = max_distance. */
const DIRECTION_TEX =
  "\\beta_n(x) &= x, \\quad x < m = \\lfloor n/2 \\rfloor \\\\ \\beta_n(x) &= \\min(n-1,\\ m + \\Big\\lfloor \\frac{\\ln(x/m)}{\\ln(D/m)}\\,(n-m) \\Big\\rfloor),\\ x \\ge m";
const DIRECTION_TEXT =
  "β_n(x) = x for x < m = ⌊n/2⌋, else min(n − 1, m + ⌊ln(x/m) / ln(D/m) · (n − m)⌋),  D = max_distance, N = num_buckets";

const bucketFormula: Formula = {
  id: "t5_buckets",
  tex: `\\begin{aligned}${DIRECTION_TEX} \\\\ \\text{encoder: } &\\beta_{N/2}(|i-j|) + \\tfrac{N}{2}\\,[\\,j > i\\,] \\\\ \\text{decoder: } &\\beta_N(\\max(i-j,\\ 0))\\end{aligned}`,
  text: `${DIRECTION_TEXT};  bidirectional: β_{N/2}(|i − j|), plus N/2 if j > i;  causal: β_N(max(i − j, 0))`,
};

const bidirectionalFormula: Formula = {
  id: "t5_bias",
  tex: `\\begin{aligned}\\mathrm{logit}_{ij} &= q_i \\cdot k_j + b_{h,\\,B_{ij}} \\\\ B_{ij} &= \\beta_{N/2}(|i-j|) + \\tfrac{N}{2}\\,[\\,j > i\\,] \\\\ ${DIRECTION_TEX}\\end{aligned}`,
  text: `logit(i, j) = q_i · k_j + b[h, B(i, j)],  B(i, j) = β_{N/2}(|i − j|), plus N/2 if the key is later (j > i),  ${DIRECTION_TEXT}`,
};

const causalFormula: Formula = {
  id: "t5_bias_causal",
  tex: `\\begin{aligned}\\mathrm{logit}_{ij} &= q_i \\cdot k_j + b_{h,\\,B_{ij}} \\\\ B_{ij} &= \\beta_N(\\max(i-j,\\ 0)) \\\\ ${DIRECTION_TEX}\\end{aligned}`,
  text: `logit(i, j) = q_i · k_j + b[h, B(i, j)],  B(i, j) = β_N(max(i − j, 0)): later keys count as distance 0,  ${DIRECTION_TEXT}`,
};

/** T5: a trained scalar for each bucket of distances. */
export const t5Bias: Encoding = {
  id: "t5_bias",
  name: { en: "T5 bias", zh: "T5 相对位置偏置" },
  gloss: { en: "one bias per distance bucket", zh: "距离分桶，每桶一个偏置" },
  aliases: [
    "relative_attention_bias",
    "_relative_position_bucket",
    "T5 relative position bias",
    "relative_attention_num_buckets",
  ],
  classification: {
    kind: "relative",
    actsOn: "scores",
    trained: "trained",
    trainedParameters: (params) => getNumber(params, "num_buckets") * getNumber(params, "num_heads"),
  },
  effect: ADDS_BIAS,
  expansion: {
    terms: {
      position_position: { id: "t5_term_pp", tex: "\\mathbf{b}_{h,\\,B_{ij}}", text: "b[h, B(i, j)]" },
    },
    steps: {
      en: "Content and position should be decoupled, so both middle terms, where words meet positions, are dropped. The last one depends on no word: it became b, a trained number per head and bucket of distances.",
      zh: "内容与位置应当解耦，因此去掉词与位置相乘的中间两项；最后一项与词无关，换成 b：每个头、每个距离桶一个训练得到的数。",
    },
  },
  parameters: [
    numHeads,
    headDim,
    {
      name: "num_buckets",
      aliases: ["relative_attention_num_buckets", "position_bias_num_buckets", "rel_pos_bins"],
      kind: "integer",
      default: 32,
      min: 2,
      max: 1_000_000,
      slider: { min: 4, max: 128, step: 2, scale: "linear" },
      help: {
        en: "Rows of the table; in encoders, half for each direction.",
        zh: "偏置表的行数；编码器中前后两个方向各占一半。",
      },
    },
    {
      name: "max_distance",
      unit: TOKENS_UNIT,
      aliases: [
        "relative_attention_max_distance",
        "position_bias_max_distance",
        "relative_max_distance",
        "max_rel_pos",
      ],
      kind: "integer",
      default: 128,
      min: 2,
      max: 1_000_000_000,
      slider: { min: 32, max: 4096, scale: "log" },
      help: { en: "All distances from this on share the last bucket.", zh: "从该距离起全部落入最后一个桶。" },
    },
    {
      name: "bidirectional",
      kind: "boolean",
      default: true,
      help: {
        en: "Encoder: keys before and after the query have separate buckets. Decoder: keys after the query count as distance 0.",
        zh: "编码器：查询之前与之后的键各有自己的桶。解码器：后面的键一律按距离 0 计。",
      },
    },
    {
      name: "past_seen_tokens",
      unit: TOKENS_UNIT,
      kind: "integer",
      default: null,
      optional: true,
      min: 0,
      max: 1_000_000_000,
      help: {
        en: "Cached tokens before the first query; if empty, the number of keys minus the number of queries.",
        zh: "第一个查询之前已缓存的词元数；留空则取键数与查询数之差。",
      },
    },
    {
      name: "scale_scores",
      kind: "boolean",
      default: false,
      help: {
        en: "Divide q · k by √head_dim (MPNet). T5 itself does not.",
        zh: "q·k 是否除以 √head_dim（MPNet 除）。T5 本身不除。",
      },
    },
  ],
  rules,
  formulas: [bidirectionalFormula, causalFormula],
  formula: (params) => (params.bidirectional === true ? bidirectionalFormula : causalFormula),
  partFormulas: { buckets: bucketFormula },
  explanation: {
    summary: {
      en: "Decouples content and position: both mixed terms are dropped, and the last one becomes a trained number per distance bucket and head.",
      zh: "内容与位置解耦：去掉两个交叉项，最后一项换成按距离分桶、逐头训练的一个标量。",
    },
    extrapolation: {
      en: "Every distance has a bucket, because all beyond max_distance share the last. Longer inputs produce nothing unseen, but the tail cannot tell 200 from 20,000.",
      zh: "超过 max_distance 的距离共用最后一个桶，因此任何距离都有桶可落；更长的输入不会带来未见过的取值，但尾部分不清 200 与 20,000。",
    },
    strengths: {
      en: "Few parameters (32 × heads), one table for all layers of a stack, added to the scores. Short distances have buckets of their own; long ones share increasingly wide buckets.",
      zh: "参数极少（32 × 头数），整个堆栈各层共用一张表，直接加到分数上。近处逐个区分，远处越分越粗。",
    },
    weaknesses: {
      en: "The bias does not depend on the words, and the added matrix rules out some fused attention kernels.",
      zh: "偏置与词的内容无关；附加的矩阵使一些融合注意力内核无法使用。",
    },
    pitfalls: {
      en: "T5 does not divide q · k by √d. The relative position is j − i (key minus query): 1 means that the key is one position LATER. Buckets are truncated float32 logarithms; with some settings, float64 puts a few distances into other buckets. In the bidirectional scheme, the first bucket of the upper half is never used. Cross-attention has no bias.",
      zh: "T5 的 q·k 不除以 √d。相对位置是 j − i（键减查询）：1 表示键在后一位。分桶用 float32 对数再截断；在某些参数下换成 float64，个别距离会落到别的桶。双向方案里上半区的第一个桶从不使用。交叉注意力没有偏置。",
    },
    models: ["T5", "mT5", "Flan-T5", "UMT5", "LongT5", "UDOP", "MPNet", "Pop2Piano", "Pix2Struct (text)"],
  },
  papers: [
    {
      title: "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
      arxiv: "1910.10683",
      year: 2019,
    },
  ],
  repositories: ["google-research/text-to-text-transfer-transformer", "tensorflow/mesh"],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  learnedArrays: ["relative_attention_bias"],
  terms: (params, scene) => {
    const dim = getNumber(params, "head_dim");
    const scale = params.scale_scores === true ? 1 / Math.sqrt(dim) : 1;
    return [buildContentTerm(scene, dim, scale), buildBiasTerm(params, scene)];
  },
  buckets: (params) => buildT5BucketRule(readBucketSpec(params)),
  summary: (params) => [
    l10n.t("T5 bias"),
    ...countPart(params, "num_buckets", (count) => l10n.t("{0} buckets", count)),
  ],
  derived: (params) => ({ bucket_starts: findBucketStarts(readBucketSpec(params)) }),
};

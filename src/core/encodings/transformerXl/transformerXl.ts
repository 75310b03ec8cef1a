import type { Params } from "../../spec.ts";
import { contentTerm } from "../../terms/contentTerm.ts";
import { indexRange } from "../../terms/engine.ts";
import { exampleValue, givenArray, learnedMatrix, learnedName, optionalVector } from "../../terms/learned.ts";
import { dotOf, factorOf, keptValue, offsetFactor, rowOf } from "../../terms/linear.ts";
import { readTensor } from "../../terms/read.ts";
import { relativeKey, relativeQuery } from "../../terms/relative.ts";
import type { BiasTerm, Term } from "../../terms/term.ts";
import type { Encoding, GoldenCase, Scene } from "../encoding.ts";
import { type AttentionGolden, attentionGolden, paramsOf, sceneOf } from "../support/golden.ts";
import { accepted, headDim, modelWidth, numHeads } from "../support/parameters.ts";
import { numberOf, stringOf } from "../support/schema.ts";
import { distanceFrequencies, distanceSinusoid, preparedDistances, projectedDistance } from "./distances.ts";
import { xlExplanation, xlFormulas, xlParameters } from "./text.ts";

type BiasName = "r_w_bias" | "r_r_bias" | "r_s_bias";

/** u, v or s of one head: trained vectors in the place of the query's position. */
function biasVector(params: Params, scene: Scene, name: BiasName): readonly number[] {
  const salt = { r_w_bias: 31, r_r_bias: 32, r_s_bias: 33 }[name];
  const example = (head: number, c: number) => exampleValue(salt, head, c, 0.3);
  const heads = numberOf(params, "num_heads");
  return learnedMatrix(scene.inputs, [name], heads, numberOf(params, "head_dim"), example)(scene.head);
}

/** In the causal forms cells above the diagonal hold left-overs of other rows: nothing is defined there. */
function terms(params: Params, scene: Scene): readonly Term[] {
  const all = allTerms(params, scene);
  if (stringOf(params, "attn_type") === "bi") return all;
  return all.map((term) => ({ ...term, region: { deltaFrom: 0 } }));
}

function allTerms(params: Params, scene: Scene): readonly Term[] {
  const dim = numberOf(params, "head_dim");
  const content = contentTerm(scene, dim);
  const { scale } = content;
  const { constant } = scene.content;
  const distances = projectedDistance(params, scene.inputs, scene.head);
  const byDistance = { of: "delta", at: (delta: number) => delta } as const;
  const u = biasVector(params, scene, "r_w_bias");
  const v = biasVector(params, scene, "r_r_bias");
  const name = (en: string, zh: string) => learnedName({ en, zh }, scene.inputs);
  const position = keptValue(distances.along(v));
  const offset = scene.keyLength - scene.queryLength;
  const bias: BiasTerm = {
    kind: "bias",
    id: "position_position",
    role: "position_position",
    name: name("v · distance", "v · 距离"),
    scale,
    profile: position,
    value: (i, j) => position(i - j + offset),
  };
  return [
    content,
    relativeQuery({
      id: "content_position",
      role: "content_position",
      name: name("query · distance", "查询 · 距离"),
      scale,
      query: content.query,
      table: distances,
      index: byDistance,
      constant,
    }),
    relativeKey({
      id: "position_content",
      role: "position_content",
      name: name("u · key", "u · 键"),
      scale,
      key: content.key,
      table: factorOf(dim, () => u),
      index: { of: "delta", at: () => 0 },
      constant,
    }),
    bias,
    ...segmentTerms(params, scene, scale),
  ];
}

/** XLNet's segments: (q_i + s) · seg[same segment ? 0 : 1], where the inputs hold `seg_embed` and `token_type_ids`. */
function segmentTerms(params: Params, scene: Scene, scale: number): readonly Term[] {
  const given = givenArray(scene.inputs, ["seg_embed"]);
  const types = optionalVector(scene.inputs, "token_type_ids");
  if (given === undefined || types === undefined) return [];
  const segments = readTensor(given.value, "seg_embed");
  const dim = numberOf(params, "head_dim");
  const offset = scene.keyLength - scene.queryLength;
  const query = offsetFactor(scene.content.rows("q", scene.head, dim), biasVector(params, scene, "r_s_bias"));
  return [
    relativeQuery({
      id: "segment",
      role: "content_content",
      name: { en: "query · segment", zh: "查询 · 句段" },
      scale,
      query,
      table: factorOf(dim, (index) => segments[index]?.[scene.head] ?? []),
      index: { of: "cell", at: (i, j) => (types[i + offset] === types[j] ? 0 : 1) },
      constant: false,
    }),
  ];
}

function goldenCase(golden: GoldenCase): Record<string, unknown> {
  const params = paramsOf(transformerXl, golden);
  const { queryLength, keyLength } = sceneOf(golden, 0);
  const attention = attentionGolden(transformerXl, params, golden);
  // ac and ef are defined everywhere, bd in the causal forms up to the diagonal.
  const whole = attentionGolden(transformerXl, { ...params, attn_type: "bi" }, golden);
  const distances = preparedDistances(params, queryLength, keyLength);
  const sinusoid = distanceSinusoid(params);
  const heads = indexRange(0, numberOf(params, "num_heads"));
  return {
    ...attention,
    ac: unscaledSum(params, whole, ["content", "position_content"]),
    bd: unscaledSum(params, attention, ["content_position", "position_position"]),
    ...(golden.inputs.seg_embed === undefined ? {} : { ef: unscaledSum(params, whole, ["segment"]) }),
    pos_emb: distances.map((m) => Array.from(rowOf(sinusoid, m))),
    k_head_r: heads.map((head) => {
      const rows = projectedDistance(params, golden.inputs, head);
      return distances.map((m) => Array.from(rowOf(rows, m)));
    }),
    bd_before_shift: heads.map((head) => beforeShift(params, sceneOf(golden, head), distances)),
  };
}

/** Sum of terms before the scale 1/√head_dim, [heads][queries][keys]. */
function unscaledSum(params: Params, attention: AttentionGolden, ids: readonly string[]): number[][][] {
  const unscale = Math.sqrt(numberOf(params, "head_dim"));
  const parts = ids.map((id) => attention.terms(id));
  return (parts[0] ?? []).map((matrix, h) =>
    matrix.map((row, i) => row.map((_, j) => unscale * parts.reduce((sum, part) => sum + (part[h]?.[i]?.[j] ?? 0), 0))),
  );
}

/** (q_i + v) · W_r R for every prepared row, before rows are shifted into place. */
function beforeShift(params: Params, scene: Scene, distances: readonly number[]): number[][] {
  const dim = numberOf(params, "head_dim");
  const query = offsetFactor(scene.content.rows("q", scene.head, dim), biasVector(params, scene, "r_r_bias"));
  const rows = projectedDistance(params, scene.inputs, scene.head);
  return indexRange(0, scene.queryLength).map((i) =>
    distances.map((distance) => dotOf(rowOf(query, i), rowOf(rows, distance))),
  );
}

/** Transformer-XL and XLNet: the full expansion with p_j → R_(i−j) and p_i → u, v. */
export const transformerXl: Encoding = {
  id: "transformer_xl",
  title: { en: "Transformer-XL / XLNet — relative sinusoid", zh: "Transformer-XL / XLNet——相对正弦编码" },
  aliases: [
    "XLNet",
    "rel_shift",
    "relative_positional_encoding",
    "r_w_bias",
    "r_r_bias",
    "RelPartialLearnableMultiHeadAttn",
  ],
  classification: {
    kind: "relative",
    acts: "scores",
    trained: "trained",
    trainedParameters: (params) =>
      numberOf(params, "num_heads") * numberOf(params, "head_dim") * (modelWidth(params) + 2),
  },
  fate: {
    content_content: "kept",
    content_position: "changed",
    position_content: "changed",
    position_position: "changed",
  },
  parameters: [numHeads, { ...headDim, aliases: ["d_head", "d_kv"] }, ...xlParameters, accepted("mem_len")],
  formulas: [xlFormulas.xl, xlFormulas.xlnet],
  formula: (params) => (stringOf(params, "attn_type") === "original" ? xlFormulas.xl : xlFormulas.xlnet),
  explanation: xlExplanation,
  papers: [
    {
      title: "Transformer-XL: Attentive Language Models Beyond a Fixed-Length Context",
      arxiv: "1901.02860",
      year: 2019,
    },
    {
      title: "XLNet: Generalized Autoregressive Pretraining for Language Understanding",
      arxiv: "1906.08237",
      year: 2019,
    },
  ],
  repositories: ["kimiyoung/transformer-xl", "zihangdai/xlnet"],
  domain: () => ({ kind: "any" }),
  local: true,
  learned: ["w_r", "r_w_bias", "r_r_bias"],
  terms,
  table: (params) => ({
    rows: distanceSinusoid(params),
    column: (index) => {
      const half = Math.ceil(modelWidth(params) / 2);
      return index < half ? `sin ω${index}` : `cos ω${index - half}`;
    },
  }),
  derived: (params) => ({ frequencies: distanceFrequencies(params) }),
  golden: { files: ["transformer_xl"], compute: goldenCase },
};

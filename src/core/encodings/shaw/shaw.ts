import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import { buildContentTerm } from "../../terms/contentTerm.ts";
import { exampleValue, learnedTermName, readLearnedMatrix } from "../../terms/learned.ts";
import { makeFactor } from "../../terms/linear.ts";
import { buildRelativeKeyTerm, buildRelativeQueryTerm, clippedTableRow } from "../../terms/relative.ts";
import type { Inputs, Scene } from "../../terms/scene.ts";
import type { Factor, RelativeIndex, Term } from "../../terms/term.ts";
import type { ParamProblem } from "../../util/errors.ts";
import type { Encoding, Formula } from "../encoding.ts";
import { sinusoidFactor } from "../sinusoidal/table.ts";
import { QUERY_BY_DISTANCE } from "../support/effects.ts";
import { headDim, numHeads } from "../support/parameters.ts";
import { getNumber, getString, optionalNumber } from "../support/schema.ts";
import { shawExplanation, shawFormulas, shawParameters } from "./text.ts";

/** Clipping distance before (left) and after (right) the query. */
export function readClip(params: Params): { readonly left: number; readonly right: number } {
  const k = getNumber(params, "max_relative_position");
  const left = optionalNumber(params, "left_max_position_embeddings") ?? k;
  return { left, right: optionalNumber(params, "right_max_position_embeddings") ?? left };
}

function isNezha(params: Params): boolean {
  return getString(params, "variant") === "nezha";
}

/**
 * Models with `position_embeddings_type` or with a separate clip per side (Wav2Vec2-BERT) add nothing to the values.
 */
function usesValues(params: Params): boolean {
  const keysOnly = params.position_embeddings_type !== null || params.left_max_position_embeddings !== null;
  return params.use_values === true && !keysOnly;
}

/** Table row of a cell: clip(j − i, −left, right) + left. */
export function clippedRowIndex(params: Params): Extract<RelativeIndex, { of: "delta" }> {
  const { left, right } = readClip(params);
  return { of: "delta", at: (delta) => clippedTableRow(-delta, left, right) };
}

/** NEZHA: a fixed interleaved sinusoid of the SHIFTED index 0 … 2k, not of the signed distance. */
function nezhaTable(params: Params): Factor {
  return sinusoidFactor({
    dim: getNumber(params, "head_dim"),
    base: getNumber(params, "base"),
    layout: "interleaved",
    frequency: "paper",
  });
}

export function readDistanceTable(params: Params, inputs: Inputs, name: "relative_keys" | "relative_values"): Factor {
  if (isNezha(params)) return nezhaTable(params);
  const { left, right } = readClip(params);
  const dim = getNumber(params, "head_dim");
  const salt = name === "relative_keys" ? 20 : 21;
  const row = readLearnedMatrix(inputs, [name], left + right + 1, dim, (r, c) => {
    const distance = Math.abs(r - left);
    return exampleValue(salt, 0, c, 0.4) * Math.exp(-distance / 4) + exampleValue(salt, r, c, 0.15);
  });
  return makeFactor(dim, row);
}

function terms(params: Params, scene: Scene): readonly Term[] {
  const dim = getNumber(params, "head_dim");
  const content = buildContentTerm(scene, dim);
  const shared = {
    scale: content.scale,
    table: readDistanceTable(params, scene.inputs, "relative_keys"),
    index: clippedRowIndex(params),
    constant: scene.content.constant,
  };
  const name = (en: string, zh: string) => (isNezha(params) ? { en, zh } : learnedTermName({ en, zh }, scene.inputs));
  const query = buildRelativeQueryTerm({
    ...shared,
    id: "content_position",
    role: "content_position",
    name: name("query · distance", "查询 · 距离"),
    query: content.query,
  });
  if (params.position_embeddings_type !== "relative_key_query") return [content, query];
  const key = buildRelativeKeyTerm({
    ...shared,
    id: "position_content",
    role: "position_content",
    name: name("key · distance", "键 · 距离"),
    key: content.key,
  });
  return [content, query, key];
}

function rules(params: Params): readonly ParamProblem[] {
  const dim = getNumber(params, "head_dim");
  if (isNezha(params) && dim % 2 !== 0) return [{ param: "head_dim", value: dim, rule: l10n.t("must be even") }];
  return [];
}

function chooseFormula(params: Params): Formula {
  if (params.position_embeddings_type === "relative_key_query") return shawFormulas.both;
  return isNezha(params) ? shawFormulas.nezha : shawFormulas.shaw;
}

/** Shaw et al.: trained vectors of the clipped distance, added to keys and values. */
export const shaw: Encoding = {
  id: "shaw",
  name: { en: "Shaw", zh: "Shaw 相对位置" },
  gloss: { en: "vectors of clipped distances", zh: "截断距离的向量" },
  aliases: ["relative_key", "relative_key_query", "max_relative_position", "NEZHA", "classical relative position"],
  classification: {
    kind: "relative",
    actsOn: "keys_values",
    trained: "either",
    trainedParameters: (params) => {
      const { left, right } = readClip(params);
      const tables = isNezha(params) ? 0 : usesValues(params) ? 2 : 1;
      return tables * (left + right + 1) * getNumber(params, "head_dim");
    },
  },
  effect: QUERY_BY_DISTANCE,
  expansion: {
    terms: {
      content_position: {
        id: "shaw_term_xp",
        tex: "x_i W_Q\\,(\\mathbf{a}^K_{c(j-i)})^{\\top}",
        text: "x_i W_Q · aK[c(j − i)]",
      },
      position_content: {
        id: "shaw_term_px",
        tex: "\\mathbf{r}_{c(j-i)}\\,W_K^{\\top} x_j^{\\top}",
        text: "r[c(j − i)] · x_j W_K",
      },
    },
    steps: {
      en: "pᵢ is dropped, and the third and fourth terms with it. pⱼ W_K became aᴷ, a vector of the clipped distance, and pⱼ W_V became aⱽ.",
      zh: "去掉 pᵢ，第三、四项随之消失；pⱼ W_K 换成截断距离的向量 aᴷ，pⱼ W_V 换成 aⱽ。",
    },
  },
  parameters: [numHeads, headDim, ...shawParameters],
  rules,
  formulas: Object.values(shawFormulas),
  formula: chooseFormula,
  explanation: shawExplanation,
  papers: [
    { title: "Self-Attention with Relative Position Representations", arxiv: "1803.02155", year: 2018 },
    {
      title: "NEZHA: Neural Contextualized Representation for Chinese Language Understanding",
      arxiv: "1909.00204",
      year: 2019,
    },
    { title: "Improve Transformer Models with Better Relative Position Embeddings", arxiv: "2009.13658", year: 2020 },
  ],
  repositories: ["tensorflow/tensor2tensor", "huawei-noah/Pretrained-Language-Model"],
  domain: () => ({ kind: "any" }),
  cellsAreIndependent: true,
  learnedArrays: ["relative_keys", "relative_values"],
  requiredArrays: (params) => {
    if (isNezha(params)) return [];
    return usesValues(params) ? [["relative_keys"], ["relative_values"]] : [["relative_keys"]];
  },
  terms,
  valueTerm: (params, scene) =>
    usesValues(params)
      ? { table: readDistanceTable(params, scene.inputs, "relative_values"), index: clippedRowIndex(params) }
      : undefined,
  buckets: (params) => {
    const { left, right } = readClip(params);
    return {
      kind: "clip",
      row: clippedRowIndex(params).at,
      rowCount: left + right + 1,
      lastDistance: Math.max(left, right),
      usesFloat32Log: false,
    };
  },
};

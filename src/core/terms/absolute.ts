import * as l10n from "@vscode/l10n";
import type { Localized } from "../l10n/l10n.ts";
import { ParamError } from "../util/errors.ts";
import { findInputMatrix, learnedTermName } from "./learned.ts";
import {
  constantProductProfile,
  projectedFactor,
  scaledFactor,
  shiftedFactor,
  slicedFactor,
  sumFactors,
} from "./linear.ts";
import { isRenumbered, positionId } from "./numbering.ts";
import type { Content, Scene } from "./scene.ts";
import type { Factor, ProductTerm } from "./term.ts";

/**
 * The expansion of absolute encodings, (x_i + p_i) W_Q · (x_j + p_j) W_K, into four products (Dai et al. 2019, section
 * 3.3; Ke et al. 2021, equation 5). Exact for x + p, but not with a LayerNorm in between.
 */

export interface AbsoluteInput {
  readonly hiddenSize: number;
  readonly numHeads: number;
  /** p by POSITION, rows of [hiddenSize]. */
  readonly position: Factor;
  /** Multiplies x before p is added (√d in the paper's Transformer). */
  readonly embedScale?: number;
  /** x by token, in place of the scene's content. */
  readonly tokenVectors?: Factor;
  /** ⟨p_i, p_j⟩ over the columns from … from + dim − 1 as a function of δ, if it is one. */
  readonly positionProfile?: (from: number, dim: number) => ((delta: number) => number) | undefined;
  /** The position table is learned; without inputs, it has example values. */
  readonly learned?: boolean;
}

/** One head's query, key or value vector, split into its two parts, by query or key index. */
export interface ContentAndPosition {
  readonly content: Factor;
  readonly position: Factor;
}

function inputHeadDim(input: Pick<AbsoluteInput, "hiddenSize" | "numHeads">): number {
  return input.hiddenSize / input.numHeads;
}

const PROJECTION_NAMES = { q: "w_q", k: "w_k", v: "w_v" } as const;

/** Key index of the first query (or of the first key, 0): the queries are the last tokens of the keys. */
function firstTokenIndex(scene: Scene, which: "q" | "k" | "v"): number {
  return which === "q" ? scene.keyLength - scene.queryLength : 0;
}

function projectToHead(scene: Scene, input: AbsoluteInput, which: "q" | "k" | "v", factor: Factor): Factor {
  const dim = inputHeadDim(input);
  const from = scene.head * dim;
  const name = PROJECTION_NAMES[which];
  const weight = findInputMatrix(scene.inputs, name);
  if (weight === undefined) return slicedFactor(factor, from, dim);
  if (weight.length !== input.hiddenSize || weight[0]?.length !== input.hiddenSize) {
    throw new ParamError({
      param: name,
      value: weight.length,
      rule: l10n.t("must have {0} rows and {0} columns", input.hiddenSize),
    });
  }
  return projectedFactor(factor, weight, from, dim);
}

/** x W of a head by index. Vectors given as q, k, v are already projected. */
function projectTokens(scene: Scene, input: AbsoluteInput, which: "q" | "k" | "v"): Factor {
  const dim = inputHeadDim(input);
  const x = input.tokenVectors ?? scene.content.rows("x", scene.head, input.hiddenSize);
  if (x.dim === 0) return requireWidth(scene.content.rows(which, scene.head, dim), dim, which);
  requireWidth(x, input.hiddenSize, "x");
  const tokens = scaledFactor(x, input.embedScale ?? 1);
  return projectToHead(scene, input, which, shiftedFactor(tokens, firstTokenIndex(scene, which)));
}

function requireWidth(factor: Factor, width: number, name: string): Factor {
  if (factor.dim === width) return factor;
  throw new ParamError({ param: name, value: factor.dim, rule: l10n.t("must have {0} columns", width) });
}

function projectParts(scene: Scene, input: AbsoluteInput, which: "q" | "k" | "v"): ContentAndPosition {
  const position = factorByPositionId(scene, input.position, firstTokenIndex(scene, which));
  return { content: projectTokens(scene, input, which), position: projectToHead(scene, input, which, position) };
}

/** Position vectors by index from `first` on, at the position ids of the scene. */
function factorByPositionId({ numbering, shift }: Scene, position: Factor, first: number): Factor {
  if (!isRenumbered(numbering)) return shiftedFactor(position, first + shift);
  return {
    dim: position.dim,
    write: (index, out, offset) => position.write(positionId(numbering, index + first) + shift, out, offset),
  };
}

const ROLE_NAMES: Readonly<Record<ProductTerm["role"], Localized>> = {
  content_content: { en: "content · content", zh: "内容 · 内容" },
  content_position: { en: "content · position", zh: "内容 · 位置" },
  position_content: { en: "position · content", zh: "位置 · 内容" },
  position_position: { en: "position · position", zh: "位置 · 位置" },
};

/**
 * The four terms of one head, each with scale 1/√head_dim. Their ids are their roles.
 * Reads `w_q` and `w_k` ([hidden][hidden], for row vectors) from the scene's inputs; without them W = identity.
 * @throws ParamError if an array does not have the size of the input
 */
export function buildAbsoluteTerms(scene: Scene, input: AbsoluteInput): readonly ProductTerm[] {
  const q = projectParts(scene, input, "q");
  const k = projectParts(scene, input, "k");
  const scale = 1 / Math.sqrt(inputHeadDim(input));
  const term = (role: ProductTerm["role"], query: Factor, key: Factor): ProductTerm => ({
    kind: "product",
    id: role,
    role,
    name:
      input.learned === true && role !== "content_content"
        ? learnedTermName(ROLE_NAMES[role], scene.inputs)
        : ROLE_NAMES[role],
    scale,
    query,
    key,
  });
  return [
    withProfile(term("content_content", q.content, k.content), constantContentProfile(scene.content, input, q, k)),
    term("content_position", q.content, k.position),
    term("position_content", q.position, k.content),
    withProfile(term("position_position", q.position, k.position), positionProfile(scene, input)),
  ];
}

function withProfile(term: ProductTerm, profile: ProductTerm["profile"]): ProductTerm {
  return profile === undefined ? term : { ...term, profile };
}

function constantContentProfile(
  content: Content,
  input: AbsoluteInput,
  q: ContentAndPosition,
  k: ContentAndPosition,
): ProductTerm["profile"] {
  if (!content.constant || input.tokenVectors !== undefined) return undefined;
  return constantProductProfile(q.content, k.content);
}

function positionProfile(scene: Scene, input: AbsoluteInput): ProductTerm["profile"] {
  const { inputs, head, numbering } = scene;
  if (isRenumbered(numbering)) return undefined;
  if (inputs[PROJECTION_NAMES.q] !== undefined || inputs[PROJECTION_NAMES.k] !== undefined) return undefined;
  const dim = inputHeadDim(input);
  return input.positionProfile?.(head * dim, dim);
}

/** x_j W_V and p_j W_V of one head by key index: absolute encodings also add positions to the values. */
export function absoluteValueParts(scene: Scene, input: AbsoluteInput): ContentAndPosition {
  return projectParts(scene, input, "v");
}

/** (x_j + p_j) W_V of one head by key index. */
export function absoluteValues(scene: Scene, input: AbsoluteInput): Factor {
  const { content, position } = absoluteValueParts(scene, input);
  return sumFactors(content, position);
}

/** Input of the first layer, x·scale + p, by token, rows of [hiddenSize]. */
export function absoluteHiddenStates(scene: Scene, input: AbsoluteInput): Factor {
  const x = input.tokenVectors ?? scene.content.rows("x", scene.head, input.hiddenSize);
  return sumFactors(scaledFactor(x, input.embedScale ?? 1), factorByPositionId(scene, input.position, 0));
}

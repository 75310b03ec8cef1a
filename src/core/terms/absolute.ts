import { t } from "@vscode/l10n";
import type { Content, Scene } from "../encodings/encoding.ts";
import type { Localized } from "../l10n/l10n.ts";
import { ParamError } from "../util/errors.ts";
import { learnedName, optionalMatrix } from "./learned.ts";
import { addedFactors, dotOf, projectedFactor, rowOf, scaledFactor, shiftedFactor, slicedFactor } from "./linear.ts";
import { isRenumbered, positionId } from "./numbering.ts";
import type { Factor, ProductTerm } from "./term.ts";

/**
 * The expansion of absolute encodings, (x_i + p_i) W_Q · (x_j + p_j) W_K, in its four products
 * (Dai et al. 2019, section 3.3; Ke et al. 2021, equation 5). Exact for x + p; a LayerNorm in between breaks it.
 */

export interface AbsoluteSetting {
  readonly hiddenSize: number;
  readonly numHeads: number;
  /** p by POSITION, [hiddenSize] each. */
  readonly position: Factor;
  /** Factor on x before p is added (√d in the paper's Transformer). */
  readonly embedScale?: number;
  /** x by token, instead of the scene's content. */
  readonly tokens?: Factor;
  /** ⟨p_i, p_j⟩ over the columns from … from + dim − 1, where δ alone decides it. */
  readonly positionProfile?: (from: number, dim: number) => ((delta: number) => number) | undefined;
  /** The positions' table is learned: without inputs it holds example values. */
  readonly learned?: boolean;
}

/** The parts of one head's query, key or value vector, by query or key index. */
interface Parts {
  readonly content: Factor;
  readonly position: Factor;
}

function headSize(setting: Pick<AbsoluteSetting, "hiddenSize" | "numHeads">): number {
  return setting.hiddenSize / setting.numHeads;
}

const WEIGHTS = { q: "w_q", k: "w_k", v: "w_v" } as const;

/** Position of index 0 of queries or keys, less the scene's shift: queries stand at the end of the keys. */
function firstToken(scene: Scene, which: "q" | "k" | "v"): number {
  return which === "q" ? scene.keyLength - scene.queryLength : 0;
}

function project(scene: Scene, setting: AbsoluteSetting, which: "q" | "k" | "v", factor: Factor): Factor {
  const dim = headSize(setting);
  const from = scene.head * dim;
  const name = WEIGHTS[which];
  const weight = optionalMatrix(scene.inputs, name);
  if (weight === undefined) return slicedFactor(factor, from, dim);
  if (weight.length !== setting.hiddenSize || weight[0]?.length !== setting.hiddenSize) {
    throw new ParamError({
      param: name,
      value: weight.length,
      rule: t("must have {0} rows and {0} columns", setting.hiddenSize),
    });
  }
  return projectedFactor(factor, weight, from, dim);
}

/** x W of a head by index. Vectors given as q, k, v already are projected content. */
function contentPart(scene: Scene, setting: AbsoluteSetting, which: "q" | "k" | "v"): Factor {
  const dim = headSize(setting);
  const x = setting.tokens ?? scene.content.rows("x", scene.head, setting.hiddenSize);
  if (x.dim === 0) return requireWidth(scene.content.rows(which, scene.head, dim), dim, which);
  requireWidth(x, setting.hiddenSize, "x");
  const tokens = scaledFactor(x, setting.embedScale ?? 1);
  return project(scene, setting, which, shiftedFactor(tokens, firstToken(scene, which)));
}

function requireWidth(factor: Factor, width: number, name: string): Factor {
  if (factor.dim === width) return factor;
  throw new ParamError({ param: name, value: factor.dim, rule: t("must have {0} columns", width) });
}

function partsOf(scene: Scene, setting: AbsoluteSetting, which: "q" | "k" | "v"): Parts {
  const position = numberedFactor(scene, setting.position, firstToken(scene, which));
  return { content: contentPart(scene, setting, which), position: project(scene, setting, which, position) };
}

/** Position vectors by index from `first` on, at the ids that the scene gives. */
function numberedFactor({ numbering, shift }: Scene, position: Factor, first: number): Factor {
  if (!isRenumbered(numbering)) return shiftedFactor(position, first + shift);
  return {
    dim: position.dim,
    write: (index, out, offset) => position.write(positionId(numbering, index + first) + shift, out, offset),
  };
}

const NAMES: Readonly<Record<ProductTerm["role"], Localized>> = {
  content_content: { en: "content · content", zh: "内容 · 内容" },
  content_position: { en: "content · position", zh: "内容 · 位置" },
  position_content: { en: "position · content", zh: "位置 · 内容" },
  position_position: { en: "position · position", zh: "位置 · 位置" },
};

/**
 * The four terms of one head, each with scale 1/√head_dim. Their ids are their roles.
 * Reads `w_q`, `w_k` ([hidden][hidden], row vectors from the left) from the scene's inputs; else W = identity.
 * @throws ParamError if a given array has another size than the setting
 */
export function absoluteTerms(scene: Scene, setting: AbsoluteSetting): readonly ProductTerm[] {
  const q = partsOf(scene, setting, "q");
  const k = partsOf(scene, setting, "k");
  const scale = 1 / Math.sqrt(headSize(setting));
  const term = (role: ProductTerm["role"], query: Factor, key: Factor): ProductTerm => ({
    kind: "product",
    id: role,
    role,
    name: setting.learned === true && role !== "content_content" ? learnedName(NAMES[role], scene.inputs) : NAMES[role],
    scale,
    query,
    key,
  });
  return [
    withProfile(term("content_content", q.content, k.content), constantProfile(scene.content, setting, q, k)),
    term("content_position", q.content, k.position),
    term("position_content", q.position, k.content),
    withProfile(term("position_position", q.position, k.position), positionProfile(scene, setting)),
  ];
}

function withProfile(term: ProductTerm, profile: ProductTerm["profile"]): ProductTerm {
  return profile === undefined ? term : { ...term, profile };
}

function constantProfile(content: Content, setting: AbsoluteSetting, q: Parts, k: Parts): ProductTerm["profile"] {
  if (!content.constant || setting.tokens !== undefined) return undefined;
  const value = dotOf(rowOf(q.content, 0), rowOf(k.content, 0));
  return () => value;
}

function positionProfile(scene: Scene, setting: AbsoluteSetting): ProductTerm["profile"] {
  const { inputs, head, numbering } = scene;
  if (isRenumbered(numbering)) return undefined;
  if (inputs[WEIGHTS.q] !== undefined || inputs[WEIGHTS.k] !== undefined) return undefined;
  const dim = headSize(setting);
  return setting.positionProfile?.(head * dim, dim);
}

/** (x_j + p_j) W_V of one head by key index: absolute encodings put position on the values too. */
export function absoluteValues(scene: Scene, setting: AbsoluteSetting): Factor {
  const { content, position } = partsOf(scene, setting, "v");
  return addedFactors(content, position);
}

/** The input of the first layer, x·scale + p, by token: [hiddenSize] each. */
export function absoluteHidden(scene: Scene, setting: AbsoluteSetting): Factor {
  const x = setting.tokens ?? scene.content.rows("x", scene.head, setting.hiddenSize);
  return addedFactors(scaledFactor(x, setting.embedScale ?? 1), numberedFactor(scene, setting.position, 0));
}

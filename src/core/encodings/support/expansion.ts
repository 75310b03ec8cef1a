import type { Localized } from "../../l10n/l10n.ts";
import type { Term } from "../../terms/term.ts";
import type { Encoding, Formula, TermEffect } from "../encoding.ts";

/**
 * The four terms of (x_i + p_i) W_Q · (x_j + p_j) W_K as formulas, and what an encoding makes of them. Letters that an
 * encoding puts in place of p are bold.
 */

export type ExpansionRole = Term["role"];

export const EXPANSION_ROLES: readonly ExpansionRole[] = [
  "content_content",
  "content_position",
  "position_content",
  "position_position",
];

type TermFormulas = Readonly<Record<ExpansionRole, Formula>>;

const QK = "W_Q W_K^{\\top}";

/** Sinusoidal and learned encodings: x + p in every projection (Dai et al. 2019, section 3.3; Ke et al. 2021). */
export const FOUR_TERMS: Formula = {
  id: "absolute_expansion",
  tex: `\\begin{aligned}(x_i + p_i) ${QK} (x_j + p_j)^{\\top} ={}& x_i ${QK} x_j^{\\top} + x_i ${QK} p_j^{\\top} \\\\ &+ p_i ${QK} x_j^{\\top} + p_i ${QK} p_j^{\\top}\\end{aligned}`,
  text: "(x_i + p_i) W_Q · (x_j + p_j) W_K = x_i W_Q · x_j W_K + x_i W_Q · p_j W_K + p_i W_Q · x_j W_K + p_i W_Q · p_j W_K",
};

/** The terms of absolute encodings. */
export const GENERAL_TERMS: TermFormulas = {
  content_content: { id: "term_xx", tex: `x_i ${QK} x_j^{\\top}`, text: "x_i W_Q · x_j W_K" },
  content_position: { id: "term_xp", tex: `x_i ${QK} p_j^{\\top}`, text: "x_i W_Q · p_j W_K" },
  position_content: { id: "term_px", tex: `p_i ${QK} x_j^{\\top}`, text: "p_i W_Q · x_j W_K" },
  position_position: { id: "term_pp", tex: `p_i ${QK} p_j^{\\top}`, text: "p_i W_Q · p_j W_K" },
};

/** Changed terms of encodings that do not give their own. */
const CHANGED_TERMS: TermFormulas = {
  content_content: {
    id: "term_xx_transformed",
    tex: "\\mathbf{f}_i(x_i W_Q) \\cdot \\mathbf{f}_j(x_j W_K)",
    text: "f_i(x_i W_Q) · f_j(x_j W_K)",
  },
  content_position: { id: "term_xr", tex: "x_i W_Q\\,\\mathbf{r}_{ij}^{\\top}", text: "x_i W_Q · r_ij" },
  position_content: { id: "term_rx", tex: "\\mathbf{r}_{ij}\\,W_K^{\\top} x_j^{\\top}", text: "r_ij · x_j W_K" },
  position_position: { id: "term_bias", tex: "\\mathbf{b}_{h,\\,ij}", text: "b(h, i, j)" },
};

/** RoPE and its family: R in the middle of the first term. */
export const ROTATED_TERM: Formula = {
  id: "term_rotated",
  tex: "x_i W_Q\\,\\mathbf{R}_{j-i}\\,W_K^{\\top} x_j^{\\top}",
  text: "x_i W_Q R(j − i) · x_j W_K",
};

export const ROTATION_STEPS: Localized = {
  en: "p is no longer added. Query and key are rotated by their own positions, Rᵢ and Rⱼ, and in their product only R of the difference is left: one term instead of four.",
  zh: "不再相加 p。查询与键各按自己的位置旋转（Rᵢ、Rⱼ），乘积里只剩位置之差的 R：四项变成一项。",
};

const ALL_KEPT: Localized = {
  en: "p is added before the projections, so all four terms arise. Only the first is free of position; relative encodings change the other three.",
  zh: "p 在投影之前相加，于是出现全部四项。只有第一项与位置无关，相对编码改动的是其余三项。",
};
const TRANSFORMED: Localized = {
  en: "Positions are not added: they transform the vectors themselves, so only the first term is left, and it is changed.",
  zh: "位置不再是加数，而是作用在向量本身：只剩第一项，并且被改变。",
};
const BIASED: Localized = {
  en: "Content and position are decoupled: both middle terms, where words meet positions, are dropped. The last depends on no word and became a bias.",
  zh: "内容与位置解耦：去掉词与位置相乘的中间两项；最后一项与词无关，换成偏置。",
};
const BY_DISTANCE: Localized = {
  en: "pᵢ is dropped, and the third and fourth terms with it. pⱼ became a vector of the distance.",
  zh: "去掉 pᵢ，第三、四项随之消失；pⱼ 换成距离的向量。",
};
const WITHOUT_POSITION: Localized = {
  en: "Without p, only the first term is left: nothing in it knows where a word is.",
  zh: "没有 p，只剩第一项：其中没有任何东西知道词在何处。",
};

/** The steps in words from the four terms to the encoding. */
export function expansionSteps({ expansion, effect }: Pick<Encoding, "expansion" | "effect">): Localized {
  if (expansion !== undefined) return expansion.steps;
  if (effect.content_content === "changed") return TRANSFORMED;
  if (effect.position_position === "changed") return BIASED;
  if (effect.content_position === "changed") return BY_DISTANCE;
  return effect.position_position === "kept" ? ALL_KEPT : WITHOUT_POSITION;
}

export interface ExpansionTerm {
  readonly role: ExpansionRole;
  readonly effect: TermEffect;
  /** The term as the encoding has it; if it is dropped, as absolute encodings have it. */
  readonly formula: Formula;
}

/**
 * What the encoding makes of each of the four terms.
 * @param present roles of the terms that it has with its parameters: DeBERTa can leave one out, Shaw can add one
 */
export function resolveExpansion(
  { expansion, effect }: Pick<Encoding, "expansion" | "effect">,
  present: ReadonlySet<ExpansionRole>,
): readonly ExpansionTerm[] {
  return EXPANSION_ROLES.map((role) => {
    if (!present.has(role)) return { role, effect: "dropped", formula: GENERAL_TERMS[role] };
    if (effect[role] === "kept") return { role, effect: "kept", formula: GENERAL_TERMS[role] };
    return { role, effect: "changed", formula: expansion?.terms[role] ?? CHANGED_TERMS[role] };
  });
}

/** What reaches the output of attention: positions in the values, vectors of distances added to them, or neither. */
export const VALUE_FORMULAS = {
  input: {
    id: "values_input",
    tex: "o_i = \\sum_j a_{ij}\\,(x_j + p_j)\\,W_V = \\sum_j a_{ij}\\,x_j W_V + \\sum_j a_{ij}\\,p_j W_V",
    text: "o_i = Σ_j a_ij (x_j + p_j) W_V = Σ_j a_ij x_j W_V + Σ_j a_ij p_j W_V",
  },
  distance: {
    id: "values_distance",
    tex: "o_i = \\sum_j a_{ij}\\,(v_j + \\mathbf{a}^V_{c(j-i)}) = \\sum_j a_{ij}\\,v_j + \\sum_j a_{ij}\\,\\mathbf{a}^V_{c(j-i)}",
    text: "o_i = Σ_j a_ij (v_j + aV[c(j − i)]) = Σ_j a_ij v_j + Σ_j a_ij aV[c(j − i)]",
  },
  plain: { id: "values_plain", tex: "o_i = \\sum_j a_{ij}\\,x_j W_V", text: "o_i = Σ_j a_ij x_j W_V" },
} satisfies Record<string, Formula>;

/** All formulas above, for the compiler. */
export const SHARED_EXPANSION_FORMULAS: readonly Formula[] = [
  FOUR_TERMS,
  ...Object.values(GENERAL_TERMS),
  ...Object.values(CHANGED_TERMS),
  ...Object.values(VALUE_FORMULAS),
];

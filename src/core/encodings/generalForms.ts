import type { Localized } from "../l10n/l10n.ts";
import { ownValue } from "../util/ownValue.ts";
import type { Classification, Formula, Paper } from "./encoding.ts";
import { FOUR_TERMS } from "./support/expansion.ts";

/**
 * Forms that several encodings share. Formulas and code are read as one of them where they do not say which encoding
 * they are; the panel then shows the encoding that is closest.
 */
export interface GeneralForm {
  readonly id: "absolute_expansion" | "relative_general";
  readonly name: Localized;
  readonly summary: Localized;
  readonly formula: Formula;
  readonly classification: Pick<Classification, "actsOn" | "kind" | "trained">;
  /** Id of the encoding whose panel shows the form. */
  readonly shownAs: string;
  readonly papers: readonly Paper[];
}

export const ABSOLUTE_EXPANSION = "absolute_expansion";
export const RELATIVE_GENERAL = "relative_general";

const FORMS: Readonly<Record<GeneralForm["id"], GeneralForm>> = {
  absolute_expansion: {
    id: ABSOLUTE_EXPANSION,
    name: { en: "Absolute position, expanded", zh: "绝对位置的展开式" },
    summary: {
      en: "The position vector is added to the input, so a score has four terms: content with content, content with position, position with content, position with position. Relative encodings change or drop the last three.",
      zh: "位置向量加在输入上，因此分数有四项：内容×内容、内容×位置、位置×内容、位置×位置。相对位置编码改动或去掉后三项。",
    },
    formula: FOUR_TERMS,
    classification: { actsOn: "input", kind: "absolute", trained: "either" },
    shownAs: "learned_absolute",
    papers: [{ title: "Attention Is All You Need", arxiv: "1706.03762", year: 2017 }],
  },
  relative_general: {
    id: RELATIVE_GENERAL,
    name: { en: "Relative position, general form", zh: "相对位置的一般形式" },
    summary: {
      en: "A vector for the distance between query and key is multiplied with the query, the key, or both, and the product is added to the score.",
      zh: "为查询与键之间的距离设一个向量，与查询、键或两者相乘，再把乘积加到分数上。",
    },
    formula: {
      id: "relative_general",
      tex: "q_i \\cdot k_j + q_i \\cdot r_{i-j} + k_j \\cdot r_{i-j}",
      text: "q_i · k_j + q_i · r_(i−j) + k_j · r_(i−j)",
    },
    classification: { actsOn: "scores", kind: "relative", trained: "either" },
    shownAs: "shaw",
    papers: [{ title: "Self-Attention with Relative Position Representations", arxiv: "1803.02155", year: 2018 }],
  },
};

export const GENERAL_FORMS: readonly GeneralForm[] = Object.values(FORMS);

export function generalFormById(id: string): GeneralForm | undefined {
  return ownValue<GeneralForm>(FORMS, id);
}

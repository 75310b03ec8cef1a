import type { Localized } from "../../l10n/l10n.ts";

/** Notes for the Precision view that several encodings share. */

export const NO_POSITIONS_TO_ROUND: Localized = {
  en: "This encoding has no positions to round.",
  zh: "这种编码没有需要舍入的位置。",
};

export const ACCUMULATED_POSITIONS: Localized = {
  en: "A position is a sum over all previous tokens that depends on content or trained weights, so its rounding error has no formula.",
  zh: "位置由之前所有词元累加而来，取决于内容或训练的权重，因此舍入误差没有公式。",
};

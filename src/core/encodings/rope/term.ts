import * as l10n from "@vscode/l10n";
import type { Localized } from "../../l10n/l10n.ts";
import type { Params } from "../../spec.ts";
import type { Scene } from "../../terms/scene.ts";
import type { Factor, ProductTerm } from "../../terms/term.ts";
import { ParamError } from "../../util/errors.ts";
import { getNumber } from "../support/schema.ts";

export const ROTATED_TERM_NAME: Localized = { en: "content · content, rotated", zh: "内容 · 内容（旋转后）" };

/**
 * Rows of a head.
 * @throws ParamError if their length is not `head_dim`
 */
export function readHeadRows(scene: Scene, params: Params, which: "q" | "k"): Factor {
  const dim = getNumber(params, "head_dim");
  const rows = scene.content.rows(which, scene.head, dim);
  if (rows.dim !== dim) {
    const rule = l10n.t("must equal the length of the given vectors ({0})", rows.dim);
    throw new ParamError({ param: "head_dim", value: dim, rule });
  }
  return rows;
}

/** The only term of a rotation: content · content with both factors rotated. */
export function buildRotatedTerm(
  query: Factor,
  key: Factor,
  scale: Pick<ProductTerm, "scale" | "scaleParts">,
  profile?: (delta: number) => number,
): ProductTerm {
  return {
    kind: "product",
    id: "content",
    role: "content_content",
    name: ROTATED_TERM_NAME,
    ...scale,
    query,
    key,
    ...(profile === undefined ? {} : { profile }),
  };
}

/** 1/√dim, with the text that readouts show. */
export function inverseRootScale(dim: number): Pick<ProductTerm, "scale" | "scaleParts"> {
  const scale = 1 / Math.sqrt(dim);
  return { scale, scaleParts: [{ value: scale, text: `1/√${dim}` }] };
}

import { t } from "@vscode/l10n";
import type { Localized } from "../../l10n/l10n.ts";
import type { Params } from "../../spec.ts";
import type { Factor, ProductTerm } from "../../terms/term.ts";
import { ParamError } from "../../util/errors.ts";
import type { Scene } from "../encoding.ts";
import { numberOf } from "../support/schema.ts";

export const ROTATED_NAME: Localized = { en: "content · content, rotated", zh: "内容 · 内容（旋转后）" };

/** Rows of a head, checked against `head_dim`. */
export function headRows(scene: Scene, params: Params, which: "q" | "k"): Factor {
  const dim = numberOf(params, "head_dim");
  const rows = scene.content.rows(which, scene.head, dim);
  if (rows.dim !== dim) {
    const rule = t("must equal the length of the given vectors ({0})", rows.dim);
    throw new ParamError({ param: "head_dim", value: dim, rule });
  }
  return rows;
}

/** The one term of a rotation: content · content, of which both factors are turned. */
export function rotatedTerm(
  query: Factor,
  key: Factor,
  scale: Pick<ProductTerm, "scale" | "scaleParts">,
  profile?: (delta: number) => number,
): ProductTerm {
  return {
    kind: "product",
    id: "content",
    role: "content_content",
    name: ROTATED_NAME,
    ...scale,
    query,
    key,
    ...(profile === undefined ? {} : { profile }),
  };
}

/** 1/√dim, as readouts write it. */
export function rootScale(dim: number): Pick<ProductTerm, "scale" | "scaleParts"> {
  const scale = 1 / Math.sqrt(dim);
  return { scale, scaleParts: [{ value: scale, text: `1/√${dim}` }] };
}

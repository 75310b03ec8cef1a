import type { Params } from "../spec.ts";
import type { Scene } from "../terms/scene.ts";
import { withSoftmaxScale } from "../terms/softmaxScale.ts";
import type { Attention } from "../terms/term.ts";
import type { Encoding } from "./encoding.ts";

/** Builds the attention of one head from checked parameters and a scene. */
export function buildAttention(
  encoding: Encoding,
  params: Params,
  scene: Scene,
  mask: Attention["mask"],
  extraLogit?: number,
): Attention {
  const valueTerm = encoding.valueTerm?.(params, scene);
  const terms = encoding.terms(params, scene);
  return {
    queryLength: scene.queryLength,
    keyLength: scene.keyLength,
    deltaOffset: scene.keyLength - scene.queryLength,
    terms: scene.softmaxScale === undefined ? terms : withSoftmaxScale(terms, scene.softmaxScale),
    mask,
    ...(extraLogit === undefined ? {} : { extraLogit }),
    ...(valueTerm === undefined ? {} : { valueTerm }),
  };
}

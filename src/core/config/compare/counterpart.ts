import type { EncodingSpec } from "../../spec.ts";

function layersKey({ layers }: EncodingSpec): string {
  return layers === "all" ? "all" : layers.join(",");
}

/**
 * Finds the encoding of another config to compare with: same stack, if possible same layers, then same encoding.
 * @returns an index into `others`; 0 if nothing matches
 */
export function findCounterpart(spec: EncodingSpec, others: readonly EncodingSpec[]): number {
  const score = (other: EncodingSpec) =>
    (other.where === spec.where ? 4 : 0) +
    (layersKey(other) === layersKey(spec) ? 2 : 0) +
    (other.encoding === spec.encoding ? 1 : 0);
  let best = 0;
  others.forEach((other, n) => {
    const known = others[best];
    if (known !== undefined && score(other) > score(known)) best = n;
  });
  return best;
}

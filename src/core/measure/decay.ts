import { buildAttention } from "../encodings/buildAttention.ts";
import type { Encoding } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";
import { onesContent } from "../terms/content.ts";
import { indexRange, logitMatrix } from "../terms/engine.ts";
import type { Scene } from "../terms/scene.ts";

const RELATIVE_KINDS: ReadonlySet<Encoding["classification"]["kind"]> = new Set(["relative", "both"]);

/** Distances to search, nearest first: most encodings have decayed within the first. */
const SEARCHED_DISTANCES = [256, 4096] as const;

export interface HalfDecay {
  /** First distance at which half is lost; undefined if none is within `searchedDistance`. */
  readonly distance: number | undefined;
  readonly searchedDistance: number;
}

/**
 * Distance at which position has removed half of the content's contribution, for two equal tokens (content of ones,
 * head 0): RoFormer's long-term decay, arXiv 2104.09864 §3.4.3, as one number. Relative to the logit at distance 0, so
 * constants added to a whole row do not count.
 * @returns undefined for encodings that are not relative in effect, that need whole rows, or that have trained weights
 */
export function measureHalfDecay(encoding: Encoding, params: Params): HalfDecay | undefined {
  const domain = encoding.domain(params);
  if (!encoding.cellsAreIndependent || domain.kind === "recursive" || encoding.learnedArrays.length > 0)
    return undefined;
  if (!RELATIVE_KINDS.has(encoding.classification.kind) || encoding.patchGrid?.(params) !== undefined) return undefined;
  const lastPosition = domain.kind === "table" ? domain.size - 1 : Number.POSITIVE_INFINITY;
  let reach = 0;
  for (const distanceLimit of SEARCHED_DISTANCES) {
    reach = Math.min(distanceLimit, lastPosition);
    const distance = findHalfDecay(computeLastRow(encoding, params, reach));
    if (distance !== undefined) return { distance, searchedDistance: reach };
  }
  return { distance: undefined, searchedDistance: reach };
}

function findHalfDecay({ logits, content }: LastRow): number | undefined {
  const index = logits.findIndex((logit) => logit <= (logits[0] ?? 0) - content / 2);
  return content > 0 && index > 0 ? index : undefined;
}

interface LastRow {
  /** By distance: logits of the last query. */
  readonly logits: Float64Array;
  /** The content's contribution at distance 0. */
  readonly content: number;
}

function computeLastRow(encoding: Encoding, params: Params, reach: number): LastRow {
  const lengths = { queryLength: reach + 1, keyLength: reach + 1 };
  const scene: Scene = { ...lengths, shift: 0, head: 0, centre: reach / 2, content: onesContent, inputs: {} };
  const attention = buildAttention(encoding, params, scene, { causal: true });
  const others = attention.terms.filter(({ role }) => role !== "content_content").map(({ id }) => id);
  const [content = 0] = logitMatrix(attention, [reach], [reach], others);
  return { logits: logitMatrix(attention, [reach], indexRange(0, reach + 1)).reverse(), content };
}

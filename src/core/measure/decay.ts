import { attentionOf, type Encoding, type Scene } from "../encodings/encoding.ts";
import type { Params } from "../spec.ts";
import { onesContent } from "../terms/content.ts";
import { indexRange, logitMatrix } from "../terms/engine.ts";

const RELATIVE: ReadonlySet<Encoding["classification"]["kind"]> = new Set(["relative", "both"]);

/** Distances that are looked at: near ones first, because most encodings have fallen by then. */
const REACHES = [256, 4096] as const;

export interface Decay {
  /** The first distance at which half of it is lost; undefined if it is not within `reach`. */
  readonly distance: number | undefined;
  readonly reach: number;
}

/**
 * How far two equal tokens (content of ones, head 0) may stand apart before position has taken half of what their
 * content gives: "long-term decay" in RoFormer, arXiv 2104.09864 §3.4.3, as one number. Measured from the logit at
 * distance 0, so that what is added to a whole row does not count.
 * @returns undefined for encodings that are not relative in effect, that need whole rows, or whose weights are trained
 */
export function decayOf(encoding: Encoding, params: Params): Decay | undefined {
  const domain = encoding.domain(params);
  if (!encoding.local || domain.kind === "recursive" || encoding.learned.length > 0) return undefined;
  if (!RELATIVE.has(encoding.classification.kind) || encoding.grid?.(params) !== undefined) return undefined;
  const most = domain.kind === "table" ? domain.size - 1 : Number.POSITIVE_INFINITY;
  let reach = 0;
  for (const wanted of REACHES) {
    reach = Math.min(wanted, most);
    const distance = firstBelow(logitsOfLast(encoding, params, reach));
    if (distance !== undefined) return { distance, reach };
  }
  return { distance: undefined, reach };
}

function firstBelow({ logits, content }: Row): number | undefined {
  const found = logits.findIndex((logit) => logit <= (logits[0] ?? 0) - content / 2);
  return content > 0 && found > 0 ? found : undefined;
}

interface Row {
  /** By distance: of the last query against the keys before it. */
  readonly logits: Float64Array;
  /** What content alone gives at distance 0. */
  readonly content: number;
}

function logitsOfLast(encoding: Encoding, params: Params, reach: number): Row {
  const lengths = { queryLength: reach + 1, keyLength: reach + 1 };
  const scene: Scene = { ...lengths, shift: 0, head: 0, centre: reach / 2, content: onesContent, inputs: {} };
  const attention = attentionOf(encoding, params, scene, { causal: true });
  const others = attention.terms.filter(({ role }) => role !== "content_content").map(({ id }) => id);
  const [content = 0] = logitMatrix(attention, [reach], [reach], others);
  return { logits: logitMatrix(attention, [reach], indexRange(0, reach + 1)).reverse(), content };
}

import type { Attention, Mask, TermRegion } from "./term.ts";

/** Whether a cell is within a term's region. */
export function inRegion(region: TermRegion | undefined, i: number, j: number, delta: number): boolean {
  if (region === undefined) return true;
  if (region.deltaFrom !== undefined && delta < region.deltaFrom) return false;
  if (region.deltaTo !== undefined && delta >= region.deltaTo) return false;
  if (region.query !== undefined && (region.query === "first") !== (i === 0)) return false;
  if (region.key !== undefined && (region.key === "first") !== (j === 0)) return false;
  return true;
}

/** Half-open range of keys. */
export interface KeyRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The keys that query i may see, as at most two ascending ranges (kept first tokens and the window). All masking is
 * decided here, for drawing, row normalisers and readouts.
 */
export function visibleKeys(attention: Pick<Attention, "mask" | "queryLength" | "keyLength">, i: number): KeyRange[] {
  const { mask, keyLength } = attention;
  const ownKey = i + keyLength - attention.queryLength;
  const limit = mask.causal === true ? Math.min(ownKey + 1, keyLength) : keyLength;
  const windowKeys = windowRange(mask, ownKey, limit);
  const keptCount = mask.keepFirst === undefined ? 0 : Math.min(mask.keepFirst, limit, windowKeys.from);
  const ranges = keptCount > 0 ? [{ from: 0, to: keptCount }, windowKeys] : [windowKeys];
  const bounds = documentBounds(mask, ownKey, keyLength);
  return ranges
    .map(({ from, to }) => ({ from: Math.max(from, bounds.from), to: Math.min(to, bounds.to) }))
    .filter((range) => range.to > range.from);
}

/** The keys that padding and packing leave visible, regardless of the window. */
function documentBounds({ padding = 0, documents }: Mask, ownKey: number, keyLength: number): KeyRange {
  if (documents === undefined) return { from: padding, to: keyLength };
  const period = documents.reduce((sum, length) => sum + length, 0);
  let from = Math.floor(ownKey / period) * period;
  for (const length of documents) {
    if (ownKey < from + length) return { from: Math.max(from, padding), to: Math.min(from + length, keyLength) };
    from += length;
  }
  return { from: padding, to: keyLength };
}

function windowRange(mask: Mask, ownKey: number, limit: number): KeyRange {
  let from = 0;
  let to = limit;
  if (mask.window !== undefined) {
    // transformers includes the token itself in the width of a causal window, but not of a two-sided one
    // (masking_utils).
    from = Math.max(from, mask.causal === true ? ownKey - mask.window + 1 : ownKey - mask.window);
    if (mask.causal !== true) to = Math.min(to, ownKey + mask.window + 1);
  }
  if (mask.chunk !== undefined) {
    const start = Math.floor(ownKey / mask.chunk) * mask.chunk;
    from = Math.max(from, start);
    to = Math.min(to, start + mask.chunk);
  }
  return { from, to };
}

/** Whether query i may see key j. */
export function isVisible(
  attention: Pick<Attention, "mask" | "queryLength" | "keyLength">,
  i: number,
  j: number,
): boolean {
  return visibleKeys(attention, i).some((range) => j >= range.from && j < range.to);
}

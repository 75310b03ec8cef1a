import type { Attention, Mask, Region } from "./term.ts";

/** Whether a term holds at a cell. */
export function inRegion(region: Region | undefined, i: number, j: number, delta: number): boolean {
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
 * The keys that query i may see, as at most two ascending ranges (kept first tokens and the window).
 * The one place where masks are decided; drawing, normalisers and readouts all ask here.
 */
export function visibleKeys(attention: Pick<Attention, "mask" | "queryLength" | "keyLength">, i: number): KeyRange[] {
  const { mask, keyLength } = attention;
  const own = i + keyLength - attention.queryLength;
  const limit = mask.causal === true ? Math.min(own + 1, keyLength) : keyLength;
  const main = windowRange(mask, own, limit);
  const kept = mask.keepFirst === undefined ? 0 : Math.min(mask.keepFirst, limit, main.from);
  const ranges = kept > 0 ? [{ from: 0, to: kept }, main] : [main];
  const bounds = boundsOf(mask, own, keyLength);
  return ranges
    .map(({ from, to }) => ({ from: Math.max(from, bounds.from), to: Math.min(to, bounds.to) }))
    .filter((range) => range.to > range.from);
}

/** What padding and packing leave of the keys, whatever the window. */
function boundsOf({ padding = 0, documents }: Mask, own: number, keyLength: number): KeyRange {
  if (documents === undefined) return { from: padding, to: keyLength };
  const all = documents.reduce((sum, length) => sum + length, 0);
  let from = Math.floor(own / all) * all;
  for (const length of documents) {
    if (own < from + length) return { from: Math.max(from, padding), to: Math.min(from + length, keyLength) };
    from += length;
  }
  return { from: padding, to: keyLength };
}

function windowRange(mask: Mask, own: number, limit: number): KeyRange {
  let from = 0;
  let to = limit;
  if (mask.window !== undefined) {
    // transformers counts the token itself in a causal window, and not in a two-sided one (masking_utils).
    from = Math.max(from, mask.causal === true ? own - mask.window + 1 : own - mask.window);
    if (mask.causal !== true) to = Math.min(to, own + mask.window + 1);
  }
  if (mask.chunk !== undefined) {
    const start = Math.floor(own / mask.chunk) * mask.chunk;
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

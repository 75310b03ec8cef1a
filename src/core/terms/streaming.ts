import { indexRange } from "./engine.ts";
import { visibleKeys } from "./region.ts";
import type { Attention } from "./term.ts";

/**
 * Contents of a StreamingLLM cache when query i is computed (Xiao et al. 2023, section 3.2): the first keys, the last
 * ones, and their positions INSIDE the cache, which RoPE and ALiBi then use.
 */
export function streamingCache(
  attention: Pick<Attention, "mask" | "queryLength" | "keyLength">,
  i: number,
): { readonly keys: number[]; readonly positions: number[] } {
  const keys = visibleKeys(attention, i).flatMap((range) => indexRange(range.from, range.to));
  return { keys, positions: keys.map((_, position) => position) };
}

import { formatNumber } from "./formatNumber.ts";
import type { HoverFact } from "./hoverMarkdown.ts";
import type { KeyContext } from "./keyContext.ts";

/** Reads and formats the numbers of a key's encoding. */

export function keyNumber({ params }: KeyContext, name: string): number | null {
  const value = params[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function optionalNote(note: string | undefined): Pick<HoverFact, "note"> {
  return note === undefined ? {} : { note };
}

/** Rounded to four significant digits. */
export function formatShort(value: number): string {
  return formatNumber(Number(value.toPrecision(4)));
}

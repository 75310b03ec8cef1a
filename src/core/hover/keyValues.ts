import type { KeyContext } from "./keyContext.ts";
import type { Fact } from "./markdown.ts";
import { readable } from "./numbers.ts";

/** Numbers of a key's encoding, and how facts write them. */

export function num({ params }: KeyContext, name: string): number | null {
  const value = params[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function noteOf(note: string | undefined): Pick<Fact, "note"> {
  return note === undefined ? {} : { note };
}

/** Four figures are enough to recognise a number by. */
export function short(value: number): string {
  return readable(Number(value.toPrecision(4)));
}

import type { Sourced } from "../attributes.ts";

/** One dictionary of RoPE parameters after transformers' standardisation, each value with its source. */
export type RopeParameters = ReadonlyMap<string, Sourced>;

/** The same while it is being made. */
export type Dictionary = Map<string, Sourced>;

/** A value that the class brings. */
export function byDefault(value: unknown): Sourced {
  return { value, source: "default" };
}

/** Python's `dict.setdefault`: what stands there stays. */
export function setDefault(dictionary: Dictionary, name: string, found: Sourced | undefined): void {
  if (found !== undefined && !dictionary.has(name)) dictionary.set(name, found);
}

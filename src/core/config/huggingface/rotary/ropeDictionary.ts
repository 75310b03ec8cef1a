import type { Sourced } from "../attributes.ts";

/** RoPE parameters after transformers' standardisation, each with its source. */
export type RopeParameters = ReadonlyMap<string, Sourced>;

/** RoPE parameters while they are being built. */
export type MutableRopeParameters = Map<string, Sourced>;

/** A default of the class. */
export function defaultValue(value: unknown): Sourced {
  return { value, source: "default" };
}

/** Python's `dict.setdefault`: existing values stay. */
export function setDefault(dictionary: MutableRopeParameters, name: string, found: Sourced | undefined): void {
  if (found !== undefined && !dictionary.has(name)) dictionary.set(name, found);
}

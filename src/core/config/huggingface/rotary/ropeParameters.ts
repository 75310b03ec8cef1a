import type { Attributes } from "../attributes.ts";
import { convertRope } from "./conversions.ts";
import { byDefault, type Dictionary, type RopeParameters, setDefault } from "./ropeDictionary.ts";

/**
 * `config.rope_parameters` as transformers 5.18 has it after loading and building the model
 * (modeling_rope_utils.py, RotaryEmbeddingConfigMixin, and the classes that redefine a step).
 */
export interface StandardRope {
  /** The parameters of a layer; null for a layer type that is written as null: no RoPE. */
  of(layerType: string | null): RopeParameters | null;
}

/**
 * @param labels layer types of the model, which decide whether `rope_parameters` is nested
 */
export function standardRope(attributes: Attributes, labels: readonly string[]): StandardRope {
  const { flat, nested } = convertRope(attributes, labels);
  for (const dictionary of nested?.values() ?? [flat]) {
    if (dictionary !== null && dictionary !== undefined) standardise(attributes, dictionary, nested === undefined);
  }
  if (nested === undefined) return { of: () => flat ?? new Map() };
  return {
    of: (layerType) => {
      const own = nested.get(layerType ?? "");
      return own !== undefined ? own : ([...nested.values()].find((dictionary) => dictionary !== null) ?? new Map());
    },
  };
}

function standardise(attributes: Attributes, dictionary: Dictionary, isFlat: boolean): void {
  setDefault(dictionary, "rope_type", dictionary.get("type") ?? byDefault("default"));
  // YaRN looks for it in the outer dictionary, and these are inner ones.
  if (!isFlat) dictionary.delete("truncate");
  // Classes with dictionaries of their own take the fraction from there alone.
  if (attributes.type.s !== "as_written")
    setDefault(dictionary, "partial_rotary_factor", attributes.valueOrDefault("partial_rotary_factor"));
  if (attributes.type.a === 1 && dictionary.get("rope_type")?.value === "default")
    dictionary.set("rope_type", byDefault("axial"));
  // "su" is LongRoPE's first name, in the code that came with Phi-3 and its like.
  if (!["llama3", "yarn", "longrope", "su"].includes(String(dictionary.get("rope_type")?.value))) return;
  const name = "original_max_position_embeddings";
  const top = attributes.get(name);
  if (isFlat && top !== undefined && top.value !== null) dictionary.set(name, top);
  const longest = attributes.valueOrDefault("max_position_embeddings");
  if (longest !== undefined) setDefault(dictionary, name, { value: longest.value, source: "default" });
}

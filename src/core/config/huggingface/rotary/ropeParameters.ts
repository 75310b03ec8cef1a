import type { ConfigAttributes } from "../attributes.ts";
import { convertRope } from "./conversions.ts";
import { defaultValue, type MutableRopeParameters, type RopeParameters, setDefault } from "./ropeDictionary.ts";

/**
 * `config.rope_parameters` in transformers 5.18 after loading and building the model (modeling_rope_utils.py,
 * RotaryEmbeddingConfigMixin, and the classes that override a step).
 */
export interface StandardisedRope {
  /** The parameters of a layer; null if its layer type is null in the file, which means no RoPE. */
  forLayerType(layerType: string | null): RopeParameters | null;
}

/**
 * Standardises the RoPE parameters of a configuration.
 * @param labels layer types of the model, which decide whether `rope_parameters` is nested
 */
export function standardiseRope(attributes: ConfigAttributes, labels: readonly string[]): StandardisedRope {
  const { flat, nested } = convertRope(attributes, labels);
  for (const dictionary of nested?.values() ?? [flat]) {
    if (dictionary !== null && dictionary !== undefined)
      standardiseDictionary(attributes, dictionary, nested === undefined);
  }
  if (nested === undefined) return { forLayerType: () => flat ?? new Map() };
  return {
    forLayerType: (layerType) => {
      const own = nested.get(layerType ?? "");
      return own !== undefined ? own : ([...nested.values()].find((dictionary) => dictionary !== null) ?? new Map());
    },
  };
}

function standardiseDictionary(attributes: ConfigAttributes, dictionary: MutableRopeParameters, isFlat: boolean): void {
  setDefault(dictionary, "rope_type", dictionary.get("type") ?? defaultValue("default"));
  // YaRN reads it from the outer dictionary, and these are inner ones.
  if (!isFlat) dictionary.delete("truncate");
  // Classes with nested dictionaries read the fraction only there.
  if (attributes.type.ropeConversion !== "as_written")
    setDefault(dictionary, "partial_rotary_factor", attributes.valueOrDefault("partial_rotary_factor"));
  if (attributes.type.defaultsToAxial === true && dictionary.get("rope_type")?.value === "default")
    dictionary.set("rope_type", defaultValue("axial"));
  // "su" is the first name of LongRoPE, in the remote code of Phi-3 and similar models.
  if (!["llama3", "yarn", "longrope", "su"].includes(String(dictionary.get("rope_type")?.value))) return;
  const name = "original_max_position_embeddings";
  const top = attributes.get(name);
  if (isFlat && top !== undefined && top.value !== null) dictionary.set(name, top);
  const longest = attributes.valueOrDefault("max_position_embeddings");
  if (longest !== undefined) setDefault(dictionary, name, { value: longest.value, source: "default" });
}

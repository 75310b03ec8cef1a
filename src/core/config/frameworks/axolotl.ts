import { SpecBuilder } from "../specBuilder.ts";
import { attributesOf, hasAny, type YamlReader } from "./yamlReader.ts";

/** Where an axolotl file may change the model's RoPE, the documented place first. */
const PLACES = ["overrides_of_model_config.rope_scaling", "model_config.rope_scaling", "rope_scaling"];

const SCALING_NUMBERS = [
  "factor",
  "original_max_position_embeddings",
  "beta_fast",
  "beta_slow",
  "attention_factor",
  "low_freq_factor",
  "high_freq_factor",
];

/** axolotl's files: they change another model's configuration, so that the rest of it is not known from here. */
export const axolotl: YamlReader = {
  matches: (section) =>
    section.has("base_model") &&
    hasAny(section, "datasets", "sequence_len", "adapter", "micro_batch_size", "overrides_of_model_config"),
  read: (section, report) => {
    const scaling = PLACES.map((path) => section.section(path)).find((found) => found !== undefined);
    const top = attributesOf(section.section("overrides_of_model_config") ?? section.section("model_config"), report);
    if (scaling === undefined && top.fromFile("rope_theta") === undefined) return [];
    const attributes = attributesOf(scaling, report);
    const builder = new SpecBuilder();
    builder.set("rope_type", attributes.fromFile("rope_type") ?? attributes.fromFile("type"));
    builder.set("rope_theta", top.valueOrDefault("rope_theta"));
    for (const key of SCALING_NUMBERS) builder.set(key, attributes.valueOrDefault(key));
    return [builder.build("rope", "text", "all", "guess")];
  },
};

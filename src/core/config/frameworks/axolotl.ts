import { SpecBuilder } from "../specBuilder.ts";
import { hasAny, type YamlReader, yamlAttributes } from "./yamlReader.ts";

/** Where an axolotl file may change the model's RoPE, documented location first. */
const SCALING_PATHS = ["overrides_of_model_config.rope_scaling", "model_config.rope_scaling", "rope_scaling"];

const SCALING_NUMBER_KEYS = [
  "factor",
  "original_max_position_embeddings",
  "beta_fast",
  "beta_slow",
  "attention_factor",
  "low_freq_factor",
  "high_freq_factor",
];

/** axolotl's files change another model's configuration, whose other values are unknown here. */
export const axolotl: YamlReader = {
  matches: (section) =>
    section.has("base_model") &&
    hasAny(section, "datasets", "sequence_len", "adapter", "micro_batch_size", "overrides_of_model_config"),
  read: (section, report) => {
    const scaling = SCALING_PATHS.map((path) => section.section(path)).find((found) => found !== undefined);
    const top = yamlAttributes(section.section("overrides_of_model_config") ?? section.section("model_config"), report);
    if (scaling === undefined && top.fromFile("rope_theta") === undefined) return [];
    const attributes = yamlAttributes(scaling, report);
    const builder = new SpecBuilder();
    builder.set("rope_type", attributes.fromFile("rope_type") ?? attributes.fromFile("type"));
    builder.set("rope_theta", top.valueOrDefault("rope_theta"));
    for (const key of SCALING_NUMBER_KEYS) builder.set(key, attributes.valueOrDefault(key));
    return [builder.build("rope", "text", "all", "guess")];
  },
};

import { SpecBuilder } from "../specBuilder.ts";
import { type Framework, hasAny } from "./framework.ts";
import { defaultValue } from "./frameworkModel.ts";

/** Where an axolotl file may change the model's RoPE, documented location first. */
const OVERRIDES = ["overrides_of_model_config", "model_config"];
const inOverrides = (key: string) => OVERRIDES.map((name) => `${name}.${key}`);
const inScaling = (key: string) => [...inOverrides(`rope_scaling.${key}`), `rope_scaling.${key}`];

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
export const axolotl: Framework = {
  format: "axolotl-yaml",
  reference: "axolotl-ai-cloud/axolotl: src/axolotl/loaders/utils.py, src/axolotl/utils/schemas/deprecated.py",
  signs: ["base_model"],
  findModels: (root) =>
    root.has("base_model") &&
    hasAny(root, "datasets", "sequence_len", "adapter", "micro_batch_size", "overrides_of_model_config")
      ? [{ section: root, isComplete: false }]
      : undefined,
  keys: {
    rope_theta: inOverrides("rope_theta"),
    rope_type: [...inScaling("rope_type"), ...inScaling("type")],
    ...Object.fromEntries(SCALING_NUMBER_KEYS.map((key) => [key, inScaling(key)])),
  },
  readModel: (model) => {
    const type = model.get("rope_type");
    const theta = model.number("rope_theta");
    if (theta === undefined && type === undefined && !model.isWritten("factor")) return [];
    const builder = new SpecBuilder().set("rope_theta", theta);
    builder.set("rope_type", type ?? (model.isWritten("factor") ? undefined : defaultValue("default")));
    for (const key of SCALING_NUMBER_KEYS) builder.set(key, model.number(key));
    return [model.build(builder, "rope")];
  },
};

import { SpecBuilder } from "../specBuilder.ts";
import { hasAny, type YamlReader } from "./yamlReader.ts";

/** LLaMA-Factory's files: `rope_scaling` is a string; the factor follows from `cutoff_len` and the model. */
export const llamaFactory: YamlReader = {
  matches: (section) =>
    section.has("model_name_or_path") &&
    hasAny(section, "stage", "finetuning_type", "cutoff_len", "template", "rope_scaling"),
  read: (section) => {
    const found = section.get("rope_scaling");
    if (typeof found?.value !== "string") return [];
    const builder = new SpecBuilder().set("rope_type", { ...found, source: "config" });
    return [builder.build("rope", "text", "all", "guess")];
  },
};

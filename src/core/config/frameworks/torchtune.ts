import type { Sourced } from "../huggingface/attributes.ts";
import { defaultValue, readSizes, setPartialRotation, type YamlReader, yamlAttributes } from "./yamlReader.ts";

/** Defaults of torchtune's model builders (torchtune/models/*). The first whose name occurs in `_component_` counts. */
interface ModelFamily {
  readonly builder: string;
  readonly theta: number;
  readonly layout: "half" | "interleaved";
  /** Llama 3's factor. */
  readonly factor?: number;
}

const MODEL_FAMILIES: readonly ModelFamily[] = [
  { builder: ".llama3_2", theta: 500_000, layout: "interleaved", factor: 32 },
  { builder: ".llama3_1", theta: 500_000, layout: "interleaved", factor: 8 },
  { builder: ".llama3_3", theta: 500_000, layout: "interleaved", factor: 8 },
  { builder: ".llama3", theta: 500_000, layout: "interleaved" },
  { builder: ".qwen", theta: 1_000_000, layout: "half" },
  { builder: ".phi", theta: 10_000, layout: "half" },
];

/** torchtune's recipes: a builder's name selects the model, and arguments override the builder's defaults. */
export const torchtune: YamlReader = {
  matches: (section) => section.section("model")?.string("_component_")?.includes("torchtune.") === true,
  read: (section, report) => {
    const attributes = yamlAttributes(section.section("model"), report);
    const component = attributes.section?.string("_component_") ?? "";
    const family = MODEL_FAMILIES.find(({ builder }) => component.includes(builder));
    const builder = readSizes(attributes, {
      heads: ["num_heads"],
      keyValueHeads: ["num_kv_heads"],
      layers: ["num_layers"],
      width: ["embed_dim"],
      headDim: ["head_dim"],
      length: ["max_seq_len"],
    });
    builder.set("rope_theta", attributes.valueOrDefault("rope_base") ?? defaultValue(family?.theta ?? 10_000));
    const factor: Sourced | undefined =
      attributes.valueOrDefault("scale_factor") ??
      (family?.factor === undefined ? undefined : defaultValue(family.factor));
    if (factor === undefined) builder.set("rope_type", defaultValue("default"));
    else {
      builder
        .derive("rope_type", "llama3")
        .set("factor", factor)
        .set("original_max_position_embeddings", defaultValue(8192));
      builder.set("low_freq_factor", defaultValue(1)).set("high_freq_factor", defaultValue(4));
    }
    return [
      setPartialRotation(builder, defaultValue(1), family?.layout ?? "interleaved").build(
        "rope",
        "text",
        "all",
        "automatic",
      ),
    ];
  },
};

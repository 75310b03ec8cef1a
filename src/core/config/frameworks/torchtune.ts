import type { Sourced } from "../huggingface/attributes.ts";
import { attributesOf, fixed, rotates, sizes, type YamlReader } from "./yamlReader.ts";

/** Base, layout and scaling of torchtune's model families (torchtune/models/*). */
interface Family {
  readonly pattern: RegExp;
  readonly base: number;
  readonly layout: "half" | "interleaved";
  /** Llama 3's factor. */
  readonly factor?: number;
}

const FAMILIES: readonly Family[] = [
  { pattern: /\.llama3_2/, base: 500_000, layout: "interleaved", factor: 32 },
  { pattern: /\.llama3_(?:1|3)/, base: 500_000, layout: "interleaved", factor: 8 },
  { pattern: /\.llama3/, base: 500_000, layout: "interleaved" },
  { pattern: /\.qwen/, base: 1_000_000, layout: "half" },
  { pattern: /\.phi/, base: 10_000, layout: "half" },
  { pattern: /./, base: 10_000, layout: "interleaved" },
];

/** torchtune's recipes: the model is named by its builder, arguments override the builder's own. */
export const torchtune: YamlReader = {
  matches: (section) => section.section("model")?.string("_component_")?.includes("torchtune.") === true,
  read: (section, report) => {
    const attributes = attributesOf(section.section("model"), report);
    const component = attributes.section?.string("_component_") ?? "";
    const family = FAMILIES.find(({ pattern }) => pattern.test(component));
    const builder = sizes(attributes, {
      heads: ["num_heads"],
      keyValueHeads: ["num_kv_heads"],
      layers: ["num_layers"],
      width: ["embed_dim"],
      headDim: ["head_dim"],
      length: ["max_seq_len"],
    });
    builder.set("rope_theta", attributes.valueOrDefault("rope_base") ?? fixed(family?.base ?? 10_000));
    const factor: Sourced | undefined =
      attributes.valueOrDefault("scale_factor") ?? (family?.factor === undefined ? undefined : fixed(family.factor));
    if (factor === undefined) builder.set("rope_type", fixed("default"));
    else {
      builder.derive("rope_type", "llama3").set("factor", factor).set("original_max_position_embeddings", fixed(8192));
      builder.set("low_freq_factor", fixed(1)).set("high_freq_factor", fixed(4));
    }
    return [rotates(builder, fixed(1), family?.layout ?? "interleaved").build("rope", "text", "all", "automatic")];
  },
};

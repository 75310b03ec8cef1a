import type { Attributes } from "../huggingface/attributes.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import { attributesOf, fixed, hasAny, type Report, rotates, sizes, type YamlReader } from "./yamlReader.ts";

/** litgpt's model_config.yaml (Lightning-AI/litgpt, litgpt/config.py); a quarter of the head rotates by default. */
export const litgpt: YamlReader = {
  matches: (section) =>
    section.has("block_size") &&
    section.has("n_layer") &&
    hasAny(section, "rope_base", "rotary_percentage", "padded_vocab_size", "n_query_groups"),
  read: (section, report) => {
    const attributes = attributesOf(section, report);
    const builder = sizes(attributes, {
      heads: ["n_head"],
      keyValueHeads: ["n_query_groups"],
      layers: ["n_layer"],
      width: ["n_embd"],
      headDim: ["head_size"],
      length: ["block_size"],
    });
    builder.set("rope_theta", attributes.valueOrDefault("rope_base") ?? fixed(10_000));
    rotates(builder, attributes.valueOrDefault("rotary_percentage") ?? fixed(0.25), "half");
    scaling(attributes, builder, report);
    builder.set("sliding_window", attributes.valueOrDefault("sliding_window_size"));
    return [builder.build("rope", "text", "all", "automatic")];
  },
};

/** `rope_condense_ratio` divides positions; `rope_adjustments` are Llama 3's. */
function scaling(attributes: Attributes, builder: SpecBuilder, report: Report): void {
  const inner = attributes.section?.section("rope_adjustments");
  const ratio = attributes.valueOrDefault("rope_condense_ratio");
  if (inner !== undefined) {
    const adjustments = attributesOf(inner, report);
    builder
      .derive("rope_type", "llama3")
      .set("original_max_position_embeddings", adjustments.valueOrDefault("original_max_seq_len"));
    for (const key of ["factor", "low_freq_factor", "high_freq_factor"])
      builder.set(key, adjustments.valueOrDefault(key));
  } else if (ratio !== undefined && ratio.value !== 1) builder.derive("rope_type", "linear").set("factor", ratio);
  else builder.set("rope_type", fixed("default"));
}

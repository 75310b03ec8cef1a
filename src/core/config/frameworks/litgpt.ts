import type { ConfigAttributes } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import { defaultValue, hasAny, readSizes, setPartialRotation, type YamlReader, yamlAttributes } from "./yamlReader.ts";

/** litgpt's model_config.yaml (Lightning-AI/litgpt, litgpt/config.py); a quarter of the head rotates by default. */
export const litgpt: YamlReader = {
  matches: (section) =>
    section.has("block_size") &&
    section.has("n_layer") &&
    hasAny(section, "rope_base", "rotary_percentage", "padded_vocab_size", "n_query_groups"),
  read: (section, report) => {
    const attributes = yamlAttributes(section, report);
    const builder = readSizes(attributes, {
      heads: ["n_head"],
      keyValueHeads: ["n_query_groups"],
      layers: ["n_layer"],
      width: ["n_embd"],
      headDim: ["head_size"],
      length: ["block_size"],
    });
    builder.set("rope_theta", attributes.valueOrDefault("rope_base") ?? defaultValue(10_000));
    setPartialRotation(builder, attributes.valueOrDefault("rotary_percentage") ?? defaultValue(0.25), "half");
    setLitgptScaling(attributes, builder, report);
    builder.set("sliding_window", attributes.valueOrDefault("sliding_window_size"));
    return [builder.build("rope", "text", "all", "automatic")];
  },
};

/** `rope_condense_ratio` divides positions; `rope_adjustments` are Llama 3's. */
function setLitgptScaling(attributes: ConfigAttributes, builder: SpecBuilder, report: ReportProblem): void {
  const inner = attributes.section?.section("rope_adjustments");
  const ratio = attributes.valueOrDefault("rope_condense_ratio");
  if (inner !== undefined) {
    const adjustments = yamlAttributes(inner, report);
    builder
      .derive("rope_type", "llama3")
      .set("original_max_position_embeddings", adjustments.valueOrDefault("original_max_seq_len"));
    for (const key of ["factor", "low_freq_factor", "high_freq_factor"])
      builder.set(key, adjustments.valueOrDefault(key));
  } else if (ratio !== undefined && ratio.value !== 1) builder.derive("rope_type", "linear").set("factor", ratio);
  else builder.set("rope_type", defaultValue("default"));
}

import type { EncodingSpec } from "../../spec.ts";
import type { Attributes } from "../huggingface/attributes.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { attributesOf, fixed, hasAny, learned, type Report, rotates, sizes, type YamlReader } from "./yamlReader.ts";

/** Megatron-LM's arguments as YAML, and NeMo's, which stand under `model`. */
export const megatron: YamlReader = {
  matches: (section) => place(section) !== undefined,
  read: (section, report) => readMegatron(place(section) ?? section, report),
};

function place(section: Section): Section | undefined {
  const isOne = (candidate: Section | undefined) =>
    hasAny(candidate, "position_embedding_type", "rotary_base", "rotary_percent", "rotary_percentage") &&
    hasAny(candidate, "num_layers", "num_attention_heads", "hidden_size");
  const model = section.section("model");
  return isOne(section) ? section : isOne(model) ? model : undefined;
}

function readMegatron(section: Section, report: Report): EncodingSpec[] {
  const attributes = attributesOf(section, report);
  const builder = sizes(attributes, {
    heads: ["num_attention_heads"],
    keyValueHeads: ["num_query_groups"],
    layers: ["num_layers"],
    width: ["hidden_size"],
    headDim: ["kv_channels"],
    length: ["max_position_embeddings", "encoder_seq_length", "seq_length"],
  });
  switch (section.string("position_embedding_type") ?? "learned_absolute") {
    case "rope":
    case "mrope":
    case "yarn":
      return [rope(attributes, builder)];
    case "relative":
      builder.set("num_buckets", attributes.valueOrDefault("relative_attention_num_buckets") ?? fixed(32));
      builder.set("max_distance", attributes.valueOrDefault("relative_attention_max_distance") ?? fixed(128));
      return [builder.build("t5_bias", "text", "all", "automatic")];
    case "alibi":
      return [builder.set("alibi_bias_max", fixed(8)).build("alibi", "text", "all", "automatic")];
    case "none":
      return [builder.build("none", "text", "all", "automatic")];
    default:
      return [learned(builder)];
  }
}

function rope(attributes: Attributes, builder: SpecBuilder): EncodingSpec {
  const written = attributes.section?.string("position_embedding_type");
  builder.set("rope_theta", attributes.valueOrDefault("rotary_base") ?? fixed(10_000));
  const layout = attributes.flag("rotary_interleaved") ? "interleaved" : "half";
  rotates(builder, attributes.valueOrDefault("rotary_percent", "rotary_percentage") ?? fixed(1), layout);
  const ratio = attributes.valueOrDefault("rotary_seq_len_interpolation_factor", "seq_len_interpolation_factor");
  if (written === "yarn") yarn(attributes, builder);
  else if (attributes.flag("use_rope_scaling")) llama3(attributes, builder);
  else if (ratio !== undefined && ratio.value !== 1) builder.derive("rope_type", "linear").set("factor", ratio);
  else builder.set("rope_type", fixed("default"));
  if (written !== "mrope") return builder.build("rope", "text", "all", "automatic");
  return builder.set("mrope_section", attributes.numbers("mrope_section")).build("mrope", "text", "all", "automatic");
}

function llama3(attributes: Attributes, builder: SpecBuilder): void {
  builder.derive("rope_type", "llama3").set("factor", attributes.valueOrDefault("rope_scaling_factor") ?? fixed(8));
  builder
    .set("low_freq_factor", fixed(1))
    .set("high_freq_factor", fixed(4))
    .set("original_max_position_embeddings", fixed(8192));
}

function yarn(attributes: Attributes, builder: SpecBuilder): void {
  builder
    .derive("rope_type", "yarn")
    .set("factor", attributes.valueOrDefault("rotary_scaling_factor", "yarn_rotary_scaling_factor"));
  builder.set(
    "original_max_position_embeddings",
    attributes.valueOrDefault("yarn_original_max_position_embeddings", "original_max_position_embeddings"),
  );
  builder.set("beta_fast", attributes.valueOrDefault("yarn_beta_fast", "beta_fast") ?? fixed(32));
  builder.set("beta_slow", attributes.valueOrDefault("yarn_beta_slow", "beta_slow") ?? fixed(1));
}

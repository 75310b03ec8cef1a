import type { EncodingSpec } from "../../spec.ts";
import type { ConfigAttributes } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import {
  buildLearnedTable,
  defaultValue,
  hasAny,
  readSizes,
  setPartialRotation,
  type YamlReader,
  yamlAttributes,
} from "./yamlReader.ts";

/** Megatron-LM's arguments as YAML, and NeMo's, which are below `model`. */
export const megatron: YamlReader = {
  matches: (section) => findModelSection(section) !== undefined,
  read: (section, report) => readMegatron(findModelSection(section) ?? section, report),
};

function findModelSection(section: Section): Section | undefined {
  const isModelSection = (candidate: Section | undefined) =>
    hasAny(candidate, "position_embedding_type", "rotary_base", "rotary_percent", "rotary_percentage") &&
    hasAny(candidate, "num_layers", "num_attention_heads", "hidden_size");
  const model = section.section("model");
  return isModelSection(section) ? section : isModelSection(model) ? model : undefined;
}

function readMegatron(section: Section, report: ReportProblem): EncodingSpec[] {
  const attributes = yamlAttributes(section, report);
  const builder = readSizes(attributes, {
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
      return [readRope(attributes, builder)];
    case "relative":
      builder.set("num_buckets", attributes.valueOrDefault("relative_attention_num_buckets") ?? defaultValue(32));
      builder.set("max_distance", attributes.valueOrDefault("relative_attention_max_distance") ?? defaultValue(128));
      return [builder.build("t5_bias", "text", "all", "automatic")];
    case "alibi":
      return [builder.set("alibi_bias_max", defaultValue(8)).build("alibi", "text", "all", "automatic")];
    case "none":
      return [builder.build("none", "text", "all", "automatic")];
    default:
      return [buildLearnedTable(builder)];
  }
}

function readRope(attributes: ConfigAttributes, builder: SpecBuilder): EncodingSpec {
  const written = attributes.section?.string("position_embedding_type");
  builder.set("rope_theta", attributes.valueOrDefault("rotary_base") ?? defaultValue(10_000));
  const layout = attributes.flag("rotary_interleaved") ? "interleaved" : "half";
  setPartialRotation(
    builder,
    attributes.valueOrDefault("rotary_percent", "rotary_percentage") ?? defaultValue(1),
    layout,
  );
  const ratio = attributes.valueOrDefault("rotary_seq_len_interpolation_factor", "seq_len_interpolation_factor");
  if (written === "yarn") setMegatronYarn(attributes, builder);
  else if (attributes.flag("use_rope_scaling")) setLlama3(attributes, builder);
  else if (ratio !== undefined && ratio.value !== 1) builder.derive("rope_type", "linear").set("factor", ratio);
  else builder.set("rope_type", defaultValue("default"));
  if (written !== "mrope") return builder.build("rope", "text", "all", "automatic");
  return builder.set("mrope_section", attributes.numbers("mrope_section")).build("mrope", "text", "all", "automatic");
}

function setLlama3(attributes: ConfigAttributes, builder: SpecBuilder): void {
  builder
    .derive("rope_type", "llama3")
    .set("factor", attributes.valueOrDefault("rope_scaling_factor") ?? defaultValue(8));
  builder
    .set("low_freq_factor", defaultValue(1))
    .set("high_freq_factor", defaultValue(4))
    .set("original_max_position_embeddings", defaultValue(8192));
}

function setMegatronYarn(attributes: ConfigAttributes, builder: SpecBuilder): void {
  builder
    .derive("rope_type", "yarn")
    .set("factor", attributes.valueOrDefault("rotary_scaling_factor", "yarn_rotary_scaling_factor"));
  builder.set(
    "original_max_position_embeddings",
    attributes.valueOrDefault("yarn_original_max_position_embeddings", "original_max_position_embeddings"),
  );
  builder.set("beta_fast", attributes.valueOrDefault("yarn_beta_fast", "beta_fast") ?? defaultValue(32));
  builder.set("beta_slow", attributes.valueOrDefault("yarn_beta_slow", "beta_slow") ?? defaultValue(1));
}

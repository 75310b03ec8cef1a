import type { EncodingSpec } from "../../spec.ts";
import type { ReportProblem } from "../problems.ts";
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

/** Each key in both spellings, with underscores and with dashes. */
function withDashes(...names: string[]): string[] {
  return names.flatMap((name) => [name, name.replaceAll("_", "-")]);
}

/** GPT-NeoX (EleutherAI/gpt-neox, megatron/neox_arguments/neox_args.py). */
export const neox: YamlReader = {
  matches: (section) =>
    hasAny(section, ...withDashes("pos_emb")) ||
    (hasAny(section, ...withDashes("rotary_pct", "rotary_emb_base")) && hasAny(section, ...withDashes("num_layers"))),
  read: readNeox,
};

function readNeox(section: Section, report: ReportProblem): EncodingSpec[] {
  const attributes = yamlAttributes(section, report);
  const builder = readSizes(attributes, {
    heads: withDashes("num_attention_heads"),
    keyValueHeads: withDashes("num_kv_heads"),
    layers: withDashes("num_layers"),
    width: withDashes("hidden_size"),
    headDim: [],
    length: withDashes("max_position_embeddings", "seq_length"),
  });
  builder.set("sliding_window", attributes.valueOrDefault(...withDashes("sliding_window_width")));
  switch (section.string("pos_emb") ?? section.string("pos-emb") ?? "learned") {
    case "rotary":
      builder
        .set("rope_theta", attributes.valueOrDefault(...withDashes("rotary_emb_base")) ?? defaultValue(10_000))
        .set("rope_type", defaultValue("default"));
      return [
        setPartialRotation(
          builder,
          attributes.valueOrDefault(...withDashes("rotary_pct")) ?? defaultValue(1),
          "half",
        ).build("rope", "text", "all", "automatic"),
      ];
    case "rpe":
      builder.set("num_buckets", attributes.valueOrDefault(...withDashes("rpe_num_buckets")) ?? defaultValue(32));
      builder
        .set("max_distance", attributes.valueOrDefault(...withDashes("rpe_max_distance")) ?? defaultValue(128))
        .derive("bidirectional", false);
      return [builder.build("t5_bias", "text", "all", "automatic")];
    case "alibi":
      return [builder.set("alibi_bias_max", defaultValue(8)).build("alibi", "text", "all", "automatic")];
    case "sinusoidal":
      return [builder.build("sinusoidal", "text", "all", "automatic")];
    case "none":
      return [builder.build("none", "text", "all", "automatic")];
    default:
      return [buildLearnedTable(builder)];
  }
}

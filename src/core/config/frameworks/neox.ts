import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { attributesOf, fixed, hasAny, learned, type Report, rotates, sizes, type YamlReader } from "./yamlReader.ts";

/** Keys may be written with dashes or underscores. */
function both(...names: string[]): string[] {
  return names.flatMap((name) => [name, name.replaceAll("_", "-")]);
}

/** GPT-NeoX (EleutherAI/gpt-neox, megatron/neox_arguments/neox_args.py). */
export const neox: YamlReader = {
  matches: (section) =>
    hasAny(section, ...both("pos_emb")) ||
    (hasAny(section, ...both("rotary_pct", "rotary_emb_base")) && hasAny(section, ...both("num_layers"))),
  read: readNeox,
};

function readNeox(section: Section, report: Report): EncodingSpec[] {
  const attributes = attributesOf(section, report);
  const builder = sizes(attributes, {
    heads: both("num_attention_heads"),
    keyValueHeads: both("num_kv_heads"),
    layers: both("num_layers"),
    width: both("hidden_size"),
    headDim: [],
    length: both("max_position_embeddings", "seq_length"),
  });
  builder.set("sliding_window", attributes.valueOrDefault(...both("sliding_window_width")));
  switch (section.string("pos_emb") ?? section.string("pos-emb") ?? "learned") {
    case "rotary":
      builder
        .set("rope_theta", attributes.valueOrDefault(...both("rotary_emb_base")) ?? fixed(10_000))
        .set("rope_type", fixed("default"));
      return [
        rotates(builder, attributes.valueOrDefault(...both("rotary_pct")) ?? fixed(1), "half").build(
          "rope",
          "text",
          "all",
          "automatic",
        ),
      ];
    case "rpe":
      builder.set("num_buckets", attributes.valueOrDefault(...both("rpe_num_buckets")) ?? fixed(32));
      builder
        .set("max_distance", attributes.valueOrDefault(...both("rpe_max_distance")) ?? fixed(128))
        .derive("bidirectional", false);
      return [builder.build("t5_bias", "text", "all", "automatic")];
    case "alibi":
      return [builder.set("alibi_bias_max", fixed(8)).build("alibi", "text", "all", "automatic")];
    case "sinusoidal":
      return [builder.build("sinusoidal", "text", "all", "automatic")];
    case "none":
      return [builder.build("none", "text", "all", "automatic")];
    default:
      return [learned(builder)];
  }
}

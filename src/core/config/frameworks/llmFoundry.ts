import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { attributesOf, fixed, hasAny, learned, type Report, rotates, sizes, type YamlReader } from "./yamlReader.ts";

/** llm-foundry's training files (mosaicml/llm-foundry): MPT with ALiBi, RoPE or a learned table. */
export const llmFoundry: YamlReader = {
  matches: (section) => {
    const model = section.section("model") ?? section;
    return (
      model.has("n_heads") &&
      hasAny(model, "d_model", "attn_config") &&
      (model.has("attn_config") || /mpt/.test(model.string("name") ?? ""))
    );
  },
  read: (section, report) => readFoundry(section.section("model") ?? section, report),
};

function readFoundry(model: Section, report: Report): EncodingSpec[] {
  const attributes = attributesOf(model, report);
  const attention = attributesOf(model.section("attn_config"), report);
  const builder = sizes(attributes, {
    heads: ["n_heads"],
    keyValueHeads: ["kv_n_heads"],
    layers: ["n_layers"],
    width: ["d_model"],
    headDim: [],
    length: ["max_seq_len"],
  });
  if (attention.flag("alibi")) {
    return [
      builder
        .set("alibi_bias_max", attention.valueOrDefault("alibi_bias_max") ?? fixed(8))
        .build("alibi", "text", "all", "automatic"),
    ];
  }
  if (!attention.flag("rope"))
    return attributes.fromFile("learned_pos_emb")?.value === false
      ? [builder.build("none", "text", "all", "automatic")]
      : [learned(builder)];
  builder.set("rope_theta", attention.valueOrDefault("rope_theta") ?? fixed(10_000));
  const hf = attributesOf(attention.section?.section("rope_hf_config"), report);
  const type = hf.section?.string("type");
  const scaled = type === "linear" || type === "dynamic";
  builder.set("rope_type", scaled ? hf.fromFile("type") : fixed("default"));
  if (scaled) builder.set("factor", hf.valueOrDefault("factor"));
  return [rotates(builder, fixed(1), "half").build("rope", "text", "all", "automatic")];
}

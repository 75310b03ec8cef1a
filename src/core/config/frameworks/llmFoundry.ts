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

function readFoundry(model: Section, report: ReportProblem): EncodingSpec[] {
  const attributes = yamlAttributes(model, report);
  const attention = yamlAttributes(model.section("attn_config"), report);
  const builder = readSizes(attributes, {
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
        .set("alibi_bias_max", attention.valueOrDefault("alibi_bias_max") ?? defaultValue(8))
        .build("alibi", "text", "all", "automatic"),
    ];
  }
  if (!attention.flag("rope"))
    return attributes.fromFile("learned_pos_emb")?.value === false
      ? [builder.build("none", "text", "all", "automatic")]
      : [buildLearnedTable(builder)];
  builder.set("rope_theta", attention.valueOrDefault("rope_theta") ?? defaultValue(10_000));
  const hf = yamlAttributes(attention.section?.section("rope_hf_config"), report);
  const type = hf.section?.string("type");
  const scaled = type === "linear" || type === "dynamic";
  builder.set("rope_type", scaled ? hf.fromFile("type") : defaultValue("default"));
  if (scaled) builder.set("factor", hf.valueOrDefault("factor"));
  return [setPartialRotation(builder, defaultValue(1), "half").build("rope", "text", "all", "automatic")];
}

import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { type Framework, hasAll, hasAny } from "./framework.ts";
import type { FrameworkModel } from "./frameworkModel.ts";
import { findNopeLayers } from "./nopeLayers.ts";

const FLAGS = ["is_llama_config", "is_qwen2_config", "is_starcoder2_config"];

/** nanotron: the model is below `model.model_config`, and a flag names its class. */
export const nanotron: Framework = {
  format: "nanotron-yaml",
  reference:
    "huggingface/nanotron: src/nanotron/config/models_config.py, src/nanotron/models/llama.py, src/nanotron/models/qwen.py",
  signs: FLAGS,
  findModels: (root) => {
    const model = [root.section("model.model_config"), root.section("model_config"), root].find(isNanotron);
    return model === undefined ? undefined : [{ section: model }];
  },
  keys: {
    num_heads: ["num_attention_heads"],
    num_kv_heads: ["num_key_value_heads", "num_kv_heads"],
    num_layers: ["num_hidden_layers"],
    sliding_window: ["sliding_window_size"],
    interpolation: ["rope_seq_len_interpolation_factor"],
    rope_type: ["rope_scaling.rope_type", "rope_scaling.type"],
    factor: ["rope_scaling.factor"],
    low_freq_factor: ["rope_scaling.low_freq_factor"],
    high_freq_factor: ["rope_scaling.high_freq_factor"],
    original_max_position_embeddings: ["rope_scaling.original_max_position_embeddings"],
  },
  defaults: {
    hidden_size: 4096,
    num_heads: 32,
    num_layers: 32,
    max_position_embeddings: 2048,
    rope_theta: 10_000,
    rope_interleaved: false,
    use_rotary_embeddings: true,
  },
  readModel: readNanotron,
};

function isNanotron(section: Section | undefined): section is Section {
  return section !== undefined && hasAny(section, ...FLAGS) && hasAll(section, "hidden_size");
}

function readNanotron(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes().set("sliding_window", model.number("sliding_window"));
  if (!model.flag("use_rotary_embeddings"))
    return [model.flag("use_position_embeddings") ? model.learned(builder) : model.none()];
  const type = model.text("rope_type");
  if (type === "llama3") model.setLlama3(builder);
  else if (type !== undefined && type !== "default")
    builder.set("rope_type", model.get("rope_type")).set("factor", model.number("factor"));
  else model.setLinear(builder, model.number("interpolation"));
  model.setRotation(builder, model.flag("rope_interleaved") ? "interleaved" : "half");
  const without = findNopeLayers(model.get("no_rope_layer")?.value, builder.get("num_layers"), 1);
  if (without.length === 0) return [model.build(builder, "rope")];
  const count = Number(builder.get("num_layers"));
  const rotated = Array.from({ length: count }, (_, layer) => layer).filter((layer) => !without.includes(layer));
  return [...(rotated.length === 0 ? [] : [model.build(builder, "rope", rotated)]), model.none(without)];
}

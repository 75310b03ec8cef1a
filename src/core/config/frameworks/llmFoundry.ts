import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { type Framework, hasAll, hasAny } from "./framework.ts";
import type { FrameworkModel } from "./frameworkModel.ts";

/** llm-foundry: MPT with ALiBi, RoPE or a learned table. A training file has its model under `model`. */
export const llmFoundry: Framework = {
  format: "llm-foundry-yaml",
  reference:
    "mosaicml/llm-foundry: llmfoundry/models/utils/config_defaults.py, llmfoundry/models/mpt/configuration_mpt.py, llmfoundry/models/mpt/modeling_mpt.py (gen_rotary_embedding)",
  signs: ["attn_config", "mpt_causal_lm", "hf_causal_lm", "learned_pos_emb"],
  findModels,
  keys: {
    num_heads: ["n_heads"],
    num_kv_heads: ["attn_config.kv_n_heads", "kv_n_heads"],
    num_layers: ["n_layers"],
    hidden_size: ["d_model"],
    max_position_embeddings: ["max_seq_len", "^max_seq_len"],
    sliding_window: ["attn_config.sliding_window_size"],
    alibi: ["attn_config.alibi"],
    alibi_bias_max: ["attn_config.alibi_bias_max"],
    rope: ["attn_config.rope"],
    rope_theta: ["attn_config.rope_theta"],
    rope_impl: ["attn_config.rope_impl"],
    dail_type: ["attn_config.rope_dail_config.type"],
    scale_base: ["attn_config.rope_dail_config.xpos_scale_base"],
    hf_type: ["attn_config.rope_hf_config.type"],
    factor: ["attn_config.rope_hf_config.factor"],
    low_freq_factor: ["attn_config.rope_hf_config.low_freq_factor"],
    high_freq_factor: ["attn_config.rope_hf_config.high_freq_factor"],
    original_max_position_embeddings: ["attn_config.rope_hf_config.original_max_position_embeddings"],
  },
  defaults: {
    hidden_size: 2048,
    num_heads: 16,
    num_layers: 24,
    max_position_embeddings: 2048,
    learned_pos_emb: true,
    alibi: false,
    alibi_bias_max: 8,
    rope: false,
    rope_theta: 10_000,
    rope_impl: "dail",
    dail_type: "original",
    scale_base: 512,
    hf_type: "no_scaling",
    factor: 1,
  },
  readModel: readFoundry,
};

/** Models of llm-foundry's own code; others come from Hugging Face, whose configuration is elsewhere. */
const MPT_MODEL = /^mpt/;

function findModels(root: Section): readonly { section: Section }[] | undefined {
  const model = root.section("model") ?? root.section("parameters.model") ?? root;
  const name = model.string("name") ?? "";
  if (name === "hf_causal_lm" && hasAny(model, "pretrained_model_name_or_path", "pretrained")) return [];
  if (hasAny(model, "model_type", "architectures")) return undefined;
  const isMpt = MPT_MODEL.test(name) || hasAny(model, "attn_config", "learned_pos_emb");
  return isMpt && hasAll(model, "d_model", "n_heads") ? [{ section: model }] : undefined;
}

function readFoundry(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes();
  const window = model.number("sliding_window");
  if (window !== undefined && window.value > 0) builder.set("sliding_window", window);
  if (model.flag("alibi")) return [model.alibi(builder)];
  if (model.isUnresolved("alibi") || model.isUnresolved("rope")) return [];
  if (!model.flag("rope")) return [model.flag("learned_pos_emb") ? model.learned(builder) : model.none()];
  if (model.text("rope_impl") === "hf") {
    const type = model.text("hf_type");
    if (type === "llama3") model.setLlama3(builder);
    else if (type === "linear") model.setLinear(builder);
    else if (type === "dynamic") builder.set("rope_type", model.get("hf_type")).set("factor", model.number("factor"));
  } else if (model.text("dail_type") === "xpos") {
    model.setRotation(builder.set("scale_base", model.number("scale_base")), "half");
    return [model.build(builder, "xpos")];
  }
  return [model.rope(builder, "half")];
}

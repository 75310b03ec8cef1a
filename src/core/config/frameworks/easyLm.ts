import { type Framework, hasAny } from "./framework.ts";

/** EasyLM's LLaMA, in JAX; its keys are Hugging Face's, with some of its own. */
export const easyLm: Framework = {
  format: "easylm",
  reference: "young-geng/EasyLM: EasyLM/models/llama/llama_model.py (LLaMAConfigurator, precompute_freqs_cis)",
  signs: ["scan_attention", "scan_mlp", "scan_query_chunk_size", "fcm_min_ratio", "fcm_max_ratio"],
  findModels: (root) => {
    const model = [root, root.section("llama"), root.section("llama_config"), root.section("model")].find(
      (section) =>
        hasAny(section, "scan_attention", "scan_query_chunk_size", "fcm_min_ratio", "fcm_max_ratio", "scan_mlp") &&
        hasAny(section, "hidden_size", "num_attention_heads"),
    );
    return model === undefined ? undefined : [{ section: model }];
  },
  keys: {
    num_heads: ["num_attention_heads"],
    num_kv_heads: ["num_key_value_heads"],
    num_layers: ["num_hidden_layers"],
    max_position_embeddings: ["max_position_embeddings", "max_sequence_length"],
    rope_theta: ["rope_theta", "theta"],
  },
  defaults: { hidden_size: 4096, num_heads: 32, num_layers: 32, max_position_embeddings: 2048, rope_theta: 10_000 },
  readModel: (model) => [model.rope(model.sizes(), "interleaved")],
};

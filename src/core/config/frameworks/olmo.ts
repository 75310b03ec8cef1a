import { type Framework, hasAny } from "./framework.ts";

/** OLMo's training files and the `config.yaml` of its checkpoints. */
export const olmo: Framework = {
  format: "olmo-yaml",
  reference: "allenai/OLMo: olmo/config.py (ModelConfig), olmo/model.py (RotaryEmbedding, OLMo)",
  signs: ["max_sequence_length", "mlp_ratio", "block_type"],
  findModels: (root) => {
    const model = root.section("model") ?? root;
    const own = hasAny(model, "rope_full_precision", "attention_layer_norm", "layer_norm_with_affine", "block_type");
    const isOlmo = hasAny(model, "max_sequence_length", "rope", "alibi") && own && hasAny(model, "d_model");
    return isOlmo ? [{ section: model }] : undefined;
  },
  keys: {
    num_heads: ["n_heads"],
    num_kv_heads: ["n_kv_heads"],
    num_layers: ["n_layers"],
    hidden_size: ["d_model"],
    max_position_embeddings: ["max_sequence_length"],
  },
  defaults: {
    hidden_size: 768,
    num_heads: 12,
    num_layers: 12,
    max_position_embeddings: 1024,
    alibi: false,
    alibi_bias_max: 8,
    rope: false,
    rope_theta: 10_000,
  },
  readModel: (model) => {
    const builder = model.sizes();
    if (model.flag("multi_query_attention")) builder.derive("num_kv_heads", 1);
    if (model.flag("rope")) return [model.rope(builder, "half")];
    return [model.flag("alibi") ? model.alibi(builder) : model.learned(builder)];
  },
};

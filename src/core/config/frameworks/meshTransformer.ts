import { type Framework, hasAll, hasAny } from "./framework.ts";

/** mesh-transformer-jax, which trained GPT-J. */
export const meshTransformer: Framework = {
  format: "mesh-transformer",
  reference: "kingoflolz/mesh-transformer-jax: mesh_transformer/layers.py, mesh_transformer/util.py",
  signs: ["pe_rotary_dims", "cores_per_replica", "pe"],
  findModels: (root) =>
    hasAll(root, "pe", "d_model", "layers") && hasAny(root, "cores_per_replica", "n_vocab", "pe_rotary_dims")
      ? [{ section: root }]
      : undefined,
  keys: {
    num_heads: ["n_heads"],
    num_layers: ["layers"],
    hidden_size: ["d_model"],
    max_position_embeddings: ["seq"],
    rotary_dim: ["pe_rotary_dims"],
  },
  defaults: { rope_theta: 10_000, num_buckets: 32, max_distance: 128 },
  readModel: (model) => {
    switch (model.text("pe")) {
      case "rotary":
        return [model.rope(model.sizes(), "interleaved")];
      case "t5":
        return [model.t5Bias(false)];
      case "fixed":
        // Called so, but trained.
        return [model.learned()];
      default:
        model.reportUnknown("pe");
        return [];
    }
  },
};

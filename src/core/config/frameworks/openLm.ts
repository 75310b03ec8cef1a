import { type Framework, hasAll } from "./framework.ts";

/** open_lm's model files: JSON with the sizes of a model. */
export const openLm: Framework = {
  format: "open-lm",
  reference: "mlfoundations/open_lm: open_lm/model.py (Params, create_params), open_lm/positional_embedding",
  signs: ["post_embed_norm"],
  findModels: (root) => (hasAll(root, "post_embed_norm", "hidden_dim", "n_heads") ? [{ section: root }] : undefined),
  keys: {
    num_heads: ["n_heads"],
    num_layers: ["n_layers"],
    hidden_size: ["hidden_dim"],
    max_position_embeddings: ["seq_len"],
  },
  defaults: { positional_embedding_type: "rotary", rope_theta: 10_000 },
  readModel: (model) => {
    switch (model.text("positional_embedding_type")) {
      case "rotary":
        return [model.rope(model.sizes(), "half")];
      case "llama_rotary":
        return [model.rope(model.sizes(), "interleaved")];
      case "none":
        return [model.none()];
      default:
        // `head_rotary` rotates by the index of the head, not of the token.
        model.reportUnknown("positional_embedding_type");
        return [];
    }
  },
};
